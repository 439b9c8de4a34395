package dev.serval.bench.client;

import java.util.PriorityQueue;

/// Users who think, in the order of the instants at which they act again. The deadlines of the engine
/// fire together each 17 ms, so that users would come in groups, and wait for each other. Used by the
/// thread of the load.
public final class Thoughts {
    private final PriorityQueue<Thinker> thinking =
            new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos() - b.dueNanos()));

    /// One who thinks.
    public interface Thinker {
        /// Returns the instant of the system's clock at which it acts, which stays while it thinks.
        long dueNanos();

        /// Acts, after its thought is over.
        void thought();
    }

    /// Lets a user act at its instant, not before the next call of [#act].
    public void add(Thinker thinker) {
        thinking.add(thinker);
    }

    /// Ends a thought before its time. The user does not act.
    public void remove(Thinker thinker) {
        thinking.remove(thinker);
    }

    /// Lets those act whose thoughts are over at an instant.
    public void act(long now) {
        while (!thinking.isEmpty() && thinking.element().dueNanos() - now <= 0) {
            thinking.remove().thought();
        }
    }

    /// Returns the time from an instant to the next thought's end, at most so many nanoseconds. Less
    /// than nothing if it is over.
    public long pauseNanos(long now, long nanosMax) {
        return thinking.isEmpty()
                ? nanosMax
                : Math.min(nanosMax, thinking.element().dueNanos() - now);
    }

    /// Ends all thoughts.
    public void clear() {
        thinking.clear();
    }
}
