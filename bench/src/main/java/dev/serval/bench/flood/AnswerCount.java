package dev.serval.bench.flood;

import java.nio.ByteBuffer;

/// Counts complete answers in a stream of bytes by Content-Length, with any status. Does no I/O.
/// Use one per connection, and [#reset] before the next connection.
final class AnswerCount {
    private static final String LENGTH = "\ncontent-length:";
    private static final int END = 4; // bytes of an empty line with the line end before it

    private int matched; // characters of LENGTH that match the last bytes
    private int ended; // characters of the head's end that match
    private boolean inLength;
    private long length;
    private long left; // bytes of content still to come
    private boolean inContent;

    /// Clears the state of the last connection.
    void reset() {
        matched = 0;
        ended = 0;
        inLength = false;
        length = 0;
        left = 0;
        inContent = false;
    }

    /// Consumes all bytes.
    ///
    /// @return how many answers ended in them
    int read(ByteBuffer in) {
        int answers = 0;
        while (in.hasRemaining()) {
            if (inContent) {
                int take = (int) Math.min(left, in.remaining());
                in.position(in.position() + take);
                left -= take;
            } else {
                readHead(in.get());
            }
            if (inContent && left == 0) {
                answers++;
                reset();
            }
        }
        return answers;
    }

    private void readHead(byte b) {
        char c = (char) (b >= 'A' && b <= 'Z' ? b | 0x20 : b);
        if (inLength) {
            if (c >= '0' && c <= '9') {
                length = Math.min(length * 10 + c - '0', Integer.MAX_VALUE);
            } else if (c != ' ') {
                inLength = false;
            }
        }
        matched = c == LENGTH.charAt(matched) ? matched + 1 : c == '\n' ? 1 : 0;
        if (matched == LENGTH.length()) {
            matched = 0;
            inLength = true;
            length = 0;
        }
        boolean next = c == (ended % 2 == 0 ? '\r' : '\n');
        ended = next ? ended + 1 : c == '\r' ? 1 : 0;
        if (ended == END) {
            left = length;
            inContent = true;
        }
    }
}
