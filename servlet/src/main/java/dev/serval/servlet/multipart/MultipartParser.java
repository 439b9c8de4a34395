package dev.serval.servlet.multipart;

import dev.serval.http.ProtocolError;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Splits multipart content into the heads and contents of its parts (RFC 2046 §5.1). Pure and
/// incremental: the input may be cut anywhere. Lines end with CRLF only.
///
/// Order of calls: [#feed] a chunk, then [#next] until it returns [Event#MORE], and so on; at the
/// end of the input [#finish]. A part is one HEAD, any number of CONTENT, one PART_END. Owned by
/// one [Parts].
final class MultipartParser {
    /// What [#next] found.
    enum Event {
        /// The chunk is used up.
        MORE,
        /// The head of a part is complete.
        HEAD,
        /// There are bytes of a part's content.
        CONTENT,
        /// A part is complete.
        PART_END,
        /// The content breaks a rule; see [#error].
        ERROR
    }

    /// Where the parser is. "boundary" is CRLF, `--` and the boundary's text.
    ///
    /// ```text
    ///  PREAMBLE ──boundary──> DELIMITER ──CRLF──> HEAD ──empty line──> CONTENT
    ///                          │  ^  │                                    │
    ///                          │  │  └──"--"──> EPILOGUE                  │
    ///                          │  └───────────────boundary────────────────┘
    ///                          v
    ///                        FAILED  (from every state, at a broken rule)
    /// ```
    private enum State {
        PREAMBLE,
        DELIMITER,
        HEAD,
        CONTENT,
        EPILOGUE,
        FAILED
    }

    private static final byte CR = '\r';
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long CRS = CR * ONES;
    private static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BOUNDARY_MAX = 70;
    private static final String BOUNDARY_OTHERS = "'()+_,-./:=? ";
    private static final byte[] NO_BYTES = {};

    private final MultipartBounds bounds;
    private final byte[] delimiter;
    private final byte[] head;

    private State state = State.PREAMBLE;
    private byte[] bytes = NO_BYTES;
    private int at;
    private int end;
    private int matched;
    private int borrowed;
    private int padding;
    private byte after;
    private int headBytes;
    private int parts;
    private byte[] content = NO_BYTES;
    private int contentAt;
    private int contentEnd;
    private @Nullable ProtocolError error;

    /// Creates a parser.
    ///
    /// @param boundary one that [#valid] accepts
    MultipartParser(String boundary, MultipartBounds bounds) {
        this.bounds = bounds;
        delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        head = new byte[bounds.headMaxBytes()];
        matched = 2; // the first boundary needs no line end before it
    }

    /// Returns whether the text may be a boundary (RFC 2046 §5.1.1): 1 to 70 characters of a small
    /// set. The last one is not a space.
    static boolean valid(String boundary) {
        int length = boundary.length();
        for (int i = 0; i < length; i++) {
            char c = boundary.charAt(i);
            boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            boolean digit = c >= '0' && c <= '9';
            if (!letter && !digit && BOUNDARY_OTHERS.indexOf(c) < 0) {
                return false;
            }
        }
        return length > 0 && length <= BOUNDARY_MAX && boundary.charAt(length - 1) != ' ';
    }

    /// Gives the parser the next chunk. The array must not change before [Event#MORE].
    void feed(byte[] chunk, int from, int to) {
        bytes = chunk;
        at = from;
        end = to;
    }

    /// Continues to the next event.
    Event next() {
        while (state == State.FAILED || at < end) {
            @Nullable Event event =
                    switch (state) {
                        case PREAMBLE -> preamble();
                        case DELIMITER -> delimiterEnd();
                        case HEAD -> head();
                        case CONTENT -> content();
                        case EPILOGUE -> epilogue();
                        case FAILED -> Event.ERROR;
                    };
            if (event != null) {
                return event;
            }
        }
        return Event.MORE;
    }

    /// Returns the fault if the input ends here; null if it is complete.
    @Nullable ProtocolError finish() {
        return switch (state) {
            case EPILOGUE -> null;
            case FAILED -> error;
            case PREAMBLE, DELIMITER, HEAD, CONTENT -> MultipartFault.TRUNCATED;
        };
    }

    /// Returns the fault after [Event#ERROR].
    @Nullable ProtocolError error() {
        return error;
    }

    /// Returns the array of the head of the part, valid at [Event#HEAD].
    byte[] headArray() {
        return head;
    }

    /// Returns the length of the head in bytes, with the empty line that ends it.
    int headLength() {
        return headBytes;
    }

    /// Returns the array of the content, valid at [Event#CONTENT].
    byte[] contentArray() {
        return content;
    }

    /// Returns the start of the content in its array.
    int contentAt() {
        return contentAt;
    }

    /// Returns the end of the content in its array, exclusive.
    int contentEnd() {
        return contentEnd;
    }

