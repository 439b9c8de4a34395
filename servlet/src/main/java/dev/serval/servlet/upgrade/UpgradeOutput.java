package dev.serval.servlet.upgrade;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/// The bytes to the client of an upgraded connection. One thread writes at a time.
final class UpgradeOutput extends ServletOutputStream {
    private final UpgradeRun run;
    private final OutputStream bytes;
    private volatile boolean listens; // a WriteListener is set

    UpgradeOutput(UpgradeRun run) {
        this.run = run;
        this.bytes = run.tunnel().output();
    }

    @Override
    public void write(int b) throws IOException {
        requireReady();
        bytes.write(b);
    }

    @Override
    public void write(byte[] from, int at, int length) throws IOException {
        requireReady();
        bytes.write(from, at, length);
    }

    @Override
    public void flush() throws IOException {
        bytes.flush();
    }

    /// Ends the direction to the client, after all bytes written so far.
    @Override
    public void close() throws IOException {
        bytes.close();
    }

    @Override
    public boolean isReady() {
        return !listens || run.isReadyToWrite();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        Objects.requireNonNull(listener, "the WriteListener");
        if (listens) {
            throw new IllegalStateException("The connection has a WriteListener already");
        }
        listens = true;
        run.write(listener);
    }

    private void requireReady() {
        if (listens && !run.mayWrite()) {
            throw new IllegalStateException(
                    "A write would wait: call it only after isReady returned true (Servlet 6.1"
                            + " §5.7)");
        }
    }
}
