package dev.serval.http1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks through bytes eight at a time, in one long (SWAR). Pays in `HeadParseBenchmark`.
/// Stateless.
///
/// How it finds a byte: `x - 0x01…` borrows from the high bit of each byte that is 0, and `& ~x`
/// drops those whose high bit was set already. A borrow may mark bytes above a match too, never
/// one below, so the lowest mark is exact; little-endian order makes it the first byte.
final class Scan {
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long SPACES = ONES * ' ';

    private Scan() {}

    /// Bytes `[at, at + 8)`, the first one lowest.
    static long word(byte[] bytes, int at) {
        return (long) WORD.get(bytes, at);
    }

    /// Up to eight letters as [#word] reads them.
    static long word(String text) {
        long word = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            word = word << 8 | text.charAt(i);
        }
        return word;
    }

    /// The first control byte other than HTAB at or behind `from`, or `to`.
    ///
    /// Bytes below SP and DEL are found in one go: subtracting SP, or adding 1, changes the high
    /// bit of those alone, but for the byte next to another match or to 0xff; so what was found is
    /// looked at once more.
    static int control(byte[] bytes, int from, int to) {
        int i = from;
        for (int last = to - 2 * Long.BYTES; i <= last; i += 2 * Long.BYTES) { // two words a step
            long found = suspects(word(bytes, i));
            long next = suspects(word(bytes, i + Long.BYTES));
            if ((found | next) != 0) {
                int at = found != 0 ? first(found, i) : first(next, i + Long.BYTES);
                return bytes[at] == '\r' ? at : rareControl(bytes, at, to);
            }
        }
        return rareControl(bytes, i, to);
    }

    /// Likewise where the first suspect was no CR, and in the last few bytes.
    private static int rareControl(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && !control(bytes[i])) {
            i++;
            if (i + Long.BYTES <= to) {
                long found = suspects(word(bytes, i));
                i = found == 0 ? i + Long.BYTES : first(found, i);
            }
        }
        return i;
    }

    private static int first(long found, int at) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
    }

    /// The high bit of each byte that may be a control byte.
    private static long suspects(long word) {
        return ((word - SPACES) | (word + ONES)) & ~word & HIGHS;
    }

    /// The first `byte` in `bytes[from, to)`, or `to`.
    static int indexOf(int b, byte[] bytes, int from, int to) {
        long pattern = ONES * b;
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            long word = word(bytes, i) ^ pattern;
            long found = (word - ONES) & ~word & HIGHS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < to && bytes[i] != b) {
            i++;
        }
        return i;
    }

    private static boolean control(byte b) {
        return (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
    }
}
