package dev.serval;

import dev.serval.exchange.Lender;
import dev.serval.net.BufferPool;
import java.nio.ByteBuffer;

/// Lends buffers of a loop's pool to its exchanges. Owned by the loop.
record PoolLender(BufferPool pool) implements Lender {
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
}
