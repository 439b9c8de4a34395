package dev.serval.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The order of a turn, and that only [EventLoop#stop] ends a loop.
final class EventLoopTest {
    private final FakeClock clock = new FakeClock();
    private final List<String> steps = new ArrayList<>();
    private final NotingPoller poller = new NotingPoller();
    private int ready; // of the application's Workers
    private final EventLoop loop = new EventLoop(new TestLoops(clock).parts(3), poller);

    @Test
    void turnHasItsStepsInOrder() {
        loop.timers().set(new Deadline(() -> steps.add("deadline")), clock.nanos() + 1);
        loop.execute(() -> steps.add("command"));
        clock.advance(Duration.ofSeconds(1));

        loop.turn(false);

        assertThat(steps).containsExactly("poll 0", "dispatch", "deadline", "command", "end");
        assertThat(loop.index()).isEqualTo(3);
    }

    @Test
    void carriesApplicationCodeOnceEnoughIsReady() {
        CountingApplication application = new CountingApplication();
        loop.carries(application);
        poller.sockets = 3;

        loop.turn(false);
        loop.turn(false);

        assertThat(steps)
                .containsExactly(
                        "poll 0",
                        "dispatch",
                        "socket",
                        "socket",
                        "end",
                        "carry 2",
                        "end",
                        "poll 0",
                        "dispatch",
                        "socket",
                        "end",
                        "carry 1",
                        "end");
    }

    @Test
    void readsTheClockOnceATurn() {
        loop.turn(false);
        long before = loop.nowNanos();
        clock.advance(Duration.ofSeconds(1));
        assertThat(loop.nowNanos()).isEqualTo(before);
        loop.turn(false);
        assertThat(loop.nowNanos()).isEqualTo(before + 1_000_000_000L);
    }

    @Test
    void epochSecondIsExactAtEachTurn() {
        FakeClock late = new FakeClock(77, 5_999);
        EventLoop other = new EventLoop(new TestLoops(late).parts(0), poller);
        other.turn(false);
        assertThat(other.epochSeconds()).isEqualTo(5);
        late.advance(Duration.ofMillis(1));
        other.turn(false);
        assertThat(other.epochSeconds()).isEqualTo(6);
    }

    @Test
    void sleepsUntilTheNextDeadlineButNotOverCommands() {
        loop.turn(true);
        loop.timers().set(new Deadline(() -> {}), clock.nanos() + 1_000_000_000L);
        loop.turn(true);
        loop.execute(() -> {});
        loop.turn(true);

        assertThat(steps.get(0)).isEqualTo("poll " + Long.MAX_VALUE);
        long untilNext = Long.parseLong(steps.get(3).substring(5));
        assertThat(untilNext).isBetween(1_000_000_000L, 1_000_000_000L + (1 << 24));
        assertThat(steps.get(6)).isEqualTo("poll 0");
    }

    @Test
    void exceptionsInAnyStepDoNotEndTheLoop() {
        for (String step : List.of("poll", "dispatch", "end")) {
            poller.failing = step;
            loop.execute(() -> steps.add("after " + step));
            loop.turn(false);
        }
        poller.failing = "";
        loop.timers()
                .set(
                        new Deadline(() -> {
                            throw new IllegalStateException("meant: a deadline that fails");
                        }),
                        clock.nanos());
        loop.execute(() -> {
            throw new AssertionError("meant: a command that fails");
        });
        loop.execute(() -> {
            throw undeclared(new Exception("meant: thrown undeclared"));
        });
        loop.execute(() -> steps.add("after command"));
        clock.advance(Duration.ofSeconds(1));
        loop.turn(false);

        assertThat(steps)
                .contains("after poll", "after dispatch", "after end", "after command")
                .last()
                .isEqualTo("end");
    }

    @Test
    @Timeout(30)
    void runsOnItsThreadUntilItIsStopped() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        poller.sleeps = true;
        Thread thread = Thread.ofPlatform().start(loop::runAsOwner);
        loop.execute(() -> {
            if (Thread.currentThread().equals(loop.owner()) && loop.isOwnedHere()) {
                ran.countDown();
            }
        });
        assertThat(ran.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.isOwnedHere()).isFalse();
        assertThatThrownBy(loop::timers).isInstanceOf(AssertionError.class);
        poller.failing = "end"; // the loop closes the poller even so
        loop.stop();
        thread.join();
        assertThat(steps).last().isEqualTo("close");
    }

    /// Throws like languages without checked exceptions.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // needed for the cast
    private static <E extends Exception> E undeclared(Exception e) throws E {
        throw (E) e;
    }

    /// Has enough if two are ready.
    private final class CountingApplication implements LoopApplication {
        @Override
        public boolean hasReady() {
            return ready > 0;
        }

        @Override
        public boolean hasEnough() {
            return ready >= 2;
        }

        @Override
        public boolean carryReady() {
            steps.add("carry " + ready);
            ready = 0;
            return true;
        }

        @Override
        public void leave() {}
    }

    /// Records its calls. Sleeps only if `sleeps` is set.
    private final class NotingPoller implements Poller {
        private final LinkedBlockingQueue<String> wakeUps = new LinkedBlockingQueue<>();
        private volatile String failing = "";
        private volatile boolean sleeps;
        private int sockets; // ready, each of which makes a Worker ready

        @Override
        public void poll(long timeoutNanos) {
            note("poll", "poll " + timeoutNanos);
            if (sleeps && timeoutNanos > 0) {
                try {
                    wakeUps.take();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }

        @Override
        public void dispatch(BooleanSupplier enough) {
            note("dispatch", "dispatch");
            for (; sockets > 0 && !enough.getAsBoolean(); sockets--) {
                steps.add("socket");
                ready++;
            }
        }

        @Override
        public void endTurn() {
            note("end", "end");
        }

        @Override
        public void wakeup() {
            wakeUps.add("up");
        }

        @Override
        public void close() {
            note("close", "close");
        }

        private void note(String step, String text) {
            steps.add(text);
            if (step.equals(failing)) {
                throw new IllegalStateException("meant: " + step + " fails");
            }
        }
    }
}
