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
    private final ByteRanges.Parts parts;
    private final String type;
    private final long contentLength;
    private final long length;

    /// Creates the frames for `parts` of a content. Each is made when it is needed: a client that reads
    /// nothing holds little memory.
    Multipart(ByteRanges.Parts parts, String type, long contentLength) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        this.boundary = Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
        this.parts = parts;
        this.type = type;
        this.contentLength = contentLength;
        long bytes = last().length();
        for (int i = 0; i < parts.count(); i++) {
            bytes += frame(i).length() + parts.ends()[i] - parts.firsts()[i];
        }
        this.length = bytes;
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
        return Body.Bytes.of(frame(i).getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Returns the frame after the last part.
    Body.Bytes end() {
        return Body.Bytes.of(last().getBytes(StandardCharsets.US_ASCII));
    }

    /// Returns the value of Content-Range (§14.4) for `[first, end)`.
    static String contentRange(long first, long end, long contentLength) {
        return "bytes " + first + "-" + (end - 1) + "/" + contentLength;
    }

    private String frame(int i) {
        return "\r\n--"
                + boundary
                + "\r\nContent-Type: "
                + type
                + "\r\nContent-Range: "
                + contentRange(parts.firsts()[i], parts.ends()[i], contentLength)
                + "\r\n\r\n";
    }

    private String last() {
        return "\r\n--" + boundary + "--\r\n";
    }
}
