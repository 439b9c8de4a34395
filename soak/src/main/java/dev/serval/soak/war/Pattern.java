package dev.serval.soak.war;

import java.util.zip.CRC32C;

/// Makes bytes from a number, so that the right answer follows from the request. Stateless.
public final class Pattern {
    private static final int PAGE_MAX = 9000;
    private static final int STREAM_MAX = 60_000;
    private static final int LARGE_MAX = 3_000_000;

    private Pattern() {}

    /// Returns `length` bytes that differ for each `seed`.
    public static byte[] bytes(long seed, int length) {
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

    /// Returns the content of the page of this number, which is short.
    public static byte[] page(long seed) {
        return bytes(seed, (int) (seed % PAGE_MAX));
    }

    /// Returns the content of the stream of this number, up to 3 MB. Most are below 60 KB.
    public static byte[] stream(long seed) {
        return bytes(~seed, (int) (seed % (seed % 16 == 0 ? LARGE_MAX : STREAM_MAX)));
    }

    /// Returns the CRC-32C of all bytes.
    public static long sum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        return crc.getValue();
    }

    /// Returns the answer to content with this CRC-32C.
    public static byte[] receipt(long sum) {
        return bytes(sum, 100);
    }
}
