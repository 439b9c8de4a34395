package dev.serval.conn;

import dev.serval.exchange.Lender;
import dev.serval.net.BufferPool;
import dev.serval.net.SpareArrays;
import java.nio.ByteBuffer;

/// Lends buffers of a pool.
record TestLender(BufferPool pool) implements Lender {
    @Override
    public ByteBuffer lend() {
        return pool.heap();
    }

    @Override
    public void hold(long bytes) {
        pool.hold(bytes);
    }

    @Override
    public void giveBack(ByteBuffer lent) {
        pool.giveBack(lent);
    }

    @Override
    public byte[] spare() {
        return new byte[SpareArrays.ARRAY_BYTES];
    }

    @Override
    public void keep(byte[] spare) {}
}
