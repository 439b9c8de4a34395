package dev.serval.http1;

import dev.serval.http.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Writes the parts that requests and responses share. Fields are written unchecked, because
/// [Fields] accepts no character that could end a line. Stateless.
final class MessageText {
    static final byte[] CRLF = bytes("\r\n");
    static final byte[] CHUNKED = bytes("Transfer-Encoding: chunked\r\n");
    static final byte[] LENGTH = bytes("Content-Length: ");
    static final int LONGEST_NUMBER = 19;

    private static final int AROUND_FIELD = 4; // colon, space, CRLF

    private MessageText() {}

    /// Returns the number of bytes that [#fields] writes.
    static int length(Fields fields) {
        int length = 0;
        for (int i = 0; i < fields.size(); i++) {
            length += length(fields, i);
        }
        return length;
    }

    static int length(Fields fields, int i) {
        return fields.nameEnd(i)
                - fields.nameAt(i)
                + fields.valueEnd(i)
                - fields.valueAt(i)
                + AROUND_FIELD;
    }

    static void fields(ByteBuffer out, Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            field(out, fields, i);
        }
    }

    static void field(ByteBuffer out, Fields fields, int i) {
        byte[] bytes = fields.buffer();
        int nameAt = fields.nameAt(i);
        int valueAt = fields.valueAt(i);
        out.put(bytes, nameAt, fields.nameEnd(i) - nameAt);
        out.put((byte) ':').put((byte) ' ');
        out.put(bytes, valueAt, fields.valueEnd(i) - valueAt);
        out.put(CRLF);
    }

    /// Returns the number of decimal digits of a number that is 0 or more.
    static int digits(long number) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    static void number(ByteBuffer out, long number) {
        int at = out.position() + digits(number);
        int end = at;
        long rest = number;
        do {
            at--;
            out.put(at, (byte) ('0' + rest % 10));
            rest /= 10;
        } while (rest > 0);
        out.position(end);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
