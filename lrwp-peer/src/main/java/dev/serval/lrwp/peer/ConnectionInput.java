package dev.serval.lrwp.peer;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/// Bytes of one connection that were read and not used yet. Used only by the connection's thread.
final class ConnectionInput {
    private static final int BUFFER_BYTES = 16 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;

    ConnectionInput(InputStream in) {
        this.in = in;
    }

    byte[] buffer() {
        return buffer;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    boolean isEmpty() {
        return from == to;
    }

    /// Marks the bytes before `index` as used.
    void used(int index) {
        from = index;
    }

    /// Reads once into the empty buffer. Returns false at the end of the connection.
    boolean fill() throws IOException {
        int count = in.read(buffer, 0, buffer.length);
        from = 0;
        to = Math.max(0, count);
        return count > 0;
    }

    /// Reads exactly so many bytes.
    byte[] exactly(int count) throws IOException {
        byte[] bytes = new byte[count];
        int done = 0;
        while (done < count) {
            int read = read(bytes, done, count - done);
            if (read < 0) {
                throw new EOFException("the agent closed within a body");
            }
            done += read;
        }
        return bytes;
    }

    /// Reads what the buffer has, else once from the connection. Returns -1 at its end.
    int read(byte[] into, int at, int count) throws IOException {
        if (isEmpty()) {
            return in.read(into, at, count);
        }
        int part = Math.min(count, to - from);
        System.arraycopy(buffer, from, into, at, part);
        from += part;
        return part;
    }

    /// A body of a known size that is read as it arrives.
    static final class Body extends InputStream {
        private final ConnectionInput input;
        private int left;

        Body(ConnectionInput input, int bytes) {
            this.input = input;
            this.left = bytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            if (count == 0) {
                return 0;
            }
            if (left == 0) {
                return -1;
            }
            int read = input.read(into, at, Math.min(count, left));
            if (read < 0) {
                throw new EOFException("the agent closed within a body");
            }
            left -= read;
            return read;
        }

        @Override
        public int available() {
            return Math.min(left, input.to - input.from);
        }

        /// Reads and drops the rest, so that the next request is found.
        void drain() throws IOException {
            byte[] dropped = new byte[BUFFER_BYTES];
            while (left > 0) {
                int read = read(dropped, 0, dropped.length);
                if (read < 0) {
                    throw new EOFException("the agent closed within a body");
                }
            }
        }
    }
}
