package dev.serval.http1;

import dev.serval.codec.ByteRules;
import dev.serval.http.ProtocolError;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The line before a chunk, with its size and extensions (RFC 9112 §7.1, §7.1.1). Collects a line
/// that arrives in pieces. Extensions are checked and dropped. Owned by one [BodyDecoder].
final class ChunkLine {
    private static final byte[] NONE = {};
    private static final int BAD = -1;

    private final int maxBytes;
    private final boolean takesBlanks; // at the line's end
    private byte[] held = NONE;
    private int heldBytes;
    private boolean complete;
    private long size;
    private int extensionBytes;
    private @Nullable ProtocolError error;

    /// @param takesBlanks whether white space at the line's end is ignored, in place of refused
    ChunkLine(int maxBytes, boolean takesBlanks) {
        this.maxBytes = maxBytes;
        this.takesBlanks = takesBlanks;
    }

    /// Prepares for the next line.
    void reset() {
        heldBytes = 0;
        complete = false;
        error = null;
    }

    /// Consumes bytes up to the line's end.
    ///
    /// @return number of bytes consumed
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

    /// Returns whether the line's end was consumed.
    boolean complete() {
        return complete;
    }

    /// Returns the chunk's size, valid if complete and without error; 0 for the last chunk.
    long size() {
        return size;
    }

    /// Returns the number of bytes between the size and the line's end, valid as the size is.
    int extensionBytes() {
        return extensionBytes;
    }

    /// Returns the fault in the line, or null.
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

    /// Reads `line[from, lf)`, which LF follows.
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
        extensionBytes = end - at;
        int to = takesBlanks ? FieldLines.trimBlank(line, at, end) : end;
        while (at < to) {
            at = extension(line, at, to);
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

    /// Returns the index after `BWS ";" BWS name [ BWS "=" BWS value ]`, or [#BAD]. The grammar has
    /// no white space at its end, so that is refused.
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

    /// Returns the index after a quoted string (RFC 9110 §5.6.4) whose first quote is before
    /// `from`.
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
