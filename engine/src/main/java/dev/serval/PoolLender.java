package dev.serval;

import dev.serval.exchange.Lender;
import dev.serval.net.BufferPool;
import dev.serval.net.SpareArrays;
import java.nio.ByteBuffer;

/// Lends buffers of a loop's pool to its exchanges.
record PoolLender(BufferPool pool, SpareArrays spares) implements Lender {
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
        return spares.take();
    }

    @Override
    public void keep(byte[] spare) {
        spares.keep(spare);
    }
}
