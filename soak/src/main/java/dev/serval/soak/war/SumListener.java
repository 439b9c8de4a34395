package dev.serval.soak.war;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.zip.CRC32C;

/// Reads content whenever some has arrived, and answers with its receipt. One thread at a time calls
/// it.
final class SumListener implements ReadListener {
    private final AsyncContext context;
    private final ServletInputStream in;
    private final CRC32C crc = new CRC32C();
    private final byte[] piece = new byte[6000];

    SumListener(AsyncContext context) throws IOException {
        this.context = context;
        this.in = context.getRequest().getInputStream();
    }

    @Override
    public void onDataAvailable() throws IOException {
        while (in.isReady() && !in.isFinished()) {
            int n = in.read(piece);
            if (n < 0) {
                return;
            }
            crc.update(piece, 0, n);
        }
    }

    @Override
    public void onAllDataRead() throws IOException {
        context.getResponse().getOutputStream().write(Pattern.receipt(crc.getValue()));
        context.complete();
    }

    @Override
    public void onError(Throwable fault) {
        Watch.complete(context);
    }
}
