package dev.serval.servlet.kept;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.session.Session;
import dev.serval.servlet.session.SessionClock;
import dev.serval.servlet.session.SessionUnavailableException;
import dev.serval.servlet.vault.DamagedSessionException;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Does what is due in a vault: ends overdue sessions, has idle ones leave the memory, and removes
/// what could not be removed before. The timer calls [#tick], which starts one thread for
/// application code at most.
final class VaultUpkeep {
    private static final int OVERDUE_MAX = 2_000; // each second
    private static final int SHARED_TICKS = 10; // between statements that find overdue sessions
    private static final long OVERDUE_GRACE_MILLIS = 5_000;
    private static final long STOP_MAX_NANOS = 10_000_000_000L;
    private static final int UNREMOVED_MAX = 10_000;
    private static final int SWEEPS = 128; // twice the parts of a vault: the timer may take some

    /// Something to do with a stored session.
    interface Step {
        /// Runs it for one session.
        void run(SessionKey key) throws IOException;
    }

    private final KeptSessions store;
    private final SessionVault vault;
    private final Queue<String> unremoved = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unremovedCount = new AtomicInteger();
    private final AtomicBoolean working = new AtomicBoolean();
    private int ticks; // of the timer

    VaultUpkeep(KeptSessions store, SessionVault vault) {
        this.store = store;
        this.vault = vault;
    }

    /// Has the session of an id removed later, because the vault does not answer now.
    void removeLater(String id) {
        if (unremovedCount.get() < UNREMOVED_MAX) {
            unremovedCount.incrementAndGet();
            unremoved.add(id);
        }
    }

    /// Starts what is due.
    void tick() {
        ticks++;
        boolean looks = vault.isShared() && ticks % SHARED_TICKS == 0;
        List<SessionKey> overdue = vault.isShared() ? List.of() : overdue();
        List<Session> held = looks ? store.fading() : List.of();
        boolean due = looks || !overdue.isEmpty() || !held.isEmpty();
        due |= store.isCrowded() || !unremoved.isEmpty();
        if (!due || !working.compareAndSet(false, true)) {
            return;
        }
        try {
            store.sessions().threads().execute(() -> work(looks, overdue, held));
        } catch (RuntimeException | Error e) {
            working.set(false);
            throw e;
        }
    }

    /// Does a step with each stored session of a vault that this server alone uses.
    void each(Step step) {
        for (int i = 0; i < SWEEPS && vault.size() > 0; i++) {
            for (SessionKey key : overdue(Long.MAX_VALUE, Integer.MAX_VALUE)) {
                run(step, key);
            }
        }
    }

    private List<SessionKey> overdue() {
        return overdue(store.saver().nowMillis() - OVERDUE_GRACE_MILLIS, OVERDUE_MAX);
    }

    private List<SessionKey> overdue(long millis, int max) {
        try {
            return vault.overdue(millis, max);
        } catch (IOException e) {
            store.saver().report(e);
            return List.of();
        }
    }

    private void work(boolean looks, List<SessionKey> found, List<Session> held) {
        try {
            held.forEach(store.saver()::renew);
            for (SessionKey key : looks ? overdue() : found) {
                run(this::expire, key);
            }
            while (!store.isClosed() && store.isCrowded() && store.makeRoom()) {}
            removeLate();
        } finally {
            working.set(false);
        }
    }

    private void run(Step step, SessionKey key) {
        try {
            step.run(key);
        } catch (DamagedSessionException e) {
            store.lost(e);
        } catch (IOException e) {
            store.saver().report(e);
        } catch (SessionUnavailableException e) {
            // reported already; the next look tries again
        }
    }

    /// Brings an overdue session to memory, where it ends with its listeners.
    private void expire(SessionKey key) throws IOException {
        @Nullable StoredSession stored = vault.read(key);
        if (stored == null || store.isClosed()) {
            return;
        }
        @Nullable Session present = store.inMemory(stored.id());
        if (present == null) {
            @Nullable Session _ = store.load(stored.id());
        } else {
            boolean holds = present.isUsed();
            SessionSaver saver = store.saver();
            long used = holds ? saver.nowMillis() : saver.millisAt(present.accessedNanos());
            if (used > saver.lastUseMillis(stored)) {
                vault.touch(key, used, present.maxInactiveSeconds());
            }
        }
    }

    /// Ends sessions that have left the memory, so that listeners learn of it, for a limited time.
    void endAll(Consumer<Session> end) {
        SessionClock clock = store.sessions().clock();
        long began = clock.nowNanos();
        each(key -> {
            if (clock.nowNanos() - began < STOP_MAX_NANOS) {
                StoredSession stored = vault.read(key);
                Session session = stored == null ? null : store.load(stored.id());
                if (session != null) {
                    end.accept(session);
                }
            }
        });
        if (vault.size() > 0) {
            String left =
                    " sessions outside memory end without their listeners, because that would take"
                            + " too long.";
            store.sessions().log().log(WARNING, vault.size() + left);
        }
    }

    /// Removes what could not be removed before, until the vault refuses again.
    void removeLate() {
        for (String id = unremoved.poll(); id != null; id = unremoved.poll()) {
            try {
                vault.remove(SessionKey.of(id));
                unremovedCount.decrementAndGet();
                store.forgotten(id);
            } catch (IOException e) {
                unremoved.add(id);
                store.saver().report(e);
                return;
            }
        }
    }
}
