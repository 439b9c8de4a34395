package dev.serval.app;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the Cookie fields of a request (RFC 6265 §4.2.1). Pure and stateless.
///
/// A piece without `=` or without a name is skipped, because browsers send what pages stored. Of
/// two cookies with one name the first counts, because it has the longer path (§5.4). Values are
/// returned as they were sent, quotes included.
final class Cookies {
    private static final ProtocolError TOO_MANY =
            new ProtocolError(
                    Status.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "the request has too many cookies",
                    "RFC 6265 §6.1");

    private Cookies() {}

    /// Adds the cookies of `fields` to `into`.
    ///
    /// @param most the limit of cookies in all; repeated names count each
    /// @return the error, or null
    static @Nullable ProtocolError parse(Fields fields, int most, Map<String, String> into) {
        byte[] bytes = fields.buffer();
        int count = 0;
        for (int i = fields.indexOf(FieldName.COOKIE, 0);
                i >= 0;
                i = fields.indexOf(FieldName.COOKIE, i + 1)) {
            int end = fields.valueEnd(i);
            for (int at = fields.valueAt(i); at < end; ) {
                int next = find(bytes, ';', at, end);
                int equals = find(bytes, '=', at, next);
                if (equals < next) {
                    if (count++ == most) {
                        return TOO_MANY;
                    }
                    String name = trimmed(bytes, at, equals);
                    if (!name.isEmpty()) {
                        into.putIfAbsent(name, trimmed(bytes, equals + 1, next));
                    }
                }
                at = next + 1;
            }
        }
        return null;
    }

    private static String trimmed(byte[] bytes, int from, int to) {
        int at = from;
        int end = to;
        while (at < end && blank(bytes[at])) {
            at++;
        }
        while (end > at && blank(bytes[end - 1])) {
            end--;
        }
        return new String(bytes, at, end - at, StandardCharsets.ISO_8859_1);
    }

    private static boolean blank(byte b) {
        return b == ' ' || b == '\t';
    }

    private static int find(byte[] bytes, char wanted, int from, int to) {
        int i = from;
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }
}
