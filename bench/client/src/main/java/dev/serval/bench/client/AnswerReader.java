package dev.serval.bench.client;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads answers from a stream of bytes, one after the other. They have a Content-Length or, unless a
/// certain length is expected, are chunked. Does no I/O and reads no clock. Allocates for kept
/// content that is chunked or longer than all before it.
///
/// Use one per connection, and [#reset] before the next connection.
public final class AnswerReader {

    private static final int CONTENT_MAX = 16 << 20;
    private static final int ANY = -1;

    /// The part of an answer to which the next byte belongs: `HEAD → CONTENT → COMPLETE → HEAD …`,
    /// with CHUNKS for CONTENT if it is chunked.
    private enum State {
        HEAD,
        CONTENT,
        CHUNKS,
        COMPLETE
    }

    private final int expected;
    private final boolean keeps;
    private final AnswerHead head = new AnswerHead();
    private final @Nullable ByteArrayOutputStream kept; // chunks; null if they are dropped
    private final Chunks chunks;
    private byte[] content = new byte[0];
    private long length;
    private long left;
    private State state = State.HEAD;

    private AnswerReader(int expected, boolean keeps) {
        this.expected = expected;
        this.keeps = keeps;
        this.kept = keeps ? new ByteArrayOutputStream() : null;
        this.chunks = new Chunks(kept);
    }

    /// Returns a reader of answers with status 200 and this length. It drops their content.
    public static AnswerReader expecting(int length) {
        return new AnswerReader(length, false);
    }

    /// Returns a reader of answers of any status and length. It drops their content. An answer that
    /// has no length and is not chunked has none.
    public static AnswerReader dropping() {
        return new AnswerReader(ANY, false);
    }

    /// Returns a reader of answers of any status and length. It keeps the content of the last one.
    public static AnswerReader keeping() {
        return new AnswerReader(ANY, true);
    }

    /// Clears the state of the last connection.
    public void reset() {
        head.reset();
        state = State.HEAD;
    }

    /// Consumes bytes up to the end of an answer. After a complete answer it begins with the next.
    ///
    /// @return whether an answer is complete
    /// @throws ProtocolException if the bytes are no head, or not the head of an expected answer
    public boolean take(ByteBuffer in) throws ProtocolException {
        if (state == State.COMPLETE) {
            reset();
        }
        if (state == State.HEAD) {
            if (!head.take(in)) {
                return false;
            }
            begin();
        }
        if (state == State.CHUNKS) {
            return chunk(in);
        }
        int n = (int) Math.min(in.remaining(), left);
        if (keeps) {
            in.get(content, (int) (length - left), n);
        } else {
            in.position(in.position() + n);
        }
        left -= n;
        if (left > 0) {
            return false;
        }
        state = State.COMPLETE;
        return true;
    }

    private boolean chunk(ByteBuffer in) throws ProtocolException {
        boolean complete = chunks.take(in);
        length = chunks.length();
        if (keeps && length > CONTENT_MAX) {
            throw new ProtocolException("The content is longer than " + CONTENT_MAX + " bytes");
        }
        if (!complete) {
            return false;
        }
        if (kept != null) {
            content = kept.toByteArray();
            kept.reset();
        }
        state = State.COMPLETE;
        return true;
    }

    private void begin() throws ProtocolException {
        length = head.length();
        boolean right = head.status() != 0;
        if (length < 0 && right && expected == ANY && head.chunked()) {
            chunks.reset();
            if (kept != null) {
                kept.reset();
            }
            state = State.CHUNKS;
            return;
        }
        if (keeps) {
            right &= length >= 0 && length <= CONTENT_MAX;
        } else if (expected == ANY) {
            length = Math.max(0, length);
        } else {
            right = head.status() == 200 && length == expected;
        }
        if (!right) {
            throw new ProtocolException("Not the head of an expected answer: " + head);
        }
        left = length;
        if (keeps && content.length < length) {
            content = new byte[(int) length];
        }
        state = State.CONTENT;
    }

    /// Returns the status of the complete answer.
    public int status() {
        return head.status();
    }

    /// Returns the first cookie that the complete answer sets, such as `ID=1`, or an empty text.
    public String cookie() {
        return head.cookie();
    }

    /// Returns where the complete answer sends its client, or an empty text.
    public String location() {
        return head.location();
    }

    /// Returns whether the server closes the connection after the complete answer.
    public boolean closes() {
        return head.closes();
    }

    /// Returns the kept content of the complete answer as the first bytes of an array. It is valid
    /// until the next call of [#take].
    public byte[] content() {
        return content;
    }

    /// Returns the length of the content.
    public int length() {
        return (int) length;
    }

    /// Returns whether the kept content is that part of an array.
    public boolean hasContent(byte[] other, int from, int to) {
        return Arrays.equals(content, 0, (int) length, other, from, to);
    }
}
