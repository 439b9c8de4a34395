package dev.serval.servlet.password;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// SipHash-2-4 with an output of 128 bits: a hash whose results nobody can foresee or bring to
/// collide without its key of 128 bits (Aumasson and Bernstein, "SipHash: a fast short-input PRF",
/// 2012; the longer output is that of the authors' implementation). SHA-256
/// of the credentials took a quarter of what BASIC costs. Immutable, for any thread.
public final class KeyedHash {
    static final int KEY_BYTES = 16;

    private static final int WORD_BYTES = 8;
    private static final int LENGTH_SHIFT = 56;
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// A result: 128 bits.
    public record Value(long first, long second) {
        @Override
        public int hashCode() {
            return (int) first; // as random as any other part
        }
    }

    /// The state while one input is hashed.
    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long first, long second) {
            v0 = first ^ 0x736f6d6570736575L;
            v1 = second ^ 0x646f72616e646f6dL ^ 0xee;
            v2 = first ^ 0x6c7967656e657261L;
            v3 = second ^ 0x7465646279746573L;
        }

        void add(long word) {
            v3 ^= word;
            rounds(2);
            v0 ^= word;
        }

        long first() {
            v2 ^= 0xee;
            rounds(4);
            return v0 ^ v1 ^ v2 ^ v3;
        }

        long second() {
            v1 ^= 0xdd;
            rounds(4);
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void rounds(int count) {
            for (int i = 0; i < count; i++) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v1;
                v0 += v3;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
        }
    }

    private final long first;
    private final long second;

    /// Creates a hash.
    ///
    /// @param key [#KEY_BYTES] bytes
    KeyedHash(byte[] key) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("A key has 16 bytes, not " + key.length);
        }
        this.first = (long) LONGS.get(key, 0);
        this.second = (long) LONGS.get(key, WORD_BYTES);
    }

    /// Returns the hash of some bytes.
    Value of(byte[] bytes) {
        State state = new State(first, second);
        int at = 0;
        for (; at + WORD_BYTES <= bytes.length; at += WORD_BYTES) {
            state.add((long) LONGS.get(bytes, at));
        }
        long last = (long) bytes.length << LENGTH_SHIFT;
        for (int shift = 0; at < bytes.length; at++, shift += Byte.SIZE) {
            last |= Byte.toUnsignedLong(bytes[at]) << shift;
        }
        state.add(last);
        long one = state.first();
        return new Value(one, state.second());
    }
}
