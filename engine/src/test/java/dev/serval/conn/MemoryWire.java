package dev.serval.conn;

import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Wire;

/// A [Wire] to a [MemoryServer]. It turns the server's loop.
final class MemoryWire implements Wire {
    private static final int HELD_MAX = 64 << 10;
    private static final int QUIET_TURNS_MAX = 100;
    private static final byte[] NONE = {};

    private final MemoryServer server;
    private final MemoryPeer peer;
    private byte[] taken = NONE;
    private int at;
    private int quiet;
    private boolean ended;
    private boolean reset;

    MemoryWire(MemoryServer server) {
        this.server = server;
        this.peer = server.connect();
        peer.window(HELD_MAX);
    }

    /// Returns the client's end.
    MemoryPeer peer() {
        return peer;
    }

    @Override
    public int room() {
        return ended || reset ? 0 : HELD_MAX - peer.unread();
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        if (!ended && !reset) {
            quiet = 0;
            peer.send(bytes, from, length);
        }
    }

    @Override
    public int read(byte[] into) {
        if (at == taken.length) {
            taken = peer.take();
            at = 0;
            peer.window(HELD_MAX);
        }
        int n = Math.min(into.length, taken.length - at);
        if (n == 0) {
            return reset || peer.sawReset() ? RESET : peer.sawEnd() ? END : 0;
        }
        quiet = 0;
        System.arraycopy(taken, at, into, 0, n);
        at += n;
        return n;
    }

    @Override
    public boolean advance(boolean reads) {
        server.turn();
        server.workOnly();
        return ++quiet < QUIET_TURNS_MAX;
    }

    @Override
    public void end() {
        ended = true;
        quiet = 0;
        peer.end();
    }

    @Override
    public void reset() {
        reset = true;
        quiet = 0;
        peer.reset();
    }

    @Override
    public void close() {
        reset();
    }
}
