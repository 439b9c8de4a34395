package dev.serval.lrwp.peer;

import java.io.IOException;
import java.io.OutputStream;

/// Writes answers: nine digits and so many bytes of CGI output. A body in memory goes out in one
/// write with its digits, because some agents fail if they come apart. Used only by the
/// connection's thread.
final class AnswerWriter {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final int KEPT_BYTES = 8 << 10;

    private final OutputStream out;
    private byte[] kept = new byte[KEPT_BYTES];

    AnswerWriter(OutputStream out) {
        this.out = out;
    }

    /// Sends an answer.
    ///
    /// @throws IOException if the connection failed, or a body was not written as promised; in both
    ///     cases the connection cannot be used any more
    void send(LrwpResponse response) throws IOException {
        byte[] head = response.head();
        byte[] content = response.content();
        if (content != null) {
            whole(head, content);
            return;
        }
        LrwpResponse.BodyWriter writer = response.writer();
        if (writer == null) {
            throw new IllegalStateException("an answer with neither content nor writer");
        }
        Promised body = new Promised(out, head, response.bodyBytes());
        writer.write(body);
        body.end();
    }

    private void whole(byte[] head, byte[] content) throws IOException {
        int length = head.length + content.length;
        int total = RequestDecoder.DIGITS + length;
        byte[] bytes = kept;
        if (total > bytes.length) {
            bytes = new byte[total];
            if (total <= CHUNK_BYTES) {
                kept = bytes;
            }
        }
        RequestDecoder.putLength(bytes, 0, length);
        System.arraycopy(head, 0, bytes, RequestDecoder.DIGITS, head.length);
        System.arraycopy(content, 0, bytes, RequestDecoder.DIGITS + head.length, content.length);
        out.write(bytes, 0, total);
    }

    /// A body that must have exactly the promised size. It is sent in chunks, of which the first
    /// also has digits and head.
    private static final class Promised extends OutputStream {
        private final OutputStream out;
        private final int promised;
        private final byte[] chunk = new byte[CHUNK_BYTES];
        private int filled;
        private int left;

        Promised(OutputStream out, byte[] head, int bodyBytes) {
            this.out = out;
            this.promised = bodyBytes;
            this.left = bodyBytes;
            RequestDecoder.putLength(chunk, 0, head.length + bodyBytes);
            System.arraycopy(head, 0, chunk, RequestDecoder.DIGITS, head.length);
            filled = RequestDecoder.DIGITS + head.length;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            if (count > left) {
                throw new IOException(
                        "the handler wrote more than the promised " + promised + " bytes");
            }
            left -= count;
            int at = from;
            int rest = count;
            while (rest > 0) {
                int part = Math.min(rest, chunk.length - filled);
                System.arraycopy(bytes, at, chunk, filled, part);
                filled += part;
                at += part;
                rest -= part;
                if (filled == chunk.length) {
                    send();
                }
            }
        }

        void end() throws IOException {
            if (left > 0) {
                throw new IOException(
                        "the handler wrote " + left + " bytes less than the promised " + promised);
            }
            send();
        }

        private void send() throws IOException {
            out.write(chunk, 0, filled);
            filled = 0;
        }
    }
}
