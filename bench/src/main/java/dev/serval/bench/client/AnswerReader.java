package dev.serval.bench.client;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Reads answers with their content from a stream of bytes, one after the other. Does no I/O and
/// reads no clock. Allocates only for a content that is longer than all before it.
///
/// Use one per connection.
public final class AnswerReader {
    private static final int ROOM_BYTES = 8 << 10;
    private static final int CONTENT_MAX = 16 << 20;

    /// The part of an answer to which the next byte belongs.
    private enum State {
        HEAD,
        CONTENT,
        COMPLETE
    }

    private final AnswerHead head = new AnswerHead();
    private byte[] content = new byte[ROOM_BYTES];
    private int length;
    private int size;
    private State state = State.HEAD;

    /// Consumes bytes up to the end of an answer. After a complete answer it begins with the next.
    ///
    /// @return whether an answer is complete
    /// @throws ProtocolException if the bytes are no head, or one without Content-Length
    public boolean take(ByteBuffer in) throws ProtocolException {
        if (state == State.COMPLETE) {
            head.reset();
            state = State.HEAD;
        }
        if (state == State.HEAD) {
            if (!head.take(in)) {
                return false;
            }
            begin();
        }
        int n = Math.min(in.remaining(), length - size);
        in.get(content, size, n);
        size += n;
        if (size < length) {
            return false;
        }
        state = State.COMPLETE;
        return true;
    }

    private void begin() throws ProtocolException {
        long announced = head.length();
        if (head.status() == 0 || announced < 0 || announced > CONTENT_MAX) {
            throw new ProtocolException("Not the head of an answer with a length: " + head);
        }
        length = (int) announced;
        size = 0;
        if (content.length < length) {
            content = new byte[length];
        }
        state = State.CONTENT;
    }

    /// Returns the status of the complete answer.
    public int status() {
        return head.status();
    }

    /// Returns the content of the complete answer as the first bytes of an array. It is valid until
    /// the next call of [#take].
    public byte[] content() {
        return content;
    }

    /// Returns the length of the content.
    public int length() {
        return length;
    }

    /// Returns whether the content is that part of an array.
    public boolean hasContent(byte[] other, int from, int to) {
        return Arrays.equals(content, 0, length, other, from, to);
    }
}
