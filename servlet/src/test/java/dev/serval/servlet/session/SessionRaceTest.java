package dev.serval.servlet.session;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Threads call one session at the same moment. The result is one that the calls could have had one
/// after the other. Each race runs many times.
final class SessionRaceTest {
    private static final int ROUNDS = 3_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(3);
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger destroyed = new AtomicInteger();
    private final AtomicInteger idChanges = new AtomicInteger();
    private final SessionFixture fixture = fixture(SessionLimits.STANDARD);
    private final Sessions sessions = fixture.sessions;

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void twoInvalidationsEndOnce() {
        for (int i = 0; i < ROUNDS; i++) {
            SessionFacade session = sessions.create();
            together(() -> invalidateIfNotEnded(session), () -> invalidateIfNotEnded(session));
            assertThat(session.isValid()).isFalse();
        }
        assertThat(destroyed).hasValue(ROUNDS);
        assertEmpty(fixture);
    }

    @Test
    void expiryNeverEndsASessionThatIsJoined() {
        AtomicInteger joined = new AtomicInteger();
        for (int i = 0; i < ROUNDS; i++) {
            String id = fixture.createConfirmed();
            SessionFacade session = fixture.find(id);
            session.setMaxInactiveInterval(1);
            session.release();
            long due = fixture.nowNanos + 3 * SECOND; // the joiner's clock is still before it
            together(
                    () -> sessions.tick(due),
                    () -> {
                        SessionFacade found = sessions.join(id);
                        if (found != null) {
                            joined.incrementAndGet();
                            sessions.tick(due + SECOND);
                            assertThat(found.isValid()).isTrue();
                            found.invalidate();
                            found.release();
                        }
                    });
            fixture.pass(5 * SECOND);
            fixture.tick();
            assertThat(fixture.isAlive(id)).isFalse();
        }
        assertThat(destroyed).hasValue(ROUNDS);
        assertThat(sessions.counters().ended(SessionEnd.EXPIRED)).isEqualTo(ROUNDS - joined.get());
        assertEmpty(fixture);
    }

    /// A use that begins and ends while expiry is being decided counts: one of the two wins.
    @Test
    void expiryDecidesOnTheLatestUse() {
        Session[] all = new Session[2_000];
        boolean[] expired = new boolean[all.length];
        boolean[] used = new boolean[all.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Session(sessions, "id", 1, 0, 0);
            all[i].release(0);
        }
        AtomicInteger front = new AtomicInteger();
        AtomicInteger back = new AtomicInteger();
        together(
                () -> {
                    for (int i = 0; i < all.length; i++) {
                        meet(front, back, i);
                        expired[i] = all[i].beginEndIfIdle(2 * SECOND);
                    }
                },
                () -> {
                    for (int i = 0; i < all.length; i++) {
                        meet(back, front, i);
                        used[i] = all[i].begin(/* joins */ true) != null;
                        if (used[i]) {
                            all[i].release(2 * SECOND);
                        }
                    }
                });
        for (int i = 0; i < all.length; i++) {
            assertThat(expired[i]).isNotEqualTo(used[i]);
        }
    }

    @Test
    void oldIdNamesNoSessionOnceChanged() {
        for (int i = 0; i < ROUNDS; i++) {
            SessionFacade session = sessions.create();
            String old = session.getId();
            AtomicReference<String> after = new AtomicReference<>();
            together(
                    () -> after.set(session.changeId()),
                    () -> {
                        boolean changed = after.get() != null;
                        SessionFacade found = sessions.join(old);
                        assertThat(changed && found != null).isFalse();
                        if (found != null) {
                            found.release();
                        }
                    });
            assertThat(sessions.join(old)).isNull();
            assertThat(fixture.find(session.getId())).isEqualTo(session);
            session.invalidate();
        }
        assertEmpty(fixture);
    }

