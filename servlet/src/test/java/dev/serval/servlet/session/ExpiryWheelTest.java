package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Deadlines fire in time and never early, while others are armed and cancelled.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a ring never ends
final class ExpiryWheelTest {
    private static final Sessions SESSIONS = new SessionFixture().sessions;

    private static final long TICK = 1L << 30;
    private static final long NEVER = Long.MAX_VALUE;

    private long now = Long.MAX_VALUE - 7 * TICK; // the clock overflows during the test
    private final ExpiryWheel wheel = new ExpiryWheel(now);
    private final Map<Session, Long> model = new HashMap<>();
    private int fired;

    /// The model holds the instant of each session. What is due by the model fires in the same
    /// advance or a slot later.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithAModel(long seed) {
        Random random = new Random(seed);
        List<Session> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(new Session(SESSIONS, "s" + i, 1, 0, now));
        }
        for (int step = 0; step < 20_000; step++) {
            Session one = all.get(random.nextInt(all.size()));
            switch (random.nextInt(8)) {
                case 0 -> cancel(one);
                case 1, 2, 3, 4 -> arm(one, now + delay(random));
                default -> advance(random.nextLong(3 * TICK));
            }
        }
        advance(2_000 * TICK);
        advance(2_000 * TICK);
        assertThat(model).isEmpty();
        assertThat(fired).isGreaterThan(1_000);
    }

    /// Threads of requests arm and cancel while the timer advances the wheel.
    @Test
    void concurrentArmAndCancelLoseNoSession() throws Exception {
        List<Session> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(new Session(SESSIONS, "c" + i, 1, 0, now));
        }
        AtomicLong time = new AtomicLong(now);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Random random = new Random(i);
                runs.add(
                        threads.submit(() -> {
                            for (int step = 0; step < 100_000; step++) {
                                Session one = all.get(random.nextInt(all.size()));
                                if (random.nextBoolean()) {
                                    wheel.arm(one, time.get() + random.nextLong(4 * TICK));
                                } else {
                                    wheel.cancel(one);
                                }
                            }
                        }));
            }
            while (!runs.stream().allMatch(Future::isDone)) {
                wheel.advance(time.addAndGet(TICK), (_, at) -> at + TICK);
            }
            for (Future<?> run : runs) {
                run.get(60, TimeUnit.SECONDS);
            }
        }
        long armed = all.stream().filter(one -> one.slotTick != Session.NO_SLOT).count();
        assertThat(wheel.advance(time.addAndGet(1_000 * TICK), (_, _) -> NEVER)).isEqualTo(armed);
        assertThat(all).allMatch(one -> one.slotTick == Session.NO_SLOT);
        all.forEach(one -> wheel.arm(one, time.get() + TICK));
        assertThat(wheel.advance(time.addAndGet(1_000 * TICK), (_, _) -> NEVER))
                .isEqualTo(all.size());
    }

    /// The test above does not meet every race.
    @ParameterizedTest
    @ValueSource(strings = {"arm", "cancel", "advance"})
    void everyCallWaitsForTheLock(String call) throws Exception {
        Session one = new Session(SESSIONS, "one", 1, 0, now);
        wheel.arm(one, now + TICK);
        Thread caller =
                Thread.ofPlatform()
                        .unstarted(() -> {
                            switch (call) {
                                case "arm" -> wheel.arm(one, now + TICK / 2);
                                case "cancel" -> wheel.cancel(one);
                                default -> wheel.advance(now + 3 * TICK, (_, _) -> NEVER);
                            }
                        });
        synchronized (wheel) {
            caller.start();
            Await.until(
                    "the call waits or has ended",
                    () ->
                            caller.getState() == Thread.State.BLOCKED
                                    || caller.getState() == Thread.State.TERMINATED);
            assertThat(caller.getState()).isNotEqualTo(Thread.State.TERMINATED);
        }
        caller.join();
    }

    @Test
    void keepsTheEarlierDeadline() {
        Session one = new Session(SESSIONS, "one", 1, 0, now);
        arm(one, now + 100 * TICK);
        arm(one, now + 10 * TICK);
        arm(one, now + 500 * TICK);
        model.put(one, now + 10 * TICK);
        advance(11 * TICK);
        assertThat(fired).isEqualTo(1);
    }

    @Test
    void ignoresASessionThatEnds() {
        Session one = new Session(SESSIONS, "one", 1, 0, now);
        assertThat(one.beginEnd()).isTrue();
        wheel.arm(one, now + TICK);
        assertThat(wheel.advance(now + 10 * TICK, (_, _) -> NEVER)).isZero();
        assertThat(one.slotTick).isEqualTo(Session.NO_SLOT);
    }

    private void arm(Session one, long atNanos) {
        wheel.arm(one, atNanos);
        model.merge(one, atNanos, (old, next) -> next - old < 0 ? next : old);
    }

    private void cancel(Session one) {
        wheel.cancel(one);
        model.remove(one);
    }

    private void advance(long nanos) {
        now += nanos;
        wheel.advance(now, this::examine);
        model.forEach((_, at) -> assertThat(now - at).isLessThanOrEqualTo(TICK));
    }

    private long examine(Session one, long nowNanos) {
        Long at = model.get(one);
        if (at == null) {
            throw new AssertionError("examined a session that is not armed");
        }
        if (nowNanos - at <= 0) {
            return at;
        }
        fired++;
        model.remove(one);
        return NEVER;
    }

    private static long delay(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(2 * TICK);
            case 1 -> random.nextLong(600 * TICK);
            case 2 -> TICK * random.nextInt(5);
            default -> random.nextLong(1_500 * TICK);
        };
    }
}
