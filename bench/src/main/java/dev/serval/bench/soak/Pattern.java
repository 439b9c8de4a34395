package dev.serval.bench.soak;

import java.util.zip.CRC32C;

/// Makes bytes from a number, so that the right answer follows from the request. Stateless.
final class Pattern {
    private Pattern() {}

    /// Returns `length` bytes that differ for each `seed`.
    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        long state = seed * 0x9E3779B97F4A7C15L + 1;
        for (int i = 0; i < length; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
            bytes[i] = (byte) state;
        }
        return bytes;
    }

    /// Returns the CRC-32C of all bytes.
    static long sum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        return crc.getValue();
    }
}