    /// Drops bytes up to the first boundary.
    private @Nullable Event preamble() {
        while (at < end) {
            byte b = bytes[at++];
            if (b == delimiter[matched]) {
                matched++;
            } else {
                matched = b == CR ? 1 : 0;
            }
            if (matched == delimiter.length) {
                enterDelimiter();
                return null;
            }
            if (++padding - matched > bounds.paddingMaxBytes()) {
                return fail(MultipartFault.PREAMBLE_TOO_LONG);
            }
        }
        return null;
    }

    /// Reads what follows a boundary: `--`, or white space and CRLF.
    private @Nullable Event delimiterEnd() {
        byte b = bytes[at++];
        boolean blankBefore = after == 0 || after == ' ';
        if (b == '-' && after == '-') {
            state = State.EPILOGUE;
            padding = 0;
        } else if (b == '-' && after == 0) {
            after = b;
        } else if (b == CR && blankBefore) {
            after = b;
        } else if (b == '\n' && after == CR) {
            return enterHead();
        } else if ((b == ' ' || b == '\t') && blankBefore) {
            after = ' ';
            padding++;
        } else {
            return fail(MultipartFault.DELIMITER);
        }
        return padding > bounds.paddingMaxBytes() ? fail(MultipartFault.DELIMITER) : null;
    }

    /// Collects the head of a part up to its empty line.
    private @Nullable Event head() {
        while (at < end) {
            if (headBytes == head.length) {
                return fail(MultipartFault.HEAD_TOO_LONG);
            }
            byte b = bytes[at++];
            head[headBytes++] = b;
            if (b == '\n' && headComplete()) {
                state = State.CONTENT;
                // the CRLF of the empty line may begin the boundary of a part without content
                matched = 2;
                borrowed = 2;
                return Event.HEAD;
            }
        }
        return null;
    }

    private boolean headComplete() {
        int n = headBytes;
        boolean line = n >= 2 && head[n - 2] == CR;
        return line && (n == 2 || (n >= 4 && head[n - 3] == '\n' && head[n - 4] == CR));
    }

    /// Finds the next run of content, or the boundary that ends the part.
    private @Nullable Event content() {
        if (matched > 0) {
            return resumeMatch();
        }
        int cr = indexOfCr(at);
        int length = matching(cr);
        while (cr + length < end && length < delimiter.length) {
            cr = indexOfCr(cr + length); // CR is only the first byte of the delimiter
            length = matching(cr);
        }
        if (cr > at) {
            emit(bytes, at, cr);
            at = cr;
            return Event.CONTENT;
        }
        at += length;
        matched = length;
        return matched == delimiter.length ? endPart() : null;
    }

    /// Continues a match that the end of the last chunk cut. The matched bytes need not be kept:
    /// they equal those of the delimiter.
    private @Nullable Event resumeMatch() {
        while (at < end && matched < delimiter.length && bytes[at] == delimiter[matched]) {
            at++;
            matched++;
        }
        if (matched == delimiter.length) {
            return endPart();
        }
        if (at == end) {
            return null;
        }
        boolean held = matched > borrowed;
        if (held) {
            emit(delimiter, borrowed, matched);
        }
        matched = 0;
        borrowed = 0;
        return held ? Event.CONTENT : null;
    }

    private @Nullable Event epilogue() {
        padding += end - at;
        at = end;
        return padding > bounds.paddingMaxBytes() ? fail(MultipartFault.EPILOGUE) : null;
    }

    private Event endPart() {
        enterDelimiter();
        return Event.PART_END;
    }

    private void enterDelimiter() {
        state = State.DELIMITER;
        matched = 0;
        borrowed = 0;
        padding = 0;
        after = 0;
    }

    private @Nullable Event enterHead() {
        if (parts++ == bounds.partsMax()) {
            return fail(MultipartFault.TOO_MANY_PARTS);
        }
        state = State.HEAD;
        headBytes = 0;
        return null;
    }

    private Event fail(ProtocolError fault) {
        state = State.FAILED;
        error = fault;
        return Event.ERROR;
    }

    private void emit(byte[] array, int from, int to) {
        content = array;
        contentAt = from;
        contentEnd = to;
    }

    /// Returns how many bytes from `from` on equal the delimiter.
    private int matching(int from) {
        int most = Math.min(end - from, delimiter.length);
        int n = 0;
        while (n < most && bytes[from + n] == delimiter[n]) {
            n++;
        }
        return n;
    }

    /// Returns the index of the next CR, or the end. It tests eight bytes at a time, because large
    /// files spend most of their time here.
    private int indexOfCr(int from) {
        int i = from;
        for (; i + Long.BYTES <= end; i += Long.BYTES) {
            long word = (long) WORD.get(bytes, i) ^ CRS;
            long found = word - ONES & ~word & HIGH_BITS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < end && bytes[i] != CR) {
            i++;
        }
        return i;
    }
}
