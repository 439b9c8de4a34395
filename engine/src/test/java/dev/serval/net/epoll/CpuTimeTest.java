package dev.serval.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.loop.ThreadClock;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CpuTimeTest {
    private static final long MILLI = 1_000_000;

    @BeforeEach
    void needsEpoll() {
        assumeTrue(EpollNetwork.unavailable() == null, "needs Linux");
    }

    @Test
    void growsWhileAThreadComputesAndNotWhileItWaits() throws InterruptedException {
        ThreadClock clock = new CpuTime();
        AtomicBoolean computes = new AtomicBoolean(true);
        AtomicInteger number = new AtomicInteger();
        CountDownLatch end = new CountDownLatch(1);
        Thread thread =
                Thread.ofPlatform()
                        .start(() -> {
                            number.set(number());
                            while (computes.get()) {
                                Thread.onSpinWait();
                            }
                            Await.open("the end", end);
                        });
        Await.until("the thread", () -> number.get() > 0);
        long first = clock.nanos(number.get());
        assertThat(first).isPositive();
        Await.until("it has computed", () -> clock.nanos(number.get()) > first + 20 * MILLI);
        computes.set(false);
        Await.until(
                "it waits",
                () ->
                        thread.getState() == Thread.State.WAITING
                                || thread.getState() == Thread.State.TIMED_WAITING);
        long waiting = clock.nanos(number.get());
        long own = clock.nanos(number());
        while (clock.nanos(number()) < own + 60 * MILLI) {
            Thread.onSpinWait(); // time passes for the other
        }
        assertThat(clock.nanos(number.get()) - waiting).isLessThan(20 * MILLI);
        end.countDown();
        thread.join();
    }

    @Test
    void threadZeroIsTheCallers() {
        ThreadClock clock = new CpuTime();
        long first = clock.nanos(number());
        long own = clock.nanos(0);
        assertThat(own).isBetween(first, clock.nanos(number()));
    }

    @Test
    void threadThatDoesNotExistIsUnknown() {
        assertThat(new CpuTime().nanos(1)).as("of another process").isEqualTo(ThreadClock.UNKNOWN);
    }

    private static int number() {
        try {
            Path self = Files.readSymbolicLink(Path.of("/proc/thread-self"));
            return Integer.parseInt(self.getFileName().toString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
