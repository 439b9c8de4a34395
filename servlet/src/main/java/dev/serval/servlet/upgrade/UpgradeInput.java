package dev.serval.servlet.upgrade;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// The bytes that the client of an upgraded connection sends. One thread reads at a time.
final class UpgradeInput extends ServletInputStream {
    private final UpgradeRun run;
    private final InputStream bytes;
    private volatile boolean listens; // a ReadListener is set

    UpgradeInput(UpgradeRun run) {
        this.run = run;
        this.bytes = run.tunnel().input();
    }

    @Override
    public int read() throws IOException {
        requireReady();
        return bytes.read();
    }

    @Override
    public int read(byte[] into, int at, int most) throws IOException {
        requireReady();
        return bytes.read(into, at, most);
    }

    @Override
    public int available() throws IOException {
        return bytes.available();
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }

    @Override
    public boolean isFinished() {
        return run.tunnel().inputEnded();
    }

    @Override
    public boolean isReady() {
        return !listens || run.mayRead();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        Objects.requireNonNull(listener, "the ReadListener");
        if (listens) {
            throw new IllegalStateException("The connection has a ReadListener already");
        }
        listens = true;
        run.read(listener);
    }

    private void requireReady() {
        if (listens && !run.mayRead()) {
            throw new IllegalStateException(
                    "A read would wait: call it only after isReady returned true (Servlet 6.1"
                            + " §3.7)");
        }
    }
}
