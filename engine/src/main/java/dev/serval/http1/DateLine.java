package dev.serval.http1;

import dev.serval.http.HttpDate;
import java.nio.charset.StandardCharsets;

/// The line `Date: …` (RFC 9110 §6.6.1), written again once a second. Each event loop owns one.
public final class DateLine {
    /// Length of the line in bytes, with its end.
    public static final int LENGTH = 6 + HttpDate.LENGTH + 2;

    private final byte[] bytes =
            ("Date: " + "-".repeat(HttpDate.LENGTH) + "\r\n").getBytes(StandardCharsets.US_ASCII);
    private long second = Long.MIN_VALUE;

    /// Returns the line for that second. The next call overwrites the array.
    public byte[] at(long epochSeconds) {
        if (epochSeconds != second) {
            second = epochSeconds;
            HttpDate.write(epochSeconds, bytes, 6);
        }
        return bytes;
    }
}