    @Test
    void changesOfTheIdAreOneAfterTheOther() {
        for (int i = 0; i < ROUNDS; i++) {
            SessionFacade session = sessions.create();
            together(session::changeId, session::changeId);
            assertThat(stored(fixture)).isEqualTo(1);
            assertThat(fixture.find(session.getId())).isEqualTo(session);
            session.invalidate();
        }
        assertThat(idChanges).hasValue(2 * ROUNDS);
        assertEmpty(fixture);
    }

    @Test
    void invalidationDuringAChangeOfTheIdLeavesNothing() {
        for (int i = 0; i < ROUNDS; i++) {
            SessionFacade session = sessions.create();
            together(
                    session::invalidate,
                    () -> {
                        try {
                            session.changeId();
                        } catch (IllegalStateException e) {
                            assertThat(session.isValid()).isFalse();
                        }
                    });
            assertThat(stored(fixture)).isZero();
        }
        assertEmpty(fixture);
    }

    /// Each value is unbound as often as it was bound.
    @Test
    void bindingsBalance() {
        for (int i = 0; i < ROUNDS; i++) {
            SessionFacade session = sessions.create();
            Value one = new Value();
            Value two = new Value();
            together(
                    () -> setIfNotEnded(session, one),
                    () -> setIfNotEnded(session, two),
                    () -> invalidateIfNotEnded(session));
            assertThat(one.bindings).hasValue(0);
            assertThat(two.bindings).hasValue(0);
        }
        assertEmpty(fixture);
    }

    @Test
    void replacementsBalance() {
        for (int i = 0; i < ROUNDS; i++) {
            SessionFacade session = sessions.create();
            Value one = new Value();
            Value two = new Value();
            together(
                    () -> session.setAttribute("a", one),
                    () -> session.setAttribute("a", two),
                    () -> session.removeAttribute("a"));
            int left = session.getAttribute("a") == null ? 0 : 1;
            assertThat(one.bindings.get() + two.bindings.get()).isEqualTo(left);
            session.invalidate();
            assertThat(one.bindings.get() + two.bindings.get()).isZero();
        }
    }

    @Test
    void confirmedSessionIsNeverEvicted() {
        SessionFixture small = fixture(new SessionLimits(1, 1, 1, 0, SECOND, SECOND));
        for (int i = 0; i < ROUNDS; i++) {
            String id = small.createIdle();
            together(
                    () -> {
                        try {
                            small.sessions.create().invalidate();
                        } catch (IllegalStateException e) {
                            assertThat(e).hasMessageContaining("1 sessions");
                        }
                    },
                    () -> {
                        SessionFacade found = small.sessions.join(id);
                        if (found != null) {
                            found.release();
                            assertThat(found.isValid()).isTrue();
                            found.invalidate();
                        }
                    });
            assertThat(small.isAlive(id)).isFalse();
            assertEmpty(small);
        }
    }

