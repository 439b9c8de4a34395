package dev.serval.testkit;

import dev.serval.testkit.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Lays a [TlsClient] over a socket. Owned by the thread of its test.
final class TlsLayer implements Layer {
    private static final int WRITE_BYTES = 16 << 10;

    private final SocketChannel channel;
    private final TlsClient client;
    private final ByteBuffer raw = ByteBuffer.allocate(32 << 10);
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private byte[] plain = {};
    private int plainAt;

    TlsLayer(SocketChannel channel, TlsClient client) {
        this.channel = channel;
        this.client = client;
    }

    /// Completes the handshake on a socket that blocks.
    void agree() throws IOException {
        client.begin();
        flush();
        while (!client.isAgreed()) {
            if (fill() < 0) {
                throw new IOException("the server has ended the handshake");
            }
            flush();
        }
    }

    @Override
    public boolean waits() {
        return unsent.hasRemaining();
    }

    /// Reads content as a channel does. An end without the last record is an IOException. If the
    /// server takes no bytes any more, what it has sent is still read first.
    @Override
    public int read(ByteBuffer into) throws IOException {
        int n = 1;
        @Nullable IOException unwritable = null;
        while (plainAt == plain.length && n > 0 && !client.sawEnd()) {
            n = fill();
            try {
                flush();
            } catch (IOException e) {
                unwritable = e;
            }
        }
        if (plainAt < plain.length) {
            int length = Math.min(into.remaining(), plain.length - plainAt);
            into.put(plain, plainAt, length);
            plainAt += length;
            return length;
        }
        if (client.sawEnd()) {
            return -1;
        }
        if (unwritable != null) {
            throw unwritable;
        }
        if (n < 0) {
            throw new IOException("the stream has ended without its last record");
        }
        return 0;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        flush();
        if (waits()) {
            return 0;
        }
        byte[] bytes = new byte[Math.min(from.remaining(), WRITE_BYTES)];
        from.get(bytes);
        client.send(bytes, 0, bytes.length);
        flush();
        return bytes.length;
    }

    /// Sends the last record, and finishes sending.
    @Override
    public void end() throws IOException {
        client.end();
        flush();
        channel.shutdownOutput();
    }

    @Override
    public boolean mustRead() {
        return false;
    }

    private int fill() throws IOException {
        int n = channel.read(raw.clear());
        if (n > 0) {
            client.receive(raw.array(), 0, n);
            byte[] more = client.take();
            int left = plain.length - plainAt;
            byte[] all =
                    Arrays.copyOf(
                            Arrays.copyOfRange(plain, plainAt, plain.length), left + more.length);
            System.arraycopy(more, 0, all, left, more.length);
            plain = all;
            plainAt = 0;
        }
        return n;
    }

    private void flush() throws IOException {
        byte[] more = client.toSend();
        if (more.length > 0) {
            ByteBuffer all = ByteBuffer.allocate(unsent.remaining() + more.length);
            unsent = all.put(unsent).put(more).flip();
        }
        if (unsent.hasRemaining()) {
            channel.write(unsent);
        }
    }
}
