package dev.serval.servlet.parameter;

import dev.serval.codec.ByteRules;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Splits `application/x-www-form-urlencoded` bytes into pairs and decodes them in place (URL
/// standard §5.1): `&` between pairs, the first `=` after the name, `+` for a space, `%` with two
/// hexadecimal digits for any byte. Decoded text is never longer than its source.
///
/// Order of calls: [#start], then [#next] until it returns [Step#END] or [Step#ERROR]. Owned by one
/// [Parameters].
final class PairScanner {
    /// The result of a call.
    enum Step {
        PAIR,
        END,
        ERROR
    }

    private static final ProtocolError PERCENT =
            error("a parameter has a % without two hexadecimal digits after it");
    private static final ProtocolError NO_NAME = error("a parameter has a value but no name");

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long AND_BYTES = '&' * 0x0101010101010101L;
    private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;

    private static final int PLAIN = 0;
    private static final int AND = 1;
    private static final int EQUALS = 2;
    private static final int PLUS = 3;
    private static final int PERCENT_SIGN = 4;
    private static final int HIGH = 5;
    private static final byte[] KINDS = kinds();

    private byte[] bytes = {};
    private int at;
    private int end;
    private int nameAt;
    private int nameEnd;
    private int valueAt;
    private int valueEnd;
    private boolean nameHigh;
    private boolean valueHigh;
    private int stop;
    private boolean high;
    private @Nullable ProtocolError error;

    /// Returns how many pairs the bytes can hold at most.
    static int pairsMax(byte[] bytes, int from, int to) {
        int separators = 0;
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long differs = (long) WORD.get(bytes, at) ^ AND_BYTES;
            long nonZero = (differs & LOW_BITS) + LOW_BITS | differs;
            separators += Long.BYTES - Long.bitCount(nonZero & ~LOW_BITS);
        }
        for (; at < to; at++) {
            separators += bytes[at] == '&' ? 1 : 0;
        }
        return from == to ? 0 : separators + 1;
    }

    /// Prepares for the pairs of `bytes[from, to)`.
    void start(byte[] source, int from, int to) {
        bytes = source;
        at = from;
        end = to;
        error = null;
    }

    /// Continues in a longer copy of the array.
    void moveTo(byte[] copy) {
        bytes = copy;
    }

    /// Decodes the next pair. Empty pairs, as in `a=1&&b=2`, are skipped.
    Step next() {
        while (at < end && bytes[at] == '&') {
            at++;
        }
        if (at >= end) {
            return Step.END;
        }
        nameAt = at;
        nameEnd = decode(at, EQUALS);
        nameHigh = high;
        boolean hasValue = stop < end && bytes[stop] == '=';
        if (error == null && stop == nameAt) {
            error = NO_NAME; // as Tomcat 11 does: such a value would be lost silently
        }
        if (error != null) {
            return Step.ERROR;
        }
        valueAt = hasValue ? stop + 1 : stop;
        valueEnd = valueAt;
        valueHigh = false;
        if (hasValue) {
            valueEnd = decode(valueAt, AND);
            valueHigh = high;
        }
        at = stop + 1;
        return error == null ? Step.PAIR : Step.ERROR;
    }

    /// Returns the start of the decoded name.
    int nameAt() {
        return nameAt;
    }

    /// Returns the end of the decoded name, exclusive.
    int nameEnd() {
        return nameEnd;
    }

    /// Returns the start of the decoded value.
    int valueAt() {
        return valueAt;
    }

    /// Returns the end of the decoded value, exclusive.
    int valueEnd() {
        return valueEnd;
    }

    /// Returns whether the name has bytes above 0x7f.
    boolean nameHigh() {
        return nameHigh;
    }

    /// Returns whether the value has bytes above 0x7f.
    boolean valueHigh() {
        return valueHigh;
    }

    /// Returns the fault; null if there is none.
    @Nullable ProtocolError error() {
        return error;
    }

    /// Decodes from `from` to the next `&`, or to the next delimiter of that kind. Sets `stop` to
    /// the delimiter or the end.
    ///
    /// @return the end of the decoded bytes
    private int decode(int from, int delimiter) {
        byte[] b = bytes;
        high = false;
        int i = from;
        while (i < end && KINDS[b[i] & 0xff] == PLAIN) {
            i++;
        }
        int out = i;
        for (; i < end; i++) {
            int kind = KINDS[b[i] & 0xff];
            if (kind == AND || kind == delimiter) {
                break;
            }
            byte decoded = b[i];
            if (kind == PLUS) {
                decoded = ' ';
            } else if (kind == PERCENT_SIGN) {
                int value = i + 2 < end ? hex(b[i + 1], b[i + 2]) : -1;
                if (value < 0) {
                    error = PERCENT;
                    break;
                }
                decoded = (byte) value;
                i += 2;
            }
            high |= decoded < 0;
            b[out++] = decoded;
        }
        stop = i;
        return out;
    }

    private static int hex(byte high, byte low) {
        int first = ByteRules.digit(high);
        int second = ByteRules.digit(low);
        return (first | second) < 0 ? -1 : first << 4 | second;
    }

    private static byte[] kinds() {
        byte[] kinds = new byte[256];
        kinds['&'] = AND;
        kinds['='] = EQUALS;
        kinds['+'] = PLUS;
        kinds['%'] = PERCENT_SIGN;
        for (int b = 0x80; b < kinds.length; b++) {
            kinds[b] = HIGH;
        }
        return kinds;
    }

    private static ProtocolError error(String what) {
        return new ProtocolError(Status.BAD_REQUEST, what, "URL standard §5.1");
    }
}
