package dev.serval.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/// Reads and writes the few forms of DER (X.690) that the formats of private keys consist of.
final class Der {
    static final int INTEGER = 0x02;
    static final int OCTETS = 0x04;
    static final int NULL = 0x05;
    static final int OBJECT_ID = 0x06;
    static final int SEQUENCE = 0x30;

    /// The first tagged element of a structure.
    static final int CONTEXT_0 = 0xa0;

    private final byte[] bytes;
    private int at;
    private final int end;

    private Der(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /// Returns a reader.
    static Der of(byte[] bytes) {
        return new Der(bytes, 0, bytes.length);
    }

    /// Returns whether the next element has this tag.
    boolean isNext(int tag) {
        return at < end && (bytes[at] & 0xff) == tag;
    }

    /// Returns whether no element is left.
    boolean isEmpty() {
        return at >= end;
    }

    /// Returns a reader of the content of the next element, and goes on after it.
    ///
    /// @throws IOException if that has another tag, or is longer than what is there
    Der enter(int tag) throws IOException {
        if (!isNext(tag)) {
            throw new IOException("An element with tag " + tag + " is missing");
        }
        return next();
    }

    /// Goes on after the next element, whatever it is.
    Der next() throws IOException {
        at++;
        int length = length();
        if (length < 0 || length > end - at) {
            throw new IOException("An element is longer than its file");
        }
        Der content = new Der(bytes, at, at + length);
        at += length;
        return content;
    }

    /// Returns the bytes that are left.
    byte[] rest() {
        return Arrays.copyOfRange(bytes, at, end);
    }

    private int length() throws IOException {
        int first = byteAt();
        if (first < 0x80) {
            return first;
        }
        int length = 0;
        for (int i = first & 0x7f; i > 0; i--) {
            length = (length << 8) | byteAt();
        }
        return length;
    }

    private int byteAt() throws IOException {
        if (at >= end) {
            throw new IOException("An element has no end");
        }
        return bytes[at++] & 0xff;
    }

    /// Returns an element with that content.
    static byte[] element(int tag, byte[]... contents) {
        int length = 0;
        for (byte[] content : contents) {
            length += content.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(length >> (8 * i));
            }
        }
        for (byte[] content : contents) {
            out.writeBytes(content);
        }
        return out.toByteArray();
    }
}
