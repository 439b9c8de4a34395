package dev.serval.loop;

import java.util.function.BooleanSupplier;

/// The sockets of a loop, as the loop sees them; the loop sleeps in [#poll]. A turn calls [#poll],
/// [#dispatch] and [#endTurn] in this order. Owned by the loop's thread, except for [#wakeup].
public interface Poller {
    /// Waits until a socket is ready, [#wakeup] is called, or the timeout expires. Records what is
    /// ready, without acting on it.
    ///
    /// @param timeoutNanos 0 does not wait, [Long#MAX_VALUE] waits for ever
    void poll(long timeoutNanos);

    /// Acts on what [#poll] recorded. It may stop once `enough` returns true; then the next poll
    /// does not wait, and the next call acts on the rest.
    void dispatch(BooleanSupplier enough);

    /// Ends the turn: sends or releases all that was collected during it.
    void endTurn();

    /// Ends the current poll, or the next one. Any thread.
    void wakeup();

    /// Closes all that is registered here.
    void close();
}
