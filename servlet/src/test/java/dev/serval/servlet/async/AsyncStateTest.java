package dev.serval.servlet.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Drives the state of an asynchronous request through all orders of events, beside a model of
/// Servlet 6.1 §2.3.3.3.
final class AsyncStateTest {
    private static final int DEPTH = 5;
    private static final int LONG_RUNS = 2_000;
    private static final int LONG_RUN = 60;

    @Test
    void allOrdersOfEventsUpToADepthEndOnce() {
        AsyncStateModel.Event[] all = AsyncStateModel.Event.values();
        int[] digits = new int[DEPTH];
        long runs = 0;
        boolean more = true;
        while (more) {
            List<AsyncStateModel.Event> order = new ArrayList<>();
            for (int digit : digits) {
                order.add(all[digit]);
            }
            new AsyncStateModel().run(order);
            runs++;
            more = increment(digits, all.length);
        }
        assertThat(runs).isEqualTo((long) Math.pow(all.length, DEPTH));
    }

    private static boolean increment(int[] digits, int radix) {
        for (int i = 0; i < digits.length; i++) {
            digits[i]++;
            if (digits[i] < radix) {
                return true;
            }
            digits[i] = 0;
        }
        return false;
    }

    /// The model prints the order of events if one fails.
    @Test
    void longRandomOrdersEndOnce() {
        long seed = new Random().nextLong();
        System.out.println("AsyncStateTest: seed " + seed);
        Random random = new Random(seed);
        AsyncStateModel.Event[] all = AsyncStateModel.Event.values();
        for (int run = 0; run < LONG_RUNS; run++) {
            List<AsyncStateModel.Event> order = new ArrayList<>();
            for (int i = 0; i < LONG_RUN; i++) {
                order.add(all[random.nextInt(all.length)]);
            }
            new AsyncStateModel().run(order);
        }
    }

    /// The orders that the specification names, with what the container thread has to do.
    @ParameterizedTest
    @CsvSource({
        "RETURN, END",
        "START COMPLETE RETURN, COMPLETE END",
        "START RETURN COMPLETE ARRIVE, DETACH COMPLETE END",
        "START DISPATCH RETURN RETURN, DISPATCH COMPLETE END",
        "START RETURN DISPATCH ARRIVE RETURN, DETACH DISPATCH COMPLETE END",
        "START DISPATCH RETURN START COMPLETE RETURN, DISPATCH COMPLETE END",
        "START RETURN TIMER ARRIVE RETURN, DETACH TIMEOUT COMPLETE END",
        "START RETURN TIMER COMPLETE ARRIVE, DETACH COMPLETE END",
        "START RETURN TIMER DISPATCH ARRIVE RETURN, DETACH DISPATCH COMPLETE END",
        "START RETURN TIMER ARRIVE COMPLETE RETURN, DETACH TIMEOUT COMPLETE END",
        "START RETURN TIMER ARRIVE DISPATCH RETURN RETURN, DETACH TIMEOUT DISPATCH COMPLETE END",
        "START RETURN COMPLETE OLD_TIMER ARRIVE, DETACH COMPLETE END",
        "START RETURN ABORT, DETACH GONE",
        "START RETURN COMPLETE ABORT ARRIVE, DETACH GONE",
        "START RETURN TIMER ABORT ARRIVE, DETACH GONE",
        "START ABORT RETURN, ABORT",
        "START COMPLETE ABORT RETURN, COMPLETE END",
        "START FAIL RETURN, COMPLETE END",
        "START DISPATCH FAIL RETURN, COMPLETE END",
        "FAIL RETURN, END",
        "REOPEN RETURN, END",
        "START DISPATCH RETURN REOPEN COMPLETE RETURN, DISPATCH COMPLETE END",
        "START DISPATCH RETURN REOPEN DISPATCH RETURN REOPEN RETURN,"
                + " DISPATCH DISPATCH COMPLETE END",
        "START READABLE WRITABLE RETURN RETURN RETURN COMPLETE ARRIVE,"
                + " READ WRITE DETACH COMPLETE END",
        "START RETURN READABLE ARRIVE COMPLETE RETURN, DETACH READ COMPLETE END",
        "START RETURN READABLE ARRIVE RETURN OLD_TIMER COMPLETE ARRIVE,"
                + " DETACH READ DETACH COMPLETE END",
        "START READABLE ABORT RETURN, ABORT",
        "START READABLE COMPLETE RETURN, COMPLETE END",
    })
    void containerThreadTakesTheStepsOf(String events, String steps) {
        AsyncStateModel model = new AsyncStateModel();
        for (String event : events.split(" ", -1)) {
            model.apply(AsyncStateModel.Event.valueOf(event));
        }
        assertThat(String.join(" ", model.steps())).isEqualTo(steps);
        model.finish();
    }

