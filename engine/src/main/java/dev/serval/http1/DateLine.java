package dev.serval.http1;

import dev.serval.http.HttpDate;
import java.nio.charset.StandardCharsets;

/// The line `Date: …` (RFC 9110 §6.6.1), written anew once a second. One for each event loop, which
/// owns it.
public final class DateLine {
    /// Bytes of the line, its end included.
    public static final int LENGTH = 6 + HttpDate.LENGTH + 2;

    private final byte[] bytes =
            ("Date: " + "-".repeat(HttpDate.LENGTH) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    private long second = Long.MIN_VALUE;

    /// The line for that second. The array is used again: true until the next call.
    public byte[] at(long epochSeconds) {
        if (epochSeconds != second) {
            second = epochSeconds;
            HttpDate.write(epochSeconds, bytes, 6);
        }
        return bytes;
    }
}
