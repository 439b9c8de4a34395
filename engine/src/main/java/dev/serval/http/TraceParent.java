package dev.serval.http;

import java.util.HexFormat;

/// The field `traceparent` of W3C Trace Context: version, trace, parent and flags, such as
/// `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`. Stateless.
public final class TraceParent {
    /// The name of the field.
    public static final String NAME = "traceparent";

    private static final String STATE = "tracestate";

    /// The length of the trace's identifier in characters.
    public static final int TRACE_LENGTH = 32;

    private static final int TRACE_AT = 3;
    private static final int PARENT_AT = 36;
    private static final int FLAGS_AT = 53;
    private static final int LENGTH = 55;
    private static final HexFormat HEX = HexFormat.of();

    private TraceParent() {}

    /// Returns the index of the only field of that name, if its value is valid, or -1.
    public static int find(Fields fields) {
        int found = -1;
        for (int i = 0; i < fields.size(); i++) {
            if (isNamed(fields, i, NAME)) {
                if (found >= 0) {
                    return -1; // two fields contradict each other
                }
                found = i;
            }
        }
        return found >= 0 && isValid(fields.buffer(), fields.valueAt(found), fields.valueEnd(found))
                ? found
                : -1;
    }

    /// Returns the start of the trace's identifier in the buffer of the fields, or -1 if there is no
    /// valid one. It has [#TRACE_LENGTH] characters.
    public static int traceAt(Fields fields) {
        int i = find(fields);
        return i < 0 ? -1 : fields.valueAt(i) + TRACE_AT;
    }

    /// Returns whether `bytes[from, to)` is a valid value. A version after 00 may have more parts
    /// (§3.3).
    public static boolean isValid(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length < LENGTH || !isHex(bytes, from, 2)) {
            return false;
        }
        boolean first = bytes[from] == '0' && bytes[from + 1] == '0';
        boolean forbidden = bytes[from] == 'f' && bytes[from + 1] == 'f';
        boolean ends = length == LENGTH || (!first && bytes[from + LENGTH] == '-');
        return !forbidden
                && ends
                && bytes[from + 2] == '-'
                && isIdentifier(bytes, from + TRACE_AT, TRACE_LENGTH)
                && bytes[from + PARENT_AT - 1] == '-'
                && isIdentifier(bytes, from + PARENT_AT, 16)
                && bytes[from + FLAGS_AT - 1] == '-'
                && isHex(bytes, from + FLAGS_AT, 2);
    }

    /// Returns a value with the flag "sampled".
    ///
    /// @param high and `low`: the trace, which is not 0
    /// @param parent not 0
    public static String of(long high, long low, long parent) {
        return "00-"
                + HEX.toHexDigits(high)
                + HEX.toHexDigits(low)
                + "-"
                + HEX.toHexDigits(parent)
                + "-01";
    }

    /// Returns whether field `i` is one of those of Trace Context.
    static boolean isAboutTrace(Fields fields, int i) {
        return isNamed(fields, i, NAME) || isNamed(fields, i, STATE);
    }

    private static boolean isNamed(Fields fields, int i, String name) {
        byte[] bytes = fields.buffer();
        int at = fields.nameAt(i);
        if (fields.nameEnd(i) - at != name.length()) {
            return false;
        }
        for (int k = 0; k < name.length(); k++) {
            if ((bytes[at + k] | 0x20) != name.charAt(k)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isIdentifier(byte[] bytes, int from, int length) {
        boolean zero = true;
        for (int i = from; i < from + length; i++) {
            zero &= bytes[i] == '0';
        }
        return !zero && isHex(bytes, from, length);
    }

    /// Upper case is not allowed (§3.2.2).
    private static boolean isHex(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            int b = bytes[i];
            if ((b < '0' || b > '9') && (b < 'a' || b > 'f')) {
                return false;
            }
        }
        return true;
    }
}