    @Test
    void earlierCycleCannotEndTheNext() {
        AsyncState state = new AsyncState(new Idle());
        state.start("one", 0, () -> {});
        state.dispatch("one", () -> {});
        assertThat(state.next()).isEqualTo(AsyncStep.DISPATCH);
        state.start("two", 0, () -> {});
        assertThatIllegalStateException().isThrownBy(() -> state.complete("one"));
        assertThatIllegalStateException().isThrownBy(() -> state.dispatch("one", () -> {}));
        assertThatIllegalStateException().isThrownBy(() -> state.timeoutMillis("one", 1));
        assertThatIllegalStateException()
                .isThrownBy(() -> state.whileStarted("one", "addListener", () -> {}));
        state.complete("two");
        assertThat(state.next()).isEqualTo(AsyncStep.COMPLETE);
        assertThat(state.next()).isEqualTo(AsyncStep.END);
    }

    @Test
    void timerIsSetWhenTheThreadLeavesAndAgainByEachTimeout() {
        Timers timers = new Timers();
        AsyncState state = new AsyncState(timers);
        state.start("one", 30, () -> {});
        state.timeoutMillis("one", 20);
        assertThat(timers.set).isEmpty();
        assertThat(state.leave()).isTrue();
        assertThat(timers.set).containsExactly(20L);
        state.timeoutMillis("one", 10);
        assertThat(timers.set).containsExactly(20L, 10L);
        assertThat(timers.cancelled).isEqualTo(1);
        state.timeoutMillis("one", 0); // none
        assertThat(timers.set).hasSize(2);
        assertThat(timers.cancelled).isEqualTo(2);
        state.complete("one");
        assertThat(timers.resumed).isEqualTo(1);
    }

    /// An event comes after the container thread has found nothing to do and before it leaves.
    @ParameterizedTest
    @CsvSource({"READ", "WRITE", "ABORT", "COMPLETE"})
    void threadMayNotLeaveAfterAnEvent(AsyncStep event) {
        AsyncState state = new AsyncState(new Idle());
        state.start("one", 0, () -> {});
        assertThat(state.next()).isEqualTo(AsyncStep.DETACH);
        switch (event) {
            case READ -> state.readableOnLoop();
            case WRITE -> state.writableOnLoop();
            case ABORT -> assertThat(state.aborted()).isFalse();
            default -> state.complete("one");
        }
        assertThat(state.leave()).isFalse();
        assertThat(state.next()).isEqualTo(event);
    }

    /// Does nothing.
    private static final class Idle implements AsyncState.Owner {
        @Override
        public void resume() {}

        @Override
        public FakeTimer timer(Runnable task, long afterMillis) {
            return new FakeTimer(task);
        }
    }

    /// Records the timers.
    private static final class Timers implements AsyncState.Owner {
        private final List<Long> set = new ArrayList<>();
        private int cancelled;
        private int resumed;

        @Override
        public void resume() {
            resumed++;
        }

        @Override
        public FakeTimer timer(Runnable task, long afterMillis) {
            set.add(afterMillis);
            return new FakeTimer(task) {
                @Override
                public boolean cancel(boolean interrupts) {
                    cancelled++;
                    return super.cancel(interrupts);
                }
            };
        }
    }
}
