package dev.serval.servlet.parameter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;

/// Hashes the names of parameters with a secret key, so that a client cannot choose names that
/// collide. Each step multiplies eight bytes by a secret number and folds the 128-bit product.
/// Immutable, and shared by all requests of an application.
public final class HashKey {
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ASCII_END = 0x80;

    private final long start;
    private final long factor;

    private HashKey(long start, long factor) {
        this.start = start;
        this.factor = factor;
    }

    /// Creates a key.
    ///
    /// @param random the source of the secret; a SecureRandom outside of tests
    public static HashKey of(RandomGenerator random) {
        return new HashKey(random.nextLong(), random.nextLong() | 1);
    }

    /// Returns the hash of `bytes[from, to)`.
    int hash(byte[] bytes, int from, int to) {
        long h = start ^ (to - from);
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            h = fold(h ^ (long) WORD.get(bytes, at));
        }
        return finish(h, tail(bytes, at, to));
    }

    /// Returns the hash of the UTF-8 bytes of `text`.
    int hash(String text) {
        int length = text.length();
        long h = start ^ length;
        long word = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ASCII_END) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                return hash(bytes, 0, bytes.length);
            }
            word |= (long) c << (i << 3);
            if ((i & 7) == 7) {
                h = fold(h ^ word);
                word = 0;
            }
        }
        return finish(h, word);
    }

    private static long tail(byte[] bytes, int at, int to) {
        if (at + Long.BYTES <= bytes.length) {
            return (long) WORD.get(bytes, at) & ((1L << ((to - at) << 3)) - 1);
        }
        long word = 0;
        for (int i = at, shift = 0; i < to; i++, shift += 8) {
            word |= (bytes[i] & 0xffL) << shift;
        }
        return word;
    }

    private int finish(long h, long word) {
        long folded = fold(fold(h ^ word));
        return (int) (folded ^ folded >>> 32);
    }

    private long fold(long word) {
        return word * factor ^ Math.unsignedMultiplyHigh(word, factor);
    }
}
