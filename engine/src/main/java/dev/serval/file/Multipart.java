package dev.serval.file;

import dev.serval.handler.Body;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/// Makes the bytes around the parts of `multipart/byteranges` content (RFC 9110 §14.6). Immutable.
///
/// The boundary has 128 random bits, drawn for each answer. So content that existed before contains
/// it with a probability of at most 2^-100.
final class Multipart {
    private final String boundary;
    private final byte[][] frames; // before each part, and after the last
    private final long length;

    /// Creates the frames for `parts` of a content.
    Multipart(ByteRanges.Parts parts, String type, long contentLength) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        this.boundary = Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
        int count = parts.count();
        this.frames = new byte[count + 1][];
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            String range = contentRange(parts.firsts()[i], parts.ends()[i], contentLength);
            String head =
                    "\r\n--"
                            + boundary
                            + "\r\nContent-Type: "
                            + type
                            + "\r\nContent-Range: "
                            + range
                            + "\r\n\r\n";
            frames[i] = head.getBytes(StandardCharsets.ISO_8859_1);
            bytes += frames[i].length + parts.ends()[i] - parts.firsts()[i];
        }
        frames[count] = ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII);
        this.length = bytes + frames[count].length;
    }

    /// Returns the bytes of all parts and frames.
    long length() {
        return length;
    }

    /// Returns the value of Content-Type.
    String type() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /// Returns the frame before part `i`.
    Body.Bytes before(int i) {
        return Body.Bytes.of(frames[i]);
    }

    /// Returns the frame after the last part.
    Body.Bytes end() {
        return Body.Bytes.of(frames[frames.length - 1]);
    }

    /// Returns the value of Content-Range (§14.4) for `[first, end)`.
    static String contentRange(long first, long end, long contentLength) {
        return "bytes " + first + "-" + (end - 1) + "/" + contentLength;
    }
}