    /// Threads create, join, change, set and end sessions at random near the limit. One ticks.
    @Test
    void stressKeepsTheLimitAndLosesNothing() throws InterruptedException {
        int most = 50;
        SessionFixture small =
                fixture(new SessionLimits(most, most, most, 0, 20 * SECOND, 10 * SECOND));
        Queue<String> ids = new ConcurrentLinkedQueue<>();
        Queue<Throwable> faults = new ConcurrentLinkedQueue<>();
        CountDownLatch over = new CountDownLatch(4);
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        try {
                            for (int i = 0; i < 20_000; i++) {
                                step(small, ids, random);
                                assertThat(small.sessions.counters().active()).isBetween(0, most);
                            }
                        } catch (RuntimeException | AssertionError e) {
                            faults.add(e);
                        } finally {
                            over.countDown();
                        }
                    });
        }
        while (over.getCount() > 0) {
            small.pass(SECOND);
            small.tick();
            Thread.onSpinWait();
        }
        Await.open("the threads have ended", over);
        assertThat(faults).isEmpty();
        small.pass(100_000 * SECOND);
        small.tick();
        assertEmpty(small);
        SessionCounters counters = small.sessions.counters();
        long ended = 0;
        for (SessionEnd reason : SessionEnd.values()) {
            ended += counters.ended(reason);
        }
        assertThat(ended).isEqualTo(counters.created()).isEqualTo(destroyed.get());
        assertThat(counters.created()).isEqualTo(created.get()).isGreaterThan(1_000);
        assertThat(small.passWithTicks(600)).isZero(); // nothing is left in a list
    }

    private static void step(SessionFixture small, Queue<String> ids, Random random) {
        try {
            String id = ids.poll();
            SessionFacade session =
                    id == null || random.nextInt(4) == 0
                            ? small.sessions.create()
                            : small.sessions.join(id);
            if (session == null) {
                return;
            }
            switch (random.nextInt(6)) {
                case 0 -> session.invalidate();
                case 1 -> session.changeId();
                case 2 -> session.setMaxInactiveInterval(1 + random.nextInt(40));
                default -> session.setAttribute("a", random.nextInt());
            }
            session.release();
            ids.add(session.getId());
            if (random.nextBoolean()) {
                ids.add(session.getId()); // so that two threads join it
            }
        } catch (IllegalStateException e) {
            assertThat(e.getMessage()).containsAnyOf("invalidated", "50 sessions");
        }
    }

    private SessionFixture fixture(SessionLimits limits) {
        SessionEvents counting =
                new SessionEvents() {
                    @Override
                    public void created(HttpSession session) {
                        created.incrementAndGet();
                    }

                    @Override
                    public void destroyed(HttpSession session) {
                        destroyed.incrementAndGet();
                    }

                    @Override
                    public void idChanged(HttpSession session, String oldId) {
                        idChanges.incrementAndGet();
                    }

                    @Override
                    public void attributeAdded(HttpSession session, String name, Object value) {}

                    @Override
                    public void attributeReplaced(
                            HttpSession session, String name, Object oldValue) {}

                    @Override
                    public void attributeRemoved(
                            HttpSession session, String name, Object oldValue) {}
                };
        return new SessionFixture(limits, SessionFixture.TIMEOUT_MINUTES, counting);
    }

    private static void invalidateIfNotEnded(HttpSession session) {
        try {
            session.invalidate();
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("was invalidated");
        }
    }

    private static void setIfNotEnded(HttpSession session, Object value) {
        try {
            session.setAttribute("a", value);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("was invalidated");
        }
    }

    private static int stored(SessionFixture fixture) {
        AtomicInteger count = new AtomicInteger();
        fixture.store.close(_ -> count.incrementAndGet());
        return count.get();
    }

    private static void assertEmpty(SessionFixture fixture) {
        assertThat(stored(fixture)).isZero();
        assertThat(fixture.sessions.counters().active()).isZero();
        assertThat(fixture.logged).isEmpty();
    }

    /// Runs the parts on a thread each, all started at one moment, and fails if one throws.
    private void together(Runnable... parts) {
        AtomicInteger missing = new AtomicInteger(parts.length);
        List<Callable<Object>> calls = new ArrayList<>();
        for (Runnable part : parts) {
            calls.add(() -> {
                missing.decrementAndGet();
                for (int i = 0; missing.get() > 0; i++) {
                    pause(i);
                }
                part.run();
                return part;
            });
        }
        try {
            for (Future<Object> call : threads.invokeAll(calls, 120, TimeUnit.SECONDS)) {
                call.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("a part of the race failed", e);
        }
    }

    /// Waits until the other thread has come to the step too.
    private static void meet(AtomicInteger own, AtomicInteger other, int step) {
        own.set(step);
        for (int i = 0; other.get() < step; i++) {
            pause(i);
        }
    }

    /// Spins, so that the start is sharp; yields if there are fewer processors than parts.
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it but the time of the test
    private static void pause(int turn) {
        if (turn < 500) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    private static final class Value implements HttpSessionBindingListener {
        final AtomicInteger bindings = new AtomicInteger();

        @Override
        public void valueBound(HttpSessionBindingEvent event) {
            bindings.incrementAndGet();
        }

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            bindings.decrementAndGet();
        }
    }
}
