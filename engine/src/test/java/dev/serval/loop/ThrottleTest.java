package dev.serval.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ThrottleTest {
    private static final long START = -3; // the monotonic clock may be negative

    @Test
    void oneOfAnIntervalPasses() {
        Throttle throttle = new Throttle(10);
        assertThat(throttle.pass(START)).isTrue();
        assertThat(throttle.pass(START + 9)).isFalse();
        assertThat(throttle.pass(START + 25)).isTrue();
        assertThat(throttle.pass(START + 30)).isFalse();
        assertThat(throttle.pass(START + 35)).isTrue();
    }

    @Test
    void firstOneMayWaitForAnInterval() {
        Throttle throttle = new Throttle(10, START);
        assertThat(throttle.pass(START + 9)).isFalse();
        assertThat(throttle.pass(START + 10)).isTrue();
    }

    @Test
    void oneOfManyThreadsPasses() throws InterruptedException {
        Throttle throttle = new Throttle(10);
        CountDownLatch begin = new CountDownLatch(1);
        AtomicInteger passed = new AtomicInteger();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> {
                    try {
                        begin.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    passed.addAndGet(throttle.pass(START) ? 1 : 0);
                });
            }
            begin.countDown();
        }
        assertThat(passed).hasValue(1);
    }
}
