package dev.serval.exchange;

import java.nio.ByteBuffer;

/// Lends buffers to exchanges. Owned by the loop.
public interface Lender {
    /// Lends an empty heap buffer of some KiB.
    ByteBuffer lend();

    /// Counts memory that a connection holds although it was not lent here, such as the head of its
    /// request. Negative after a release.
    void hold(long bytes);

    /// Takes back a buffer of [#lend].
    void giveBack(ByteBuffer lent);
}
