package dev.serval.soak.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// Echoes content as it arrives and as there is room. The container calls both listeners one after
/// the other, never at the same time; this is checked.
final class EchoListener implements ReadListener, WriteListener {
    private final AsyncContext context;
    private final ServletInputStream in;
    private final ServletOutputStream out;
    private final AtomicBoolean inside = new AtomicBoolean();
    private final byte[] piece = new byte[9000];
    private int length;
    private boolean ended;
    private boolean completed;

    EchoListener(AsyncContext context) throws IOException {
        this.context = context;
        this.in = context.getRequest().getInputStream();
        this.out = context.getResponse().getOutputStream();
    }

    @Override
    public void onDataAvailable() throws IOException {
        copy();
    }

    @Override
    public void onWritePossible() throws IOException {
        copy();
    }

    @Override
    public void onAllDataRead() throws IOException {
        ended = true;
        copy();
    }

    private void copy() throws IOException {
        if (!inside.compareAndSet(false, true)) {
            throw new IllegalStateException("two threads are inside the listeners");
        }
        while (!completed && out.isReady()) {
            if (length > 0) {
                out.write(piece, 0, length);
                length = 0;
            } else if (ended) {
                completed = true;
                context.complete();
            } else if (in.isReady()) {
                length = Math.max(0, in.read(piece));
                ended = in.isFinished();
            } else {
                break;
            }
        }
        inside.set(false);
    }

    @Override
    public void onError(Throwable fault) {
        Watch.complete(context);
    }
}
