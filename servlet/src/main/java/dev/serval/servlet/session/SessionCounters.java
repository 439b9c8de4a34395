package dev.serval.servlet.session;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts the sessions of one application. Any thread.
public final class SessionCounters {
    private final LongAdder created = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Map<SessionEnd, LongAdder> ended = new EnumMap<>(SessionEnd.class);
    private final AtomicInteger active = new AtomicInteger();

    SessionCounters() {
        for (SessionEnd reason : SessionEnd.values()) {
            ended.put(reason, new LongAdder());
        }
    }

    /// Returns how many sessions were created.
    public long created() {
        return created.sum();
    }

    /// Returns how many creations failed because the limit was reached.
    public long refused() {
        return refused.sum();
    }

    /// Returns how many sessions ended for the reason.
    public long ended(SessionEnd reason) {
        return of(reason).sum();
    }

    /// Returns how many sessions the flood rule ended: unconfirmed for too long, or evicted.
    public long endedByFloodRule() {
        return ended(SessionEnd.UNCONFIRMED) + ended(SessionEnd.EVICTED);
    }

    /// Returns how many sessions exist, with those that are ending.
    public int active() {
        return active.get();
    }

    /// Counts one more active session, unless there are `sessionsMax`.
    boolean reserve(int sessionsMax) {
        while (true) {
            int now = active.get();
            if (now >= sessionsMax) {
                return false;
            }
            if (active.compareAndSet(now, now + 1)) {
                return true;
            }
        }
    }

    /// Takes back a reservation, because no session was created.
    void unreserve() {
        active.decrementAndGet();
    }

    void countCreated() {
        created.increment();
    }

    void countRefused() {
        refused.increment();
    }

    /// Counts the end of a session that was reserved.
    void countEnded(SessionEnd reason) {
        of(reason).increment();
        active.decrementAndGet();
    }

    private LongAdder of(SessionEnd reason) {
        return Objects.requireNonNull(ended.get(reason));
    }
}
