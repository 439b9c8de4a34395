package dev.serval;

import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.metrics.Distribution;
import dev.serval.worker.LoopWorkers;

/// A snapshot of what an event loop does.
///
/// @param index the number of the loop, from 0
/// @param connections open connections, also those to peers and upstreams
/// @param deadlines those that are set
/// @param workers requests whose application code has not ended
/// @param readyWorkers those of them that wait for the loop to carry them
/// @param heldBytes the memory that connections hold
/// @param lagNanos how long the loop took to answer this question
/// @param turns how many turns it has made, and how long they took
/// @param busyNanos the time that it has not waited in polls
public record LoopView(
        int index,
        int connections,
        int deadlines,
        int workers,
        int readyWorkers,
        long heldBytes,
        long lagNanos,
        Distribution turns,
        long busyNanos) {
    /// Returns the view of a loop. On that loop.
    static LoopView of(ServerLoop one, long askedNanos) {
        EventLoop loop = one.net().loop();
        LoopWorkers workers = one.exchanges().workers();
        return new LoopView(
                loop.index(),
                one.net().connections(),
                loop.timers().armed(),
                workers.count(),
                workers.readyCount(),
                one.net().pool().held(),
                Clock.SYSTEM.nanos() - askedNanos,
                loop.meter().turns(),
                loop.meter().busyNanos());
    }
}
