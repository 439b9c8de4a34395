package dev.serval.gateway.lrwp;

import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Wire;

/// A [Wire] to a [GatewayInMemory]. It turns the loops.
final class GatewayWire implements Wire {
    private static final byte[] NONE = {};

    private final GatewayInMemory gateway;
    private final MemoryPeer peer;
    private byte[] taken = NONE;
    private int at;

    GatewayWire(GatewayInMemory gateway, MemoryPeer peer) {
        this.gateway = gateway;
        this.peer = peer;
    }

    @Override
    public int room() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        peer.send(bytes, from, length);
    }

    @Override
    public int read(byte[] into) {
        if (at == taken.length) {
            taken = peer.take();
            at = 0;
        }
        int n = Math.min(into.length, taken.length - at);
        if (n == 0) {
            return peer.sawReset() ? RESET : peer.sawEnd() ? END : 0;
        }
        System.arraycopy(taken, at, into, 0, n);
        at += n;
        return n;
    }

    @Override
    public boolean advance(boolean reads) {
        gateway.run();
        return peer.length() > 0 || peer.isClosed();
    }

    @Override
    public void end() {
        peer.end();
    }

    @Override
    public void reset() {
        peer.reset();
    }

    @Override
    public void close() {
        reset();
    }
}
