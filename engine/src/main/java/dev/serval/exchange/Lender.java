package dev.serval.exchange;

import java.nio.ByteBuffer;

/// Lends buffers to exchanges. Owned by the loop, unless a method says that any thread may call it.
public interface Lender {
    /// Lends an empty heap buffer of some KiB. Any thread.
    ByteBuffer lend();

    /// Counts memory that a connection holds although it was not lent here, such as the head of its
    /// request. Negative after a release.
    void hold(long bytes);

    /// Takes back a buffer of [#lend].
    void giveBack(ByteBuffer lent);

    /// Returns an array of some KiB with arbitrary content. It need not be given back. Any thread.
    byte[] spare();

    /// Takes an array for later callers of [#spare], if it is of use to them. No thread may use the
    /// array any more. Any thread.
    void keep(byte[] spare);
}
