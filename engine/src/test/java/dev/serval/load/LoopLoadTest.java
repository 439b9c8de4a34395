package dev.serval.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.EventLoop;
import dev.serval.loop.FakeClock;
import dev.serval.loop.FakePoller;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.loop.ThreadClock;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import org.junit.jupiter.api.Test;

/// The part of one loop: when it looks, and how much time it may spend on refusals. The test turns the
/// loop, and each request takes the time that the test says.
final class LoopLoadTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private final FakeClock clock = new FakeClock();
    private Limits.Loads settings = Limits.Loads.DEFAULT;
    private Runnable work = () -> {};
    private int percent;
    private int changes;
    private long computing = ThreadClock.UNKNOWN; // from one question for it to the next
    private long computedNanos;
    private int asked;
    private final EventLoop loop =
            new EventLoop(
                    new LoopParts(0, clock, Reports.AT_ONCE), FakePoller.awake(_ -> work.run()));
    private final LoadMonitor monitor = new LoadMonitor(() -> settings(), () -> percent());
    private final LoopLoad load = new LoopLoad(loop, monitor, _ -> computed());

    private Limits.Loads settings() {
        return settings;
    }

    private long computed() {
        asked++;
        computedNanos += computing;
        return computing == ThreadClock.UNKNOWN ? ThreadClock.UNKNOWN : computedNanos;
    }

    private int percent() {
        return percent;
    }

    @Test
    void refusalsMayTakeTheirPartOfTheTime() {
        for (int i = 0; i < 1000; i++) {
            serve(0, 1, 100 * MICRO);
            assertThat(load.acceptPauseNanos()).isZero();
            pass(900 * MICRO);
        }
    }

    @Test
    void moreRefusalsPauseAcceptingUntilTheirTimeIsEarned() {
        long turns = 0;
        while (load.acceptPauseNanos() == 0 && turns < 1000) {
            serve(0, 1, 100 * MICRO);
            pass(100 * MICRO);
            turns++;
        }
        assertThat(turns).isEqualTo(125); // 10 ms at once, and 80 µs too much in each turn
        long pause = load.acceptPauseNanos();
        assertThat(pause).isPositive();
        pass(pause);
        turn();
        assertThat(load.acceptPauseNanos()).isZero();
    }

    @Test
    void otherRequestsOfTheTurnHaveTheirPartOfItsTime() {
        for (int i = 0; i < 1000; i++) {
            serve(9, 1, 200 * MICRO);
        }
        assertThat(load.acceptPauseNanos()).isZero();
        for (int i = 0; i < 1000; i++) {
            serve(4, 6, 200 * MICRO);
        }
        assertThat(load.acceptPauseNanos()).isPositive();
    }

    @Test
    void timeOfOtherThreadsIsNotThatOfTheRefusals() {
        serve(0, 1, 10_000 * MILLI);
        assertThat(load.acceptPauseNanos()).isZero();
    }

    @Test
    void timeThatTheLoopComputedCountsIfTheSystemTellsIt() {
        percent = 95;
        serve(1, 0, 0);
        computes(9 * MICRO);
        refuseOften(0, 100 * MICRO);
        assertThat(load.acceptPauseNanos()).as("9 of 100 µs").isZero();
        computes(20 * MICRO);
        refuseOften(0, 100 * MICRO);
        assertThat(load.acceptPauseNanos()).as("20 of 100 µs").isPositive();
    }

    @Test
    void refusalInATurnWithoutRequestsTakesAtMostTwiceAsLongAsTheLast() {
        percent = 95;
        computes(9 * MICRO);
        serve(0, 1, 100 * MICRO);
        refuseOften(-1, 200 * MICRO);
        assertThat(load.acceptPauseNanos()).as("18 of 200 µs").isZero();
        computes(20 * MICRO);
        serve(0, 1, 100 * MICRO);
        refuseOften(-1, 200 * MICRO);
        assertThat(load.acceptPauseNanos()).as("40 of 200 µs").isPositive();
    }

    /// A Worker that has ended lets the next request of its connection begin, after the loop's own work.
    @Test
    void timeFromARequestOfAnEarlierTurnDoesNotCount() {
        percent = 95;
        computes(9 * MICRO);
        serve(0, 1, 100 * MICRO);
        for (int i = 0; i < 1000; i++) {
            load.requested();
            computedNanos += 10 * MILLI; // of Workers
            serve(-1, 1, 100 * MICRO);
        }
        assertThat(load.acceptPauseNanos()).isZero();
    }

    @Test
    void asksForTheTimeOnlyWhileTheLoadIsCritical() {
        percent = 94;
        computes(MICRO);
        for (int i = 0; i < 100; i++) {
            serve(5, 1, MICRO);
        }
        assertThat(asked).isZero();
        percent = 95;
        pass(200 * MILLI); // until the next look
        serve(5, 1, MICRO);
        assertThat(asked).as("at the first request and at the end").isEqualTo(2);
    }

    /// Makes 1,000 turns with a refusal each.
    ///
    /// @param others requests beside it; -1 if it was asked for in an earlier turn
    private void refuseOften(int others, long nanos) {
        for (int i = 0; i < 1000; i++) {
            serve(others, 1, nanos);
        }
    }

    private void computes(long nanos) {
        computing = nanos;
    }

    @Test
    void partOfTheTimeIsASetting() {
        settings = settings.with(draft -> draft.refusingPercent = 50);
        for (int i = 0; i < 1000; i++) {
            serve(0, 1, 100 * MICRO);
            pass(100 * MICRO);
        }
        assertThat(load.acceptPauseNanos()).isZero();
    }

    @Test
    void looksAgainByItselfWhileTheLoadIsHigh() {
        load.onChange(() -> changes++);
        percent = 95;
        work = load::requested;
        turn();
        turn();
        assertThat(load.mode()).isEqualTo(LoadMode.CRITICAL);
        assertThat(changes).isEqualTo(1);
        work = () -> {};
        percent = 0;
        for (int i = 0; i < 8; i++) {
            pass(100 * MILLI);
            turn();
        }
        assertThat(load.mode()).isEqualTo(LoadMode.LIGHT);
        assertThat(changes).isEqualTo(2);
    }

    private void serve(int others, int refusals, long nanos) {
        work =
                () -> {
                    for (int i = 0; i < others + refusals; i++) {
                        load.requested();
                    }
                    for (int i = 0; i < refusals; i++) {
                        load.refused();
                    }
                    pass(nanos);
                };
        turn();
        work = () -> {};
    }

    private void pass(long nanos) {
        clock.advance(nanos);
    }

    private void turn() {
        boolean _ = loop.turn(false);
        load.turned();
    }
}
