package dev.serval.conn;

import dev.serval.http.Handler.Upkeep;
import dev.serval.http.Place;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// What handlers have to see to later: a deadline of the loop for each, whose work runs at
/// [Place#DISK]. Nothing is set where nobody asked. Owned by the loop.
final class UpkeepTimers {
    /// Wait before another try where that place has no room.
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EventLoop loop;
    private final Place.Pools places;
    private final Set<Deadline> set = new HashSet<>(); // as many as handlers asked
    private boolean over;

    UpkeepTimers(EventLoop loop, Place.Pools places) {
        this.loop = loop;
        this.places = places;
    }

    /// Runs `work` at `atNanos` and for as long as it asks to be run again.
    void set(Upkeep work, long atNanos) {
        if (!over && atNanos != Upkeep.NEVER) {
            One one = new One(work);
            set.add(one.deadline);
            loop.timers().set(one.deadline, atNanos);
        }
    }

    /// Runs nothing more.
    void end() {
        over = true;
        set.forEach(loop.timers()::cancel);
        set.clear();
    }

    private final class One {
        private final Upkeep work;
        private final Deadline deadline = new Deadline(this::due);
        private long atNanos; // handed to the loop by its command queue

        One(Upkeep work) {
            this.work = work;
        }

        private void due() {
            long now = loop.nowNanos();
            if (!places.submit(Place.DISK, () -> run(now), () -> {})) {
                loop.timers().set(deadline, now + RETRY_NANOS);
            }
        }

        /// At the place.
        private void run(long nowNanos) {
            atNanos = Upkeep.NEVER;
            try {
                atNanos = work.run(nowNanos);
            } finally {
                loop.execute(this::again);
            }
        }

        private void again() {
            if (over || atNanos == Upkeep.NEVER) {
                set.remove(deadline);
            } else {
                loop.timers().set(deadline, atNanos);
            }
        }
    }
}
