package dev.serval.exchange;

import java.nio.ByteBuffer;

/// Lends buffers to exchanges. Owned by the loop.
public interface Lender {
    /// Lends a buffer of some KiB, empty, on the heap.
    ByteBuffer lend();

    /// Takes back what [#lend] returned.
    void giveBack(ByteBuffer lent);
}
