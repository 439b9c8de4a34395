package dev.serval.gateway.lrwp;

import java.nio.ByteBuffer;

/// A length of LRWP: nine decimal digits with leading zeros. Reads them in any pieces, and writes
/// them. Owned by one loop.
public final class LengthField {
    /// The bytes of a length.
    public static final int BYTES = 9;

    /// The largest length.
    public static final long MAX = 999_999_999;

    /// The result of [#take] for a byte that is no digit.
    public static final int MALFORMED = -1;

    private int digits;
    private long value;

    /// Creates a field that has read nothing.
    public LengthField() {}

    /// Starts again.
    public void reset() {
        digits = 0;
        value = 0;
    }

    /// Reads digits from `source[from, to)`, as many as are missing.
    ///
    /// @return the number of bytes used, or [#MALFORMED]
    public int take(byte[] source, int from, int to) {
        int at = from;
        while (digits < BYTES && at < to) {
            int digit = source[at] - '0';
            if (digit < 0 || digit > 9) {
                return MALFORMED;
            }
            value = value * 10 + digit;
            digits++;
            at++;
        }
        return at - from;
    }

    /// Returns whether all digits were read.
    public boolean isComplete() {
        return digits == BYTES;
    }

    /// Returns the length, after [#isComplete].
    public long value() {
        return value;
    }

    /// Writes a length of at most [#MAX].
    public static void write(ByteBuffer into, long length) {
        int at = into.position() + BYTES;
        into.position(at);
        long rest = length;
        for (int i = 0; i < BYTES; i++) {
            into.put(--at, (byte) ('0' + rest % 10));
            rest /= 10;
        }
    }
}
