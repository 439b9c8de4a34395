package dev.serval.servlet.cookie;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import jakarta.servlet.http.Cookie;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The cookies of a request (RFC 6265 §4.2.1), in order, repeated names included. Values are as
/// they were sent, quotes included (Servlet 6.1, Javadoc of Cookie). `$Version`, `Path` and the
/// like are ordinary cookies. Owned by the request.
///
/// A pair that breaks the grammar is skipped. A page or another application of the same host may
/// have set it, so the request itself is not at fault. Leniencies:
///
/// - White space around pairs and around `=` is dropped, as RFC 6265 §5.2 tells browsers to do.
/// - Values may have UTF-8 above U+007F, because browsers send what scripts stored.
public final class RequestCookies {
    /// The cookies of a request that count; later ones are skipped.
    public static final int COOKIES_MAX = 200;

    private static final Cookie[] NONE = {};

    private final @Nullable String wanted; // null for all
    private Cookie[] cookies = NONE;
    private int count; // in the array
    private int seen; // valid ones, also of names that are not wanted

    private RequestCookies(@Nullable String wanted) {
        this.wanted = wanted;
    }

    /// Reads all Cookie fields of a request.
    public static RequestCookies parse(Fields fields) {
        return new RequestCookies(null).addAll(fields);
    }

    /// Returns the values of the cookies of this name among those that [#parse] would return, in
    /// order. Creates no object for the others.
    public static List<String> values(Fields fields, String name) {
        RequestCookies read = new RequestCookies(name).addAll(fields);
        return read.count == 0 ? List.of() : read.values();
    }

    private List<String> values() {
        List<String> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(cookies[i].getValue());
        }
        return values;
    }

    private RequestCookies addAll(Fields fields) {
        for (int i = fields.indexOf(FieldName.COOKIE, 0);
                i >= 0;
                i = fields.indexOf(FieldName.COOKIE, i + 1)) {
            add(fields.buffer(), fields.valueAt(i), fields.valueEnd(i));
        }
        return this;
    }

    /// Returns the cookies as a new array; empty if there are none.
    public Cookie[] cookies() {
        return count == 0 ? NONE : Arrays.copyOf(cookies, count);
    }

    private void add(byte[] bytes, int from, int to) {
        for (int at = from; at < to; ) {
            int end = find(bytes, ';', at, to);
            int pairAt = skipBlank(bytes, at, end);
            if (pairAt < end) {
                addPair(bytes, pairAt, trim(bytes, pairAt, end));
            }
            at = end + 1;
        }
    }

    private void addPair(byte[] bytes, int from, int to) {
        int equals = find(bytes, '=', from, to);
        int nameEnd = trim(bytes, from, equals);
        int valueAt = skipBlank(bytes, Math.min(equals + 1, to), to);
        boolean valid = equals < to && token(bytes, from, nameEnd) && value(bytes, valueAt, to);
        if (!valid || seen == COOKIES_MAX) {
            return;
        }
        seen++;
        if (wanted != null && !isName(wanted, bytes, from, nameEnd)) {
            return;
        }
        if (count >= cookies.length) {
            cookies = Arrays.copyOf(cookies, Math.max(wanted == null ? 8 : 1, 2 * count));
        }
        String name = new String(bytes, from, nameEnd - from, StandardCharsets.ISO_8859_1);
        String value = new String(bytes, valueAt, to - valueAt, StandardCharsets.UTF_8);
        cookies[count++] = new Cookie(name, value);
    }

    private static boolean isName(String name, byte[] bytes, int from, int to) {
        boolean same = name.length() == to - from;
        for (int i = 0; same && i < name.length(); i++) {
            same = name.charAt(i) == bytes[from + i]; // a token is US-ASCII
        }
        return same;
    }

    private static boolean token(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!ByteRules.token(bytes[i])) {
                return false;
            }
        }
        return to > from;
    }

    /// Returns whether the bytes are a cookie-value (§4.1.1) or UTF-8 beyond it.
    private static boolean value(byte[] bytes, int from, int to) {
        boolean quoted = to - from >= 2 && bytes[from] == '"' && bytes[to - 1] == '"';
        int end = quoted ? to - 1 : to;
        boolean high = false;
        for (int i = quoted ? from + 1 : from; i < end; i++) {
            byte b = bytes[i];
            high |= b < 0;
            if (b >= 0 && !CookieText.value(b)) {
                return false;
            }
        }
        return !high || ByteRules.utf8(bytes, from, to);
    }

    private static int skipBlank(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && blank(bytes[at])) {
            at++;
        }
        return at;
    }

    private static int trim(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && blank(bytes[end - 1])) {
            end--;
        }
        return end;
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
