package dev.serval.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Reads responses from a stream of bytes and checks status and length of each: 200 and the length
/// it was made for. Pure: no socket, no clock; nothing is allocated per response. Contents are
/// counted, not compared; [AnswerCheck] compares them once.
///
/// One per connection; [#reset] before the next connection.
final class ResponseReader {
    private static final int HEAD_MAX_BYTES = 8192;
    private static final byte[] LENGTH = "content-length:".getBytes(StandardCharsets.US_ASCII);

    /// Where the next byte belongs: `HEAD → CONTENT → HEAD …`, and from anywhere `BROKEN`, which
    /// stays until [#reset].
    private enum State {
        HEAD,
        CONTENT,
        BROKEN
    }

    private final int expectedLength;
    private final byte[] head = new byte[HEAD_MAX_BYTES];
    private int headLength;
    private long remaining;
    private State state = State.HEAD;

    /// For responses with 200 and this length.
    ResponseReader(int expectedLength) {
        this.expectedLength = expectedLength;
    }

    /// Forgets all of the last connection.
    void reset() {
        headLength = 0;
        remaining = 0;
        state = State.HEAD;
    }

    /// Whether something was not as it must be; nothing more is read then.
    boolean broken() {
        return state == State.BROKEN;
    }

    /// Takes all bytes.
    ///
    /// @return how many responses ended in them
    int read(ByteBuffer in) {
        int complete = 0;
        while (true) {
            switch (state) {
                case HEAD -> {
                    if (!readHead(in)) {
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
                    headLength = 0;
                    state = State.HEAD;
                }
                case BROKEN -> {
                    in.position(in.limit());
                    return complete;
                }
            }
        }
    }

    /// True once the head has its empty line, or is too long to have one.
    private boolean readHead(ByteBuffer in) {
        while (in.hasRemaining()) {
            byte b = in.get();
            head[headLength++] = b;
            boolean ended =
                    b == '\n'
                            && headLength >= 4
                            && head[headLength - 3] == '\n'
                            && head[headLength - 2] == '\r';
            if (ended || headLength == HEAD_MAX_BYTES) {
                return true;
            }
        }
        return false;
    }

    private boolean headIsRight() {
        boolean ok = headLength > 12 && head[9] == '2' && head[10] == '0' && head[11] == '0';
        remaining = contentLength();
        return ok && remaining == expectedLength;
    }

    /// Value of the field, or -1 without it.
    private long contentLength() {
        for (int at = 0; at < headLength - LENGTH.length; at++) {
            if (head[at] == '\n' && startsWithLength(at + 1)) {
                return digits(at + 1 + LENGTH.length);
            }
        }
        return -1;
    }

    private boolean startsWithLength(int at) {
        if (at + LENGTH.length > headLength) {
            return false;
        }
        for (int i = 0; i < LENGTH.length; i++) {
            int b = head[at + i];
            int lower = b >= 'A' && b <= 'Z' ? b + 32 : b;
            if (lower != LENGTH[i]) {
                return false;
            }
        }
        return true;
    }

    private long digits(int from) {
        int at = from;
        while (at < headLength && head[at] == ' ') {
            at++;
        }
        long value = 0;
        int first = at;
        while (at < headLength && head[at] >= '0' && head[at] <= '9' && at - first < 18) {
            value = value * 10 + head[at] - '0';
            at++;
        }
        return at == first ? -1 : value;
    }
}
