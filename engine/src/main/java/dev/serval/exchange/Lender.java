package dev.serval.exchange;

import java.nio.ByteBuffer;

/// Lends buffers to exchanges. Owned by the loop.
public interface Lender {
    /// Lends a buffer of some KiB, empty, on the heap.
    ByteBuffer lend();

    /// Counts memory that a connection holds though it was not lent here, such as the head of its
    /// request; negative when it is given back.
    void hold(long bytes);

    /// Takes back what [#lend] returned.
    void giveBack(ByteBuffer lent);
}
