package dev.serval.servlet.session;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/// Counts the sessions of one application. Any thread.
public final class SessionCounters {
    /// Why a session was lost that a client may still ask for.
    public enum Loss {
        /// Its stored form was damaged, of a changed class, or held a class that is not allowed.
        UNREADABLE,
        /// It could not be stored when the application stopped.
        UNSTORED,
        /// Another server had changed it meanwhile, so the changes of one request were dropped.
        CONFLICT,
        /// A request had changed it after the next version of the application took a copy of it.
        LATE
    }

    private final LongAdder created = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Map<SessionEnd, LongAdder> ended = new EnumMap<>(SessionEnd.class);
    private final Map<Loss, LongAdder> lost = new EnumMap<>(Loss.class);
    private final LongAdder passivated = new LongAdder();
    private final LongAdder activated = new LongAdder();
    private final LongAdder unkeepable = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final AtomicInteger active = new AtomicInteger();

    SessionCounters() {
        for (SessionEnd reason : SessionEnd.values()) {
            ended.put(reason, new LongAdder());
        }
        for (Loss reason : Loss.values()) {
            lost.put(reason, new LongAdder());
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

    /// Returns how many sessions were lost for the reason.
    public long lost(Loss reason) {
        return Objects.requireNonNull(lost.get(reason)).sum();
    }

    /// Returns how many sessions were lost for any reason.
    public long lost() {
        return lost.values().stream().mapToLong(LongAdder::sum).sum();
    }

    /// Returns how often a session has left the memory for the vault.
    public long passivated() {
        return passivated.sum();
    }

    /// Returns how often a session came to memory from the vault.
    public long activated() {
        return activated.sum();
    }

    /// Returns how often a session could not be stored because of what it holds.
    public long unkeepable() {
        return unkeepable.sum();
    }

    /// Returns how often the vault could not be read or written.
    public long failures() {
        return failures.sum();
    }

    /// Returns how many sessions exist, in memory or not, with those that are ending.
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

    /// Counts sessions that exist already, from a vault.
    public void adopt(int sessions) {
        active.addAndGet(sessions);
    }

    public void countLost(Loss reason) {
        Objects.requireNonNull(lost.get(reason)).increment();
    }

    public void countPassivated() {
        passivated.increment();
    }

    public void countActivated() {
        activated.increment();
    }

    public void countUnkeepable() {
        unkeepable.increment();
    }

    public void countFailure() {
        failures.increment();
    }

    /// Takes back a reservation, because no session was created, or it exists elsewhere.
    public void unreserve() {
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

    /// Counts the end of sessions that nothing in the application hears of.
    public void countStopped(int sessions) {
        of(SessionEnd.STOPPED).add(sessions);
        active.addAndGet(-sessions);
    }

    private LongAdder of(SessionEnd reason) {
        return Objects.requireNonNull(ended.get(reason));
    }
}
