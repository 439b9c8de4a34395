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
    public ByteBuffer lendLong() {
        return ByteBuffer.wrap(pool.array(64 << 10));
    }

    @Override
    @SuppressWarnings("ByteBufferBackingArray") // each has its own array
    public void giveBackLong(ByteBuffer lent, boolean reusable) {
        if (reusable) {
            pool.giveBack(lent.array());
        } else {
            pool.drop(lent.array());
        }
    }

    @Override
    public byte[] spare() {
        return new byte[SpareArrays.ARRAY_BYTES];
    }

    @Override
    public void keep(byte[] spare) {}
}
