package dev.serval.servlet.multipart;

import dev.serval.http.ProtocolError;
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
    /// set, the last of them not a space.
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
        while (state == State.FAILED || at < end || matchFailed()) {
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
}
