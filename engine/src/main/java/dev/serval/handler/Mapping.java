package dev.serval.handler;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Requests that are alike to whoever carries them: of one servlet, or of one mount. What they did
/// to the loops that carried them is learned here, for each loop by itself, so that nothing is
/// shared. The name may be read by any thread.
public final class Mapping {
    private static final int FIRST_REQUESTS = 50; // classes are loaded, code is compiled
    private static final int PREEMPTIONS = 8;
    private static final int PREEMPTIONS_ON_TRIAL = 3;
    private static final int PARTS_PER_PREEMPTION = 32;
    private static final int PARTS_OF_A_TRIAL = 4096;
    private static final long POOL_NANOS = 1_000_000_000;
    private static final long POOL_NANOS_MAX = 60 * POOL_NANOS;

    private final String name;
    private volatile @Nullable HandlerProfile[]
            profiles = {}; // by loop; grown under this object's lock

    /// One of which nothing is known: its first requests go to the pool.
    ///
    /// @param name for people: a prefix, a servlet's name
    public Mapping(String name) {
        this.name = name;
    }

    /// For people.
    public String name() {
        return name;
    }

    /// What is known on that loop.
    public HandlerProfile at(int loop) {
        @Nullable HandlerProfile[] known = profiles;
        @Nullable HandlerProfile profile = loop < known.length ? known[loop] : null;
        return profile != null ? profile : first(loop);
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
    /// Owned by the loop. What happens to it in the pool counts for nothing.
    public static final class HandlerProfile {
        private enum State {
            FIRST,
            LOOP,
            POOL,
            TRIAL
        }

        private State state = State.FIRST;
        private int requests; // of the first ones
        private long parts; // since the first preempt that counts, or the trial's begin
        private int preemptions;
        private long untilNanos;
        private long poolNanos = POOL_NANOS;

        HandlerProfile() {}

        /// Whether the next request should be carried by the pool.
        public boolean prefersPool() {
            return state == State.FIRST || state == State.POOL;
        }

        /// A request begins.
        ///
        /// @return whether it is the first on trial after a time in the pool
        public boolean request(long nowNanos) {
            if (state == State.FIRST && ++requests > FIRST_REQUESTS) {
                enter(State.LOOP);
            } else if (state == State.POOL && nowNanos - untilNanos >= 0) {
                enter(State.TRIAL);
                return true;
            }
            return false;
        }

        /// The loop carried a part of a request.
        public void carried() {
            parts++;
            if (state == State.TRIAL && parts >= PARTS_OF_A_TRIAL) {
                poolNanos = POOL_NANOS;
                enter(State.LOOP);
            }
        }

        /// The loop was taken from a part that kept it.
        ///
        /// @return whether the mapping belongs to the pool from now on
        public boolean preempted(long nowNanos) {
            if (prefersPool()) {
                return false; // began before that was known
            }
            parts++;
            preemptions++;
            if (state == State.LOOP && (long) preemptions * PARTS_PER_PREEMPTION < parts) {
                preemptions = 1; // rare ones are no habit: counting begins here
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
