package dev.serval.handler;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// A group of requests that run the same code, such as those of one servlet or one mount. It learns
/// how they affect each loop that carries them; loops share none of this state. Any thread may read
/// the name.
public final class Mapping {
    private static final int FIRST_REQUESTS = 50; // these load classes and compile code
    private static final int PREEMPTIONS = 8;
    private static final int PREEMPTIONS_ON_TRIAL = 3;
    private static final int PARTS_PER_PREEMPTION = 32;
    private static final int PARTS_OF_A_TRIAL = 4096;
    private static final int WORK_SHIFT = 4; // the weight of one request is 1/16
    private static final int WORK_TIMES_MAX = 4; // as much counts of one that a collection held up
    private static final long WORK_NANOS_MAX = 1_000_000; // counts even if the mean is short
    private static final long POOL_NANOS = 1_000_000_000;
    private static final long POOL_NANOS_MAX = 60 * POOL_NANOS;

    private final String name;
    private volatile @Nullable HandlerProfile[]
            profiles = {}; // by loop; grown under this object's lock

    /// Creates a mapping without experience: its first requests go to the pool.
    ///
    /// @param name a name for people: a prefix or a servlet's name
    public Mapping(String name) {
        this.name = name;
    }

    /// Returns the name for people.
    public String name() {
        return name;
    }

    /// Returns the profile on that loop.
    public HandlerProfile at(int loop) {
        @Nullable HandlerProfile[] known = profiles;
        @Nullable HandlerProfile profile = loop < known.length ? known[loop] : null;
        return profile != null ? profile : first(loop);
    }

    /// Returns how long its requests have taken, on all loops together.
    public Times times() {
        Times sum = new Times(0, 0, 0);
        for (@Nullable HandlerProfile profile : profiles) {
            if (profile != null) {
                sum = sum.plus(profile.times());
            }
        }
        return sum;
    }

    /// How long the requests of a mapping have taken, from the creation of the Worker to its end.
    /// An asynchronous request has several Workers, and counts once for each.
    ///
    /// @param requests those that have ended
    /// @param sumNanos of all of them
    /// @param maxNanos of the longest
    public record Times(long requests, long sumNanos, long maxNanos) {
        /// Returns the mean; 0 without requests.
        public long meanNanos() {
            return requests == 0 ? 0 : sumNanos / requests;
        }

        private Times plus(Times other) {
            return new Times(
                    requests + other.requests,
                    sumNanos + other.sumNanos,
                    Math.max(maxNanos, other.maxNanos));
        }
    }

    private synchronized HandlerProfile first(int loop) {
        @Nullable HandlerProfile[] known = profiles;
        @Nullable HandlerProfile profile = loop < known.length ? known[loop] : null;
        if (profile == null) {
            profile = new HandlerProfile();
            known = Arrays.copyOf(known, Math.max(loop + 1, known.length));
            known[loop] = profile;
            profiles = known;
        }
        return profile;
    }

    /// How a mapping behaves on one loop.
    ///
    /// ```
    ///   FIRST ── 50 requests ──▶ LOOP ── 8 preemptions, 1 in 32 parts ──▶ POOL
    ///                             ▲                                   │ ▲
    ///                 4096 parts  │              1 s, doubled to 60 s │ │ 3 preemptions
    ///                             └────────── TRIAL ◀─────────────────┘ │
    ///                                           └───────────────────────┘
    /// ```
    ///
    /// Owned by the loop, but any thread may read the times. Time in the pool does not change the
    /// counts.
    public static final class HandlerProfile {
        private enum State {
            FIRST,
            LOOP,
            POOL,
            TRIAL
        }

        private State state = State.FIRST;
        private int requests; // counted in state FIRST
        private long parts; // since the first counted preemption, or the trial's start
        private int preemptions;
        private long untilNanos;
        private long poolNanos = POOL_NANOS;
        private final AtomicLongArray times = new AtomicLongArray(3); // as the components of Times
        private long workNanos; // the mean of what keeps the loop busy

        HandlerProfile() {}

        /// Returns how long a request keeps the loop busy on average; 0 if nothing is known.
        public long workNanos() {
            return workNanos;
        }

        /// Records the end of a request.
        ///
        /// @param nanos that it took
        /// @param busyNanos that all its parts have kept the loop busy; 0 if the loop carried none
        public void ended(long nanos, long busyNanos) {
            worked(busyNanos);
            times.setRelease(0, times.getPlain(0) + 1);
            times.setRelease(1, times.getPlain(1) + nanos);
            times.setRelease(2, Math.max(times.getPlain(2), nanos));
        }

        private void worked(long nanos) {
            if (nanos <= 0) {
                return;
            }
            long known = workNanos;
            long most = Math.max(WORK_TIMES_MAX * known, WORK_NANOS_MAX);
            workNanos =
                    known == 0 ? nanos : known + ((Math.min(nanos, most) - known) >> WORK_SHIFT);
        }

        private Times times() {
            return new Times(times.getAcquire(0), times.getAcquire(1), times.getAcquire(2));
        }

        /// Returns whether the pool should carry the next request.
        public boolean prefersPool() {
            return state == State.FIRST || state == State.POOL;
        }

        /// Records the start of a request.
        ///
        /// @return whether it is the first request on trial after a time in the pool
        public boolean request(long nowNanos) {
            if (state == State.FIRST && ++requests > FIRST_REQUESTS) {
                enter(State.LOOP);
            } else if (state == State.POOL && nowNanos - untilNanos >= 0) {
                enter(State.TRIAL);
                return true;
            }
            return false;
        }

        /// Records that the loop carried a part of a request.
        public void carried() {
            parts++;
            if (state == State.TRIAL && parts >= PARTS_OF_A_TRIAL) {
                poolNanos = POOL_NANOS;
                enter(State.LOOP);
            }
        }

        /// Records that the watchdog preempted a part that kept the loop busy.
        ///
        /// @return whether the mapping moves to the pool with this preemption
        public boolean preempted(long nowNanos) {
            if (prefersPool()) {
                return false; // the request began before the mapping moved to the pool
            }
            parts++;
            preemptions++;
            if (state == State.LOOP && (long) preemptions * PARTS_PER_PREEMPTION < parts) {
                preemptions = 1; // preemptions are rare, so restart the count
                parts = 1;
            }
            if (preemptions < (state == State.TRIAL ? PREEMPTIONS_ON_TRIAL : PREEMPTIONS)) {
                return false;
            }
            untilNanos = nowNanos + poolNanos;
            poolNanos = Math.min(2 * poolNanos, POOL_NANOS_MAX);
            enter(State.POOL);
            return true;
        }

        private void enter(State next) {
            state = next;
            preemptions = 0;
            parts = 0;
        }
    }
}
