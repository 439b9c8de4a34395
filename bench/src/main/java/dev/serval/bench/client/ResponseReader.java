package dev.serval.bench.client;

import java.nio.ByteBuffer;

/// Reads responses from a stream of bytes and checks that each has status 200 and the expected
/// length. Does no I/O, reads no clock and allocates nothing per response. Content is counted but
/// not compared.
///
/// Use one per connection, and [#reset] before the next connection.
public final class ResponseReader {
    /// The part of a response to which the next byte belongs: `HEAD → CONTENT → HEAD …`. Every
    /// state may become `BROKEN`, which stays until [#reset].
    private enum State {
        HEAD,
        CONTENT,
        BROKEN
    }

    private final int expectedLength;
    private final AnswerHead head = new AnswerHead();
    private long remaining;
    private State state = State.HEAD;

    /// Creates a reader for responses with status 200 and this length.
    public ResponseReader(int expectedLength) {
        this.expectedLength = expectedLength;
    }

    /// Clears the state of the last connection.
    public void reset() {
        head.reset();
        remaining = 0;
        state = State.HEAD;
    }

    /// Returns whether a response was wrong. The reader then ignores all further bytes.
    public boolean broken() {
        return state == State.BROKEN;
    }

    /// Returns the head of the response that was read last, for messages.
    public String lastHead() {
        return head.toString().trim();
    }

    /// Consumes all bytes.
    ///
    /// @return how many responses ended in them
    public int read(ByteBuffer in) {
        int complete = 0;
        while (true) {
            switch (state) {
                case HEAD -> {
                    if (!head.take(in)) {
                        return complete;
                    }
                    state = headIsRight() ? State.CONTENT : State.BROKEN;
                }
                case CONTENT -> {
                    int take = (int) Math.min(remaining, in.remaining());
                    in.position(in.position() + take);
                    remaining -= take;
                    if (remaining > 0) {
                        return complete;
                    }
                    complete++;
                    head.reset();
                    state = State.HEAD;
                }
                case BROKEN -> {
                    in.position(in.limit());
                    return complete;
                }
            }
        }
    }

    private boolean headIsRight() {
        remaining = head.length();
        return head.status() == 200 && remaining == expectedLength;
    }
}
