package dev.serval.loop;

/// What a loop sleeps in: all it sees of sockets. A turn calls [#poll], [#dispatch] and [#endTurn]
/// in this order. Owned by the loop's thread but for [#wakeup].
public interface Poller {
    /// Waits until something is ready, [#wakeup] is called, or the time is over, and notes what is
    /// ready without acting on it.
    ///
    /// @param timeoutNanos 0 does not wait, [Long#MAX_VALUE] waits for ever
    void poll(long timeoutNanos);

    /// Acts on what [#poll] noted.
    void dispatch();

    /// The turn is over: nothing that was gathered may stay behind.
    void endTurn();

    /// Ends a poll under way, or the next one. Any thread.
    void wakeup();

    /// Closes everything that is registered here.
    void close();
}
