package dev.serval.exchange;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Lends buffers to exchanges. Owned by the loop, unless a method says that any thread may call it.
public interface Lender {
    /// Lends an empty heap buffer of some KiB. Any thread.
    ByteBuffer lend();

    /// Counts memory that a connection holds although it was not lent here, such as the head of its
    /// request. Negative after a release.
    void hold(long bytes);

    /// Takes back a buffer of [#lend].
    void giveBack(ByteBuffer lent);

    /// Lends an empty heap buffer for long content that has arrived, or returns null if the loop has lent
    /// many.
    @Nullable ByteBuffer lendLong();

    /// Takes back a buffer of [#lendLong].
    ///
    /// @param reusable whether no thread may use it any more
    void giveBackLong(ByteBuffer lent, boolean reusable);

    /// Returns an array of some KiB with arbitrary content. It need not be given back. Any thread.
    byte[] spare();

    /// Takes an array for later callers of [#spare], if it is of use to them. No thread may use the
    /// array any more. Any thread.
    void keep(byte[] spare);
}
