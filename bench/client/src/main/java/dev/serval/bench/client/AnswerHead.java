package dev.serval.bench.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Holds the head of one answer. Does no I/O, reads no clock and allocates nothing per answer.
public final class AnswerHead {
    private static final int MAX_BYTES = 8192;
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] COOKIE = "set-cookie:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LOCATION = "location:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] CHUNKED =
            "transfer-encoding: chunked\r\n".getBytes(StandardCharsets.US_ASCII);

    private final byte[] head = new byte[MAX_BYTES];
    private int size;

    AnswerHead() {}

    /// Clears the head for the next answer.
    void reset() {
        size = 0;
    }

    /// Consumes bytes up to the head's end.
    ///
    /// @return whether the head is complete, or too long to be accepted
    boolean take(ByteBuffer in) {
        while (in.hasRemaining()) {
            byte one = in.get();
            head[size++] = one;
            boolean ended =
                    one == '\n' && size >= 4 && head[size - 3] == '\n' && head[size - 2] == '\r';
            if (ended || size == MAX_BYTES) {
                return true;
            }
        }
        return false;
    }

    /// Returns the status, or 0 if there is no number in its position.
    public int status() {
        int status = 0;
        for (int at = 9; at < 12; at++) {
            boolean digit = at < size && head[at] >= '0' && head[at] <= '9';
            status = digit && (at == 9 || status > 0) ? status * 10 + head[at] - '0' : 0;
        }
        return status;
    }

    /// Returns the value of Content-Length, or -1 without it.
    public long length() {
        int at = field(LENGTH);
        return at < 0 ? -1 : digits(at + LENGTH.length);
    }

    /// Returns whether the content is chunked (RFC 9112 §7.1).
    public boolean chunked() {
        return field(CHUNKED) >= 0;
    }

    /// Returns whether the server announces that it closes after this answer (RFC 9112 §9.6).
    public boolean closes() {
        return field(CLOSE) >= 0;
    }

    /// Returns the first cookie that the answer sets, such as `ID=1`, or an empty text (RFC 6265
    /// §4.1).
    public String cookie() {
        String field = value(COOKIE);
        int end = field.indexOf(';');
        return end < 0 ? field : field.substring(0, end).trim();
    }

    /// Returns where the answer sends its client (RFC 9110 §10.2.2), or an empty text.
    public String location() {
        return value(LOCATION);
    }

    /// Returns the value of the first line that begins with these bytes, or an empty text.
    private String value(byte[] start) {
        int at = field(start);
        if (at < 0) {
            return "";
        }
        int from = at + start.length;
        int end = from;
        while (end < size && head[end] != '\r') {
            end++;
        }
        return new String(head, from, end - from, StandardCharsets.ISO_8859_1).trim();
    }

    @Override
    public String toString() {
        return new String(head, 0, size, StandardCharsets.ISO_8859_1);
    }

    /// Returns the index of a line that begins with these bytes, in any letter case, or -1.
    private int field(byte[] start) {
        for (int at = 0; at < size - start.length; at++) {
            if (head[at] == '\n' && startsAt(at + 1, start)) {
                return at + 1;
            }
        }
        return -1;
    }

    private boolean startsAt(int at, byte[] start) {
        if (at + start.length > size) {
            return false;
        }
        for (int i = 0; i < start.length; i++) {
            int one = head[at + i];
            int lower = one >= 'A' && one <= 'Z' ? one + 32 : one;
            if (lower != start[i]) {
                return false;
            }
        }
        return true;
    }

    private long digits(int from) {
        int at = from;
        while (at < size && head[at] == ' ') {
            at++;
        }
        long value = 0;
        int first = at;
        while (at < size && head[at] >= '0' && head[at] <= '9' && at - first < 18) {
            value = value * 10 + head[at] - '0';
            at++;
        }
        return at == first ? -1 : value;
    }
}
