package dev.serval;

import dev.serval.exchange.Lender;
import dev.serval.net.BufferPool;
import dev.serval.net.SpareArrays;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Lends buffers of a loop's pool to its exchanges. Owned by the loop, but any thread may call what
/// [Lender] says.
final class PoolLender implements Lender {
    private static final int LONG_BYTES = 64 << 10; // as much as one read of a socket
    private static final int LONG_MAX = 32;

    private final BufferPool pool;
    private final SpareArrays spares = new SpareArrays();
    private int longLent;

    PoolLender(BufferPool pool) {
        this.pool = pool;
    }

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
    public @Nullable ByteBuffer lendLong() {
        if (longLent == LONG_MAX) {
            return null;
        }
        byte[] array = pool.array(LONG_BYTES);
        longLent++; // only after the allocation succeeded
        return ByteBuffer.wrap(array);
    }

    @Override
    @SuppressWarnings("ByteBufferBackingArray") // each has its own array
    public void giveBackLong(ByteBuffer lent, boolean reusable) {
        longLent--;
        if (reusable) {
            pool.giveBack(lent.array());
        } else {
            pool.drop(lent.array());
        }
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
