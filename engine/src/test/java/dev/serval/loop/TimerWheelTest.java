package dev.serval.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Deadlines fire in time and never early, while others are set, moved and cancelled.
final class TimerWheelTest {
    private static final long TICK = 1L << 24;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long now = 5_000_000_000L;
    private final TimerWheel wheel = new TimerWheel(now, Reports.AT_ONCE);
    private final List<Long> fired = new ArrayList<>();

    /// The model holds the instant of each set deadline. The wheel must agree after every step.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void agreesWithAModel(long seed) {
        Random random = new Random(seed);
        IdentityHashMap<Deadline, Long> model = new IdentityHashMap<>();
        List<Deadline> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Deadline[] self = new Deadline[1];
            self[0] = new Deadline(() -> expired(self[0], model, all, random));
            all.add(self[0]);
        }
        for (int step = 0; step < 20_000; step++) {
            Deadline one = all.get(random.nextInt(all.size()));
            switch (random.nextInt(8)) {
                case 0 -> cancel(one, model);
                case 1, 2, 3, 4 -> set(one, now + delay(random), model);
                default -> advance(jump(random), model);
            }
            assertThat(wheel.armed()).isEqualTo(model.size());
        }
        advance(TimeUnit.HOURS.toNanos(48), model);
        assertThat(fired).isNotEmpty();
    }

    @Test
    void firesWithinATickAfterTheInstant() {
        for (long delay : new long[] {0, 1, TICK - 1, TICK, TICK + 1, SECOND, 3600 * SECOND}) {
            long due = now + delay;
            Deadline one = new Deadline(() -> fired.add(now));
            wheel.set(one, due);
            while (fired.isEmpty()) {
                now += Math.max(1, wheel.untilNext(now));
                wheel.advance(now);
            }
            assertThat(fired.removeFirst()).isBetween(due, due + TICK);
        }
        assertThat(wheel.untilNext(now)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void isInTimeAfterALongSleepWithoutDeadlines() {
        now += 60 * SECOND; // without a call of advance
        long due = now + SECOND;
        wheel.set(new Deadline(() -> fired.add(now)), due);
        wheel.advance(now);

        while (fired.isEmpty()) {
            now += wheel.untilNext(now);
            wheel.advance(now);
        }

        assertThat(fired.getFirst()).isBetween(due, due + TICK);
    }

    @Test
    void isInTimeForDeadlinesSetWhileItCatchesUp() {
        long[] due = new long[1];
        Deadline second = new Deadline(() -> fired.add(now));
        wheel.set(
                new Deadline(() -> {
                    due[0] = now + SECOND;
                    wheel.set(second, due[0]);
                }),
                now + SECOND);
        now += 100 * SECOND;
        wheel.advance(now);

        while (fired.isEmpty()) {
            now += wheel.untilNext(now);
            wheel.advance(now);
        }

        assertThat(fired.getFirst()).isBetween(due[0], due[0] + TICK);
    }

    @Test
    void exceptionDoesNotAffectOtherDeadlines() {
        for (int i = 0; i < 5; i++) {
            long at = now + i * TICK;
            wheel.set(
                    new Deadline(() -> {
                        throw new IllegalStateException("meant: a deadline that fails");
                    }),
                    at);
            wheel.set(new Deadline(() -> fired.add(at)), at);
        }

        wheel.advance(now + 6 * TICK);

        assertThat(fired).hasSize(5);
        assertThat(wheel.armed()).isZero();
    }

    @Test
    void firedDeadlineMayCancelAndMoveOthersOfItsSlot() {
        List<Deadline> others = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            long name = i;
            others.add(new Deadline(() -> fired.add(name)));
        }
        others.forEach(other -> wheel.set(other, now + 1));
        // This deadline is linked last, so it fires first.
        wheel.set(
                new Deadline(() -> {
                    wheel.cancel(others.get(5)); // the next in the slot
                    wheel.cancel(others.get(2)); // one in the middle
                    wheel.cancel(others.get(0)); // the last
                    wheel.set(others.get(3), now + 2 * SECOND);
                }),
                now + 1);

        now += TICK + 1;
        wheel.advance(now);
        assertThat(fired).containsExactlyInAnyOrder(1L, 4L);

        now += 3 * SECOND;
        wheel.advance(now);
        assertThat(fired).containsExactlyInAnyOrder(1L, 4L, 3L);
        assertThat(wheel.armed()).isZero();
    }

    @Test
    void deadlineThatSetsItselfFiresOnceATurn() {
        Deadline[] self = new Deadline[1];
        self[0] =
                new Deadline(() -> {
                    fired.add(now);
                    wheel.set(self[0], now);
                });
        wheel.set(self[0], now);
        for (int i = 0; i < 10; i++) {
            now += TICK;
            wheel.advance(now);
        }
        assertThat(fired).hasSizeBetween(9, 10);
        wheel.cancel(self[0]);
        assertThat(wheel.armed()).isZero();
    }

    private void expired(
            Deadline one,
            IdentityHashMap<Deadline, Long> model,
            List<Deadline> all,
            Random random) {
        Long due = model.remove(one);
        assertThat(due).as("fired without being set").isNotNull();
        assertThat(now).as("fired early").isGreaterThanOrEqualTo(due);
        fired.add(now);
        if (random.nextInt(4) == 0) {
            set(one, now + delay(random), model);
        }
        Deadline other = all.get(random.nextInt(all.size()));
        switch (random.nextInt(3)) {
            case 0 -> cancel(other, model);
            case 1 -> set(other, now + delay(random), model);
            default -> {}
        }
        if (random.nextInt(5000) == 0) {
            throw new IllegalStateException("meant: a deadline that fails");
        }
    }

    private void set(Deadline one, long at, IdentityHashMap<Deadline, Long> model) {
        model.put(one, Math.max(at, now)); // an instant in the past is due at once
        wheel.set(one, at);
        assertThat(one.atNanos()).isEqualTo(at);
    }

    private void cancel(Deadline one, IdentityHashMap<Deadline, Long> model) {
        model.remove(one);
        wheel.cancel(one);
        assertThat(one.isSet()).isFalse();
    }

    private void advance(long by, IdentityHashMap<Deadline, Long> model) {
        now += by;
        wheel.advance(now);
        long first = Long.MAX_VALUE;
        for (long due : model.values()) {
            first = Math.min(first, due);
        }
        assertThat(first).as("more than a tick late").isGreaterThan(now - TICK);
        if (!model.isEmpty()) {
            assertThat(wheel.untilNext(now)).isLessThanOrEqualTo(Math.max(0, first - now) + TICK);
        }
    }

    private static long delay(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextLong(TICK * 2);
            case 1 -> -random.nextLong(SECOND); // in the past
            case 2 -> random.nextLong(600 * TICK);
            case 3 -> random.nextLong(75 * SECOND);
            default -> random.nextLong(24 * 3600 * SECOND);
        };
    }

    private static long jump(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong(TICK);
            case 1 -> random.nextLong(20 * TICK);
            case 2 -> random.nextLong(600 * TICK);
            default -> random.nextLong(60 * SECOND);
        };
    }
}
