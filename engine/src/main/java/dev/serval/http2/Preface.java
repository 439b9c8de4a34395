package dev.serval.http2;

import java.nio.charset.StandardCharsets;

/// The bytes that every client of HTTP/2 sends first (RFC 9113 §3.4). Stateless.
public final class Preface {
    private static final byte[] BYTES =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /// Its length in bytes.
    public static final int LENGTH = BYTES.length;

    private Preface() {}

    /// Returns how many of the first bytes of `bytes[from, to)` are those of the preface.
    public static int same(byte[] bytes, int from, int to) {
        int same = 0;
        while (same < LENGTH && from + same < to && bytes[from + same] == BYTES[same]) {
            same++;
        }
        return same;
    }

    /// Returns the bytes.
    public static byte[] bytes() {
        return BYTES.clone();
    }
}
