package dev.serval.file;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
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
    private static final String HEX = "0123456789ABCDEF";
    private static final String PLAIN = "-._~!$&'()*+,=:@/"; // pchar (RFC 3986 §3.3) without ";"

    private Redirects() {}

    /// Answers with a redirect to the same path with a final slash.
    static void toFolder(Exchange x) {
        StringBuilder location = encode(x.request().target().path()).append('/');
        @Nullable String query = x.request().target().query();
        if (query != null) {
            location.append('?').append(query);
        }
        Fields fields = Fields.of(FieldName.LOCATION, location.toString());
        x.response().send(new ResponseHead(Status.MOVED_PERMANENTLY, fields, 0), Body.Empty.EMPTY);
    }

    /// Returns the path, with every character percent-encoded that could have another meaning.
    static StringBuilder encode(TargetPath path) {
        StringBuilder text = new StringBuilder(path.length() + 16);
        byte[] bytes = path.buffer();
        for (int i = path.from(); i < path.to(); i++) {
            int b = bytes[i] & 0xff;
            boolean letter = (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
            if (letter || (b >= '0' && b <= '9') || PLAIN.indexOf(b) >= 0) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 15));
            }
        }
        return text;
    }
}
