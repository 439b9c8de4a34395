package dev.serval.servlet.request;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpDate;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Header fields in the forms that the Servlet API has for them. Stateless.
final class FieldViews {
    private static final String ALLOW = "Allow";

    private FieldViews() {}

    /// Adds the names of fields, each as it was written first, by their form in lower case.
    static void addNames(Fields fields, Map<String, String> names) {
        for (int i = 0; i < fields.size(); i++) {
            names.putIfAbsent(fields.name(i).toLowerCase(Locale.ROOT), fields.name(i));
        }
    }

    /// Returns the names of fields, each once.
    static Collection<String> names(Fields fields) {
        Map<String, String> names = new LinkedHashMap<>();
        addNames(fields, names);
        return names.values();
    }

    /// Returns the milliseconds of a date.
    ///
    /// @throws IllegalArgumentException if the value is none
    static long millis(String name, String value) {
        @Nullable Long seconds = HttpDate.parse(value, Instant.now().getEpochSecond());
        if (seconds == null) {
            throw new IllegalArgumentException(
                    "The field " + name + " is not a date (RFC 9110 §5.6.7): \"" + value + "\"");
        }
        return seconds * 1000;
    }

    /// Returns trailers by their names in lower case.
    static Map<String, String> trailers(Fields trailers) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < trailers.size(); i++) {
            map.merge(
                    trailers.name(i).toLowerCase(Locale.ROOT),
                    trailers.value(i),
                    (first, next) -> first + "," + next);
        }
        return map;
    }

    /// Returns the head that switches protocols, with these fields but those of the engine.
    ///
    /// @param asked the protocols that the client asked for; the first one is taken if the fields
    ///     name none
    static ResponseHead switching(Fields fields, @Nullable String asked) {
        Fields kept = new Fields().addAll(fields);
        if (asked != null && !kept.contains(FieldName.UPGRADE)) {
            kept.set(FieldName.UPGRADE, ascii(asked.split(",", 2)[0].strip()));
        }
        kept.remove(FieldName.CONNECTION)
                .remove(FieldName.CONTENT_LENGTH)
                .remove(FieldName.TRANSFER_ENCODING);
        return new ResponseHead(Status.SWITCHING_PROTOCOLS, kept, ResponseHead.UNKNOWN_LENGTH);
    }

    /// Returns the fields of a map, which an application may give as null, in the form that is sent.
    static Fields fields(@Nullable Map<String, String> map) {
        if (map == null || map.isEmpty()) {
            return Fields.EMPTY;
        }
        Fields all = new Fields();
        map.forEach((name, value) -> all.add(name, latin1(value)));
        return all;
    }

    /// Returns the value of a field in the form that is sent. `HttpServlet` adds TRACE to Allow, which
    /// this server refuses.
    static String sent(String name, String value) {
        String sent = latin1(value);
        return name.length() == ALLOW.length() && name.equalsIgnoreCase(ALLOW)
                ? withoutTrace(sent)
                : sent;
    }

    private static String withoutTrace(String allowed) {
        StringJoiner methods = new StringJoiner(", ");
        for (String method : allowed.split(",", -1)) {
            if (!method.strip().equals("TRACE")) {
                methods.add(method.strip());
            }
        }
        return methods.toString();
    }

    /// Returns the value with `?` in place of characters that a field cannot carry (RFC 9110 §5.5).
    /// Control characters stay, so that the field refuses them.
    static String latin1(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) > 0xff) {
                return value.replaceAll("[^\\x00-\\xff]", "?");
            }
        }
        return value;
    }

    /// Returns a URI with characters beyond ASCII percent-encoded as UTF-8 (RFC 3987 §3.1).
    static String ascii(String uri) {
        StringBuilder encoded = new StringBuilder(uri.length());
        for (byte b : uri.getBytes(StandardCharsets.UTF_8)) {
            if (b < 0 || b == ' ') {
                encoded.append('%').append("%02X".formatted(b & 0xff));
            } else {
                encoded.append((char) b);
            }
        }
        return encoded.toString();
    }
}
