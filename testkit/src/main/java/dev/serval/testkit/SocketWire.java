package dev.serval.testkit;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.Arrays;

/// A [Wire] over a socket. Bytes that the socket does not accept wait in an array.
public final class SocketWire implements Wire {
    private static final int PENDING_MAX = 64 << 10;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long PAUSE_MILLIS = 5;

    private final ClientSocket socket;
    private byte[] pending = new byte[PENDING_MAX];
    private int pendingTo;
    private boolean ending;
    private boolean broken;
    private long lastMoveNanos = System.nanoTime();

    private SocketWire(ClientSocket socket) {
        this.socket = socket;
    }

    /// Connects to an address.
    public static SocketWire connect(SocketAddress address) {
        return new SocketWire(ClientSocket.connect(address, 0));
    }

    @Override
    public int room() {
        return broken || ending ? 0 : PENDING_MAX - pendingTo;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        if (broken || ending) {
            return; // the server is gone, but its last bytes can still be read
        }
        if (pendingTo + length > pending.length) {
            pending = Arrays.copyOf(pending, 2 * (pendingTo + length));
        }
        System.arraycopy(bytes, from, pending, pendingTo, length);
        pendingTo += length;
        flush();
    }

    @Override
    public int read(byte[] into) {
        try {
            int n = socket.read(ByteBuffer.wrap(into));
            if (n > 0) {
                moved();
            }
            return n < 0 ? END : n;
        } catch (IOException e) {
            broken = true;
            return RESET;
        }
    }

    @Override
    public boolean advance(boolean reads) {
        flush();
        int waiting = pendingTo > 0 && !broken ? SelectionKey.OP_WRITE : 0;
        socket.await(waiting | (reads ? SelectionKey.OP_READ : 0), PAUSE_MILLIS);
        return System.nanoTime() - lastMoveNanos < PATIENCE_NANOS;
    }

    @Override
    public void end() {
        ending = true;
        flush();
    }

    @Override
    public void reset() {
        socket.reset();
    }

    @Override
    public void close() {
        socket.close();
    }

    private void flush() {
        try {
            ByteBuffer out = ByteBuffer.wrap(pending, 0, pendingTo);
            if (!broken && socket.write(out) > 0) {
                moved();
                System.arraycopy(pending, out.position(), pending, 0, out.remaining());
                pendingTo = out.remaining();
            }
            if (ending && pendingTo == 0 && !broken) {
                socket.finish();
            }
        } catch (IOException e) {
            broken = true;
        }
    }

    private void moved() {
        lastMoveNanos = System.nanoTime();
    }
}
