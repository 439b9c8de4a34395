package dev.serval.file;

import dev.serval.handler.Body;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/// What stands around the parts of a `multipart/byteranges` content (RFC 9110 §14.6). Immutable.
///
/// The boundary has 128 random bits, drawn anew for each answer: no content that exists before the
/// answer can hold it but by an accident of 2^-100.
final class Multipart {
    private final String boundary;
    private final byte[][] frames; // before each part, and behind the last
    private final long length;

    /// Frames for `parts` of a content.
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

    /// Bytes of all parts and frames.
    long length() {
        return length;
    }

    /// Value of Content-Type.
    String type() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /// What stands before part `i`.
    Body.Bytes before(int i) {
        return Body.Bytes.of(frames[i]);
    }

    /// What stands behind the last part.
    Body.Bytes end() {
        return Body.Bytes.of(frames[frames.length - 1]);
    }

    /// Value of Content-Range (§14.4) for `[first, end)`.
    static String contentRange(long first, long end, long contentLength) {
        return "bytes " + first + "-" + (end - 1) + "/" + contentLength;
    }
}
