package dev.serval.net;

/// Knows what a connection's bytes mean: what net calls, on the connection's loop. After
/// [#closed] nothing is called any more.
public interface Driver {
    /// Makes the driver of a new connection.
    @FunctionalInterface
    interface Factory {
        /// Called once, before anything was read. It may abort the connection at once.
        Driver open(Connection connection);
    }

    /// Bytes (or their end) can be read by [Input#fill]. Called while the connection wants to read.
    void readable();

    /// The peer's side takes no more for now: what was written waits.
    void blocked();

    /// Everything that was written has been taken by the peer's side. Called after [#blocked], and
    /// once after [Connection#wantDrained].
    void drained();

    /// The connection is gone: reset, failed, or closed by us. What it held has been given back.
    ///
    /// @param byPeer whether it ended without our asking
    void closed(boolean byPeer);

    /// The server drains: end as soon as what is in progress allows.
    void drain();

    /// Bytes of memory that it holds for the connection, beside input and output; it has told the
    /// pool of them ([BufferPool#hold]).
    default long held() {
        return 0;
    }

    /// The loop is short of memory: gives back what the connection does not need at present.
    default void trim() {}

    /// The loop is short of memory and this connection has to end. It may answer first, if that needs
    /// no more than what it gives back.
    ///
    /// @return whether it ends the connection by itself; if not, the connection is reset
    default boolean preempt() {
        return false;
    }
}
