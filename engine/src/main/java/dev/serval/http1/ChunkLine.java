package dev.serval.http1;

import dev.serval.http.ByteRules;
import dev.serval.http.ProtocolError;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The line in front of a chunk: its size and extensions (RFC 9112 §7.1, §7.1.1), collected where it
/// arrives in pieces. Extensions are checked and dropped. Owned by one [BodyDecoder].
final class ChunkLine {
    private static final byte[] NONE = {};
    private static final int BAD = -1;

    private final int maxBytes;
    private byte[] held = NONE;
    private int heldBytes;
    private boolean complete;
    private long size;
    private @Nullable ProtocolError error;

    ChunkLine(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Forgets the line before.
    void reset() {
        heldBytes = 0;
        complete = false;
        error = null;
    }

    /// Takes bytes up to the line's end.
    ///
    /// @return bytes taken
    int take(byte[] buffer, int at, int to) {
        int lf = Scan.indexOf('\n', buffer, at, to);
        int end = Math.min(lf + 1, to);
        if (heldBytes + end - at > maxBytes) {
            error = Refusal.CHUNK_LINE_TOO_LONG;
            return 0;
        }
        complete = lf < to;
        if (complete && heldBytes == 0) {
            read(buffer, at, lf);
        } else {
            hold(buffer, at, end);
            if (complete) {
                read(held, 0, heldBytes - 1);
            }
        }
        return end - at;
    }

    /// Whether the line's end was taken.
    boolean complete() {
        return complete;
    }

    /// The chunk's size, once complete and without error; 0 for the last chunk.
    long size() {
        return size;
    }

    /// What is wrong with the line, or null.
    @Nullable ProtocolError error() {
        return error;
    }

    private void hold(byte[] buffer, int at, int end) {
        int length = end - at;
        if (held.length < heldBytes + length) {
            held = Arrays.copyOf(held, Math.min(maxBytes, Math.max(32, 2 * (heldBytes + length))));
        }
        System.arraycopy(buffer, at, held, heldBytes, length);
        heldBytes += length;
    }

    /// Reads `line[from, lf)`, behind which stands LF.
    private void read(byte[] line, int from, int lf) {
        int end = lf - 1;
        if (end < from || line[end] != '\r') {
            error = Refusal.BARE_LF;
            return;
        }
        int at = readSize(line, from, end);
        if (at == BAD) {
            error = Refusal.CHUNK_SIZE;
            return;
        }
        while (at < end) {
            at = extension(line, at, end);
            if (at == BAD) {
                error = Refusal.CHUNK_EXTENSION;
                return;
            }
        }
    }

    private int readSize(byte[] line, int from, int end) {
        long value = 0;
        int at = from;
        while (at < end && ByteRules.hex(line[at])) {
            if (value > Long.MAX_VALUE >>> 4) {
                return BAD;
            }
            value = value << 4 | ByteRules.digit(line[at]);
            at++;
        }
        size = value;
        return at == from ? BAD : at;
    }

    /// The index behind `BWS ";" BWS name [ BWS "=" BWS value ]`, or [#BAD]. White space at the
    /// line's end is in no rule, so it is refused.
    private static int extension(byte[] line, int from, int end) {
        int at = FieldLines.skipBlank(line, from, end);
        if (at == end || line[at] != ';') {
            return BAD;
        }
        int name = FieldLines.skipBlank(line, at + 1, end);
        int nameEnd = skipToken(line, name, end);
        if (nameEnd == name) {
            return BAD;
        }
        int equals = FieldLines.skipBlank(line, nameEnd, end);
        if (equals == end || line[equals] != '=') {
            return nameEnd;
        }
        int value = FieldLines.skipBlank(line, equals + 1, end);
        if (value < end && line[value] == '"') {
            return quotedEnd(line, value + 1, end);
        }
        int valueEnd = skipToken(line, value, end);
        return valueEnd == value ? BAD : valueEnd;
    }

    /// The index behind a quoted string (RFC 9110 §5.6.4) whose first quote stands before `from`.
    private static int quotedEnd(byte[] line, int from, int end) {
        int at = from;
        while (at < end && line[at] != '"') {
            if (line[at] == '\\') {
                at++;
            }
            if (at == end || !ByteRules.field(line[at])) {
                return BAD;
            }
            at++;
        }
        return at < end ? at + 1 : BAD;
    }

    private static int skipToken(byte[] line, int from, int end) {
        int at = from;
        while (at < end && ByteRules.token(line[at])) {
            at++;
        }
        return at;
    }
}
