package dev.serval.servlet.vault;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/// Collects bytes up to a limit.
final class BoundedBytes extends OutputStream {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    private final int maxBytes;

    /// The limit was reached.
    static final class LimitException extends IOException {
        private static final long serialVersionUID = 1;

        LimitException(int maxBytes) {
            super("more than " + maxBytes + " bytes");
        }
    }

    BoundedBytes(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public void write(int b) throws IOException {
        check(1);
        bytes.write(b);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        check(length);
        bytes.write(from, offset, length);
    }

    private void check(int more) throws LimitException {
        if (more > maxBytes - bytes.size()) {
            throw new LimitException(maxBytes);
        }
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }
}
