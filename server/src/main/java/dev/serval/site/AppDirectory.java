package dev.serval.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.settings.Place;
import java.net.URLEncoder;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Lists what a server serves, at `/`, if nothing else is there. Only for `--dev`, because it tells
/// everyone the names of applications. Called by all loops.
public final class AppDirectory implements Handler {
    private static final String HEAD =
            """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Applications</title>
            <style>
            :root { color-scheme: light dark }
            body { font: 1rem/1.5 system-ui, sans-serif; margin: 12vh auto; max-width: 32rem;
              padding: 0 1rem }
            li { margin: .25rem 0 }
            </style>
            <h1>Applications</h1>
            <p>Nothing is served at <code>/</code>. This development server has:</p>
            <ul>
            """;

    private volatile Set<String> prefixes = Set.of();

    /// Sets what is served now. Any thread.
    void list(Set<Place> served) {
        prefixes =
                served.stream()
                        .filter(Place::isDefaultHost)
                        .map(Place::prefix)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public void handle(Exchange x) {
        Method method = x.request().method();
        if (x.request().target().path().length() > 1
                || (method != Method.GET && method != Method.HEAD)) {
            x.pass();
            return;
        }
        StringBuilder page = new StringBuilder(HEAD);
        for (String prefix : prefixes) {
            if (!prefix.equals("/")) {
                String address = URLEncoder.encode(prefix, UTF_8).replace("%2F", "/");
                page.append("<li><a href=\"")
                        .append(address.replace("+", "%20"))
                        .append("/\">")
                        .append(prefix.replace("&", "&amp;").replace("<", "&lt;"))
                        .append("/</a></li>\n");
            }
        }
        byte[] bytes = page.append("</ul>\n</html>\n").toString().getBytes(UTF_8);
        Fields fields =
                new Fields()
                        .add(FieldName.CONTENT_TYPE, "text/html; charset=utf-8")
                        .add(FieldName.CACHE_CONTROL, "no-cache")
                        .add(
                                FieldName.CONTENT_SECURITY_POLICY,
                                "default-src 'none'; style-src 'unsafe-inline'");
        x.response().send(new ResponseHead(Status.OK, fields, bytes.length), Body.Bytes.of(bytes));
    }
}
