package dev.serval.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// The answer to a client that sends plain HTTP to a port for TLS.
final class PlainAnswer {
    private static final String TEXT =
            "This port speaks TLS: write https:// instead of http:// in the address.\n";
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US);
    private static final byte[] HEAD =
            bytes(
                    "HTTP/1.1 400 Bad Request\r\n"
                            + "Content-Type: text/plain; charset=utf-8\r\n"
                            + "Content-Length: "
                            + TEXT.length()
                            + "\r\nConnection: close\r\nDate: ");
    private static final byte[] CONTENT = bytes("\r\n\r\n" + TEXT);

    private PlainAnswer() {}

    /// Puts the answer into a buffer.
    ///
    /// @param epochSeconds for its field Date, which each 400 must have (RFC 9110 §6.6.1)
    static ByteBuffer bytes(ByteBuffer into, long epochSeconds) {
        String date = DATE.format(LocalDateTime.ofEpochSecond(epochSeconds, 0, ZoneOffset.UTC));
        return into.clear().put(HEAD).put(bytes(date)).put(CONTENT).flip();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
