package dev.serval.app;

import dev.serval.codec.ByteRules;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The decoded parameters of a query or a form: names with one or more values, in the order of
/// arrival. Callers cannot change it.
///
/// The format is `application/x-www-form-urlencoded` (URL standard §5.1): pairs between `&`, `+`
/// for a space, `%` with two hexadecimal digits for any byte, UTF-8. Unlike that standard, this
/// class refuses an incomplete `%` and bytes that are not UTF-8 with 400, since guessing would
/// change the text.
public final class Parameters {
    private static final String SECTION = "URL standard §5.1";
    private static final ProtocolError BAD_ENCODING =
            error("a parameter has a % without two hexadecimal digits after it");
    private static final ProtocolError NOT_UTF_8 = error("a parameter is not UTF-8");

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    Parameters() {}

    /// Returns the first value of `name`, or null if there is none.
    public @Nullable String first(String name) {
        @Nullable List<String> all = values.get(name);
        return all == null ? null : all.getFirst();
    }

    /// Returns the first value of `name`, or `otherwise` if there is none.
    public String first(String name, String otherwise) {
        @Nullable String value = first(name);
        return value == null ? otherwise : value;
    }

    /// Returns the first value of `name` as an integer, or `otherwise` if there is none.
    ///
    /// @throws HttpException with status 400 if the value is not an integer in the range of a
    ///     `long`
    public long number(String name, long otherwise) {
        @Nullable String value = first(name);
        if (value == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new HttpException(400, "The parameter " + name + " must be a whole number.");
        }
    }

    /// Returns every value of `name`, in order; an empty list if there is none.
    public List<String> all(String name) {
        @Nullable List<String> all = values.get(name);
        return all == null ? List.of() : Collections.unmodifiableList(all);
    }

    /// Returns the names, in order.
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    @Override
    public String toString() {
        return values.toString();
    }

    /// Parses `bytes[from, to)` and adds its parameters.
    ///
    /// @param most the limit of parameters in all
    /// @param tooMany the error beyond `most`
    /// @return the error, or null
    @Nullable ProtocolError parse(byte[] bytes, int from, int to, int most, ProtocolError tooMany) {
        byte[] decoded = new byte[to - from];
        int count = 0;
        for (int at = from; at < to; ) {
            int end = find(bytes, '&', at, to);
            if (end > at) {
                if (count++ == most) {
                    return tooMany;
                }
                @Nullable ProtocolError wrong = pair(bytes, at, end, decoded);
                if (wrong != null) {
                    return wrong;
                }
            }
            at = end + 1;
        }
        return null;
    }

    private @Nullable ProtocolError pair(byte[] bytes, int from, int to, byte[] decoded) {
        int equals = find(bytes, '=', from, to);
        int nameEnd = decode(bytes, from, equals, decoded, 0);
        int valueEnd =
                nameEnd < 0
                        ? nameEnd
                        : decode(bytes, Math.min(equals + 1, to), to, decoded, nameEnd);
        if (valueEnd < 0) {
            return BAD_ENCODING;
        }
        if (!ByteRules.utf8(decoded, 0, nameEnd) || !ByteRules.utf8(decoded, nameEnd, valueEnd)) {
            return NOT_UTF_8;
        }
        String name = new String(decoded, 0, nameEnd, StandardCharsets.UTF_8);
        String value = new String(decoded, nameEnd, valueEnd - nameEnd, StandardCharsets.UTF_8);
        values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
        return null;
    }

    /// Decodes `bytes[from, to)` to `into[at…]`.
    ///
    /// @return the end of the decoded bytes in `into`, or -1 for an incomplete `%`
    private static int decode(byte[] bytes, int from, int to, byte[] into, int at) {
        int end = at;
        for (int i = from; i < to; i++) {
            int b = bytes[i];
            if (b == '%') {
                int high = i + 2 < to ? ByteRules.digit(bytes[i + 1]) : -1;
                int low = i + 2 < to ? ByteRules.digit(bytes[i + 2]) : -1;
                if ((high | low) < 0) {
                    return -1;
                }
                b = high << 4 | low;
                i += 2;
            } else if (b == '+') {
                b = ' ';
            }
            into[end++] = (byte) b;
        }
        return end;
    }

    private static int find(byte[] bytes, char wanted, int from, int to) {
        int i = from;
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    private static ProtocolError error(String what) {
        return new ProtocolError(Status.BAD_REQUEST, what, SECTION);
    }
}
