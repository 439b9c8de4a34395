package dev.serval.soak.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/// Writes content whenever there is room (Servlet 6.1 §3.7). One thread at a time calls it.
final class SendListener implements WriteListener {
    private static final int PIECE_BYTES = 5000;

    private final AsyncContext context;
    private final ServletOutputStream out;
    private final byte[] content;
    private int at;

    SendListener(AsyncContext context, byte[] content) throws IOException {
        this.context = context;
        this.out = context.getResponse().getOutputStream();
        this.content = content;
    }

    @Override
    public void onWritePossible() throws IOException {
        while (out.isReady()) {
            if (at == content.length) {
                context.complete();
                return;
            }
            int length = Math.min(PIECE_BYTES, content.length - at);
            out.write(content, at, length);
            at += length;
        }
    }

    @Override
    public void onError(Throwable fault) {
        Watch.complete(context);
    }
}
