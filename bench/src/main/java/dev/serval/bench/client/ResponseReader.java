package dev.serval.bench.client;

import java.nio.ByteBuffer;

/// Reads responses from a stream of bytes and checks status and length of each: 200 and the length
/// it was made for. Pure: no socket, no clock; nothing is allocated per response. Contents are
/// counted, not compared.
///
/// One per connection; [#reset] before the next connection.
public final class ResponseReader {
    /// Where the next byte belongs: `HEAD → CONTENT → HEAD …`, and from anywhere `BROKEN`, which
    /// stays until [#reset].
    private enum State {
        HEAD,
        CONTENT,
        BROKEN
    }

    private final int expectedLength;
    private final AnswerHead head = new AnswerHead();
    private long remaining;
    private State state = State.HEAD;

    /// For responses with 200 and this length.
    public ResponseReader(int expectedLength) {
        this.expectedLength = expectedLength;
    }

    /// Forgets all of the last connection.
    public void reset() {
        head.reset();
        remaining = 0;
        state = State.HEAD;
    }

    /// Whether something was not as it must be; nothing more is read then.
    public boolean broken() {
        return state == State.BROKEN;
    }

    /// Takes all bytes.
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
