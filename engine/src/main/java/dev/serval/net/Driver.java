package dev.serval.net;

/// Interprets a connection's bytes. Net calls it on the connection's loop. After [#closed] it calls
/// no method any more.
public interface Driver {
    /// Creates the driver of a new connection.
    @FunctionalInterface
    interface Factory {
        /// Returns the transport of a new connection: `socket` itself, or one that transforms the
        /// bytes on their way, as TLS does. Called once, before [#open], on the loop.
        default Transport transport(NetLoop net, Transport socket) {
            return socket;
        }

        /// Returns the transport on which a connection continues after a header in clear
        /// ([Connection#headerEnded]): `socket` itself, or one that transforms all that follows. Called
        /// on the loop.
        default Transport transport(NetLoop net, Transport socket, ClearHeader header) {
            return socket;
        }

        /// Returns for how long the listener should accept nothing; 0 if it may accept. Called before
        /// connections are accepted, on their loop.
        default long acceptPauseNanos(NetLoop net) {
            return 0;
        }

        /// Creates a driver. Called once, before any byte is read. It may abort the connection at
        /// once.
        Driver open(Connection connection);
    }

    /// Handles bytes, or their end, that [Input#fill] can read. Called only while the connection
    /// wants to read.
    void readable();

    /// Notes that the transport takes no more bytes for now, or that a file is read for it. Written
    /// bytes wait.
    void blocked();

    /// Notes that the transport has taken all written bytes. Called after [#blocked], and once
    /// after [Connection#wantDrained].
    void drained();

    /// Notes that the connection is closed: it was reset, failed, or we closed it. Its input and
    /// output have been freed.
    ///
    /// @param byPeer whether it ended without our decision
    void closed(boolean byPeer);

    /// Starts to end: the driver ends as soon as the work in progress allows, because the server
    /// drains.
    void drain();

    /// Notes that the load mode of the server has changed, so that other limits may apply to an idle
    /// connection.
    default void loadChanged() {}

    /// Returns whether no work is in progress and none was announced, so that the connection may be
    /// closed without a reset when its loop ends.
    default boolean isIdle() {
        return false;
    }

    /// Returns whether the driver reads what has arrived, by [#readable] as it wants to, before
    /// [#closed] is called for a connection that broke: a write has failed, or the peer has left
    /// while the driver did not want to read. Its writes have no effect meanwhile. The driver bounds
    /// how long this takes. For a driver that waits for an answer: the peer may answer and close
    /// before it has read all of the request (RFC 9112 §9.5), or before the client has taken the
    /// answer.
    default boolean readsAfterBreak() {
        return false;
    }

    /// Returns the bytes of memory that the driver holds besides input and output. The driver also
    /// counts them by [BufferPool#hold].
    default long held() {
        return 0;
    }

    /// Gives back memory that the connection does not need at present, because the loop is short of
    /// memory.
    default void trim() {}

    /// Prepares to end, because the loop is short of memory. The driver may answer first if the
    /// answer needs no more memory than it gives back.
    ///
    /// @return whether the driver ends the connection; if not, the connection is reset
    default boolean preempt() {
        return false;
    }
}
