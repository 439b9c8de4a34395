package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which signals stop the server and which end it at once, with a clock that the test moves.
final class StopSignalsTest {
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;

    private final List<Integer> ended = new ArrayList<>();
    private long nanos = -5_000_000_000L;
    private final StopSignals signals = new StopSignals(() -> nanos, ended::add);

    @Test
    @Timeout(10)
    void firstSignalStops() {
        signals.arrived(SIGTERM);

        signals.await(Duration.ofDays(1), () -> ended.add(0));
        assertThat(ended).isEmpty();
    }

    @Test
    @Timeout(60)
    void upkeepRunsUntilTheFirstSignal() {
        List<Integer> runs = new ArrayList<>();

        signals.await(
                Duration.ofMillis(1),
                () -> {
                    runs.add(runs.size());
                    if (runs.size() == 3) {
                        signals.arrived(SIGINT);
                    }
                });

        assertThat(runs).containsExactly(0, 1, 2);
    }

    @Test
    @Timeout(60)
    void startThatTakesTooLongAfterASignalIsEnded() throws InterruptedException {
        SynchronousQueue<Integer> codes = new SynchronousQueue<>();
        List<String> told = new ArrayList<>();
        StopSignals starting = new StopSignals(() -> nanos, put(codes));
        starting.duringStart(Duration.ofMillis(1), () -> told.add("told"));

        starting.arrived(SIGTERM);

        assertThat(codes.take()).isEqualTo(143);
        assertThat(told).containsExactly("told");
    }

    @Test
    @Timeout(60)
    void signalBeforeTheLimitIsKnownCounts() throws InterruptedException {
        SynchronousQueue<Integer> codes = new SynchronousQueue<>();
        StopSignals starting = new StopSignals(() -> nanos, put(codes));
        starting.arrived(SIGINT);

        starting.duringStart(Duration.ofMillis(1), () -> {});

        assertThat(codes.take()).isEqualTo(130);
    }

    @Test
    @Timeout(60)
    void startThatCompletesInTimeIsStoppedAsUsual() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        signals.duringStart(
                Duration.ofDays(1),
                () -> {
                    told.countDown();
                });
        signals.arrived(SIGTERM);
        told.await();

        signals.await(Duration.ofDays(1), () -> ended.add(0));

        assertThat(ended).isEmpty();
    }

    private static IntConsumer put(SynchronousQueue<Integer> codes) {
        return code -> {
            try {
                codes.put(code);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    /// Each SIGHUP has a thread. All would read the file, one after the other.
    @Test
    void signalsDuringAReloadHaveItRunOnceMore() {
        StopSignals.Pending reload = new StopSignals.Pending();
        List<String> runs = new ArrayList<>();
        reload.run(); // before it is known
        reload.set(() -> {
            runs.add("run");
            if (runs.size() == 1) {
                for (int i = 0; i < 100; i++) {
                    reload.run();
                }
            }
        });
        assertThat(runs).hasSize(2);
        reload.run();
        assertThat(runs).hasSize(3);
    }

    @Test
    void secondSignalEndsWithItsNumber() {
        signals.arrived(SIGINT);
        nanos += 500_000_001;
        signals.arrived(SIGTERM);

        assertThat(ended).containsExactly(143);
    }

    @Test
    void repeatedSignalCountsOnce() {
        signals.arrived(SIGTERM);
        signals.arrived(SIGTERM);
        nanos += 500_000_000;
        signals.arrived(SIGTERM);

        assertThat(ended).isEmpty();
    }
}
