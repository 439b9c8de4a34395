package dev.serval.log;

import dev.serval.codec.ByteRules;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// How values are escaped, so that nothing that a client sends can end a line or a quoted value, or
/// reach a terminal as a control character. Stateless.
enum Escaping {
    /// Control characters, quotes, backslashes and all that is not ASCII as `\xHH`.
    HEX,
    /// As [#HEX], and spaces, too, for a value without quotes around it.
    HEX_AND_SPACES,
    /// As strings of JSON (RFC 8259 §7). Values that are not UTF-8 are taken for ISO-8859-1. Control
    /// characters are escaped, also those beyond ASCII, which some terminals obey.
    JSON;

    /// The most bytes that one byte of a value becomes.
    static final int GROWTH_MAX = 6;

    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH = 0x8080808080808080L;
    private static final byte CONTROL_LEAD = (byte) 0xc2;
    private static final byte CONTROL_END = (byte) 0xa0; // after the last second byte
    private static final byte[] DIGITS = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'
    };

    /// Returns whether all of `bytes[from, to)` stands for itself in either escaping, except that
    /// [#HEX_AND_SPACES] looks at spaces, too.
    boolean isPlain(byte[] bytes, int from, int to) {
        if (this == HEX_AND_SPACES) {
            return allPlain(bytes, from, to);
        }
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            if (hasSpecial((long) WORD.get(bytes, at))) {
                return false;
            }
        }
        return allPlain(bytes, at, to);
    }

    private boolean allPlain(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (!isPlain(bytes[at])) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether a word has a byte below 0x20, above 0x7e, a quote or a backslash. A byte counts
    /// as such even if only the one before it is: then the slow path decides.
    private static boolean hasSpecial(long word) {
        long low = word - 0x20 * ONES; // borrows from the next byte only if there is a low one
        long delete = word + ONES; // 0x7f becomes 0x80
        long quote = (word ^ ('"' * ONES)) - ONES;
        long backslash = (word ^ ('\\' * ONES)) - ONES;
        return ((word | low | delete | quote | backslash) & HIGH) != 0;
    }

    private boolean isPlain(int b) {
        return b > ' ' - 1
                && b < 0x7f
                && b != '"'
                && b != '\\'
                && (b != ' ' || this != HEX_AND_SPACES);
    }

    /// Returns whether bytes above 0x7f stand for themselves in this value.
    boolean keepsHigh(byte[] bytes, int from, int to) {
        return this == JSON && ByteRules.utf8(bytes, from, to);
    }

    /// Returns whether a control character of two bytes begins in a value of UTF-8: U+0080 to U+009F.
    /// Its second byte is its number.
    static boolean beginsControl(byte[] bytes, int at) {
        return bytes[at] == CONTROL_LEAD && bytes[at + 1] < CONTROL_END;
    }

    /// Writes one byte of a value to `into[at]` and on.
    ///
    /// @param high whether bytes above 0x7f stand for themselves
    /// @return the index after what was written
    int write(int value, boolean high, byte[] into, int at) {
        int b = value & 0xff;
        int end = at;
        if (b < 0x80 ? isPlain(b) : high) {
            into[end++] = (byte) b;
            return end;
        }
        into[end++] = '\\';
        if (this != JSON) {
            into[end++] = 'x';
        } else if (b == '"' || b == '\\') {
            into[end++] = (byte) b;
            return end;
        } else {
            into[end++] = 'u';
            into[end++] = '0';
            into[end++] = '0';
        }
        into[end++] = DIGITS[b >> 4];
        into[end++] = DIGITS[b & 15];
        return end;
    }
}
