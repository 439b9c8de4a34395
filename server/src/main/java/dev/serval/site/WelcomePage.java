package dev.serval.site;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Serves the welcome page at `/` and nothing else, if no folder was given. Immutable; called by
/// all loops.
public final class WelcomePage implements Handler {
    private static final String RESOURCE = "welcome.html";
    private static final String DEMO =
            """
            <div><dt>See an application that runs in a process of its own</dt><dd><a href="/demo">Open the demo</a></dd></div>\
            """;
    private static final String NO_DEMO =
            """
            <div><dt>See an application in a process of its own</dt><dd><code>./serval run --demo</code></dd></div>\
            """;
    private static final Fields ALLOWED = Fields.of(FieldName.ALLOW, "GET, HEAD, OPTIONS");

    private final ResponseHead head;
    private final ResponseHead options = new ResponseHead(Status.NO_CONTENT, ALLOWED, 0);
    private final Body page;

    private WelcomePage(byte[] bytes) {
        page = Body.Bytes.of(bytes);
        Fields fields =
                new Fields()
                        .add(FieldName.CONTENT_TYPE, "text/html; charset=utf-8")
                        .add(FieldName.CACHE_CONTROL, "no-cache")
                        .add(FieldName.X_CONTENT_TYPE_OPTIONS, "nosniff")
                        .add(
                                FieldName.CONTENT_SECURITY_POLICY,
                                "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
        head = new ResponseHead(Status.OK, fields, bytes.length);
    }

    /// Reads the page from the jar.
    ///
    /// @param demo whether the page links to the demo
    public static WelcomePage read(boolean demo) throws IOException {
        try (@Nullable InputStream page = WelcomePage.class.getResourceAsStream(RESOURCE)) {
            if (page == null) {
                throw new IOException("this jar has no " + RESOURCE + ": build it again");
            }
            String text = new String(page.readAllBytes(), StandardCharsets.UTF_8);
            return new WelcomePage(
                    text.replace("{demo}", demo ? DEMO : NO_DEMO).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public boolean takesTrace() {
        return true; // and refuses it
    }

    @Override
    public void handle(Exchange x) {
        if (x.request().target().path().length() > 1) {
            x.refuse(Status.NOT_FOUND, Fields.EMPTY, "This server has only the page at /.");
            return;
        }
        Method method = x.request().method();
        if (method == Method.GET || method == Method.HEAD) {
            x.response().send(head, page);
        } else if (method == Method.OPTIONS) {
            x.response().send(options, Body.Empty.EMPTY);
        } else {
            x.refuse(Status.METHOD_NOT_ALLOWED, ALLOWED, "This page allows only GET and HEAD.");
        }
    }
}
