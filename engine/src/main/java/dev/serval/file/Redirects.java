package dev.serval.file;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.PercentEncoding;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.TargetPath;
import org.jspecify.annotations.Nullable;

/// Redirects a client from `/folder` to `/folder/`, so that relative references in its index file
/// lead into the folder. Stateless.
///
/// It answers 301, which every client knows. Only GET and HEAD are redirected, so the method never
/// changes. Location is an absolute path without empty segments, because the target was normalized.
/// So it can never begin with `//` and be read as another host (RFC 3986 §4.2).
final class Redirects {
    private Redirects() {}

    /// Answers with a redirect to the same path with a final slash.
    static void toFolder(Exchange x) {
        TargetPath path = x.request().target().path();
        StringBuilder location =
                PercentEncoding.path(path.buffer(), path.from(), path.to()).append('/');
        @Nullable String query = x.request().target().query();
        if (query != null) {
            location.append('?').append(query);
        }
        Fields fields = Fields.of(FieldName.LOCATION, location.toString());
        x.response().send(new ResponseHead(Status.MOVED_PERMANENTLY, fields, 0), Body.Empty.EMPTY);
    }
}
