package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HandshakeThreadsTest {
    @Test
    void refusesWorkPastItsLimit() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        try (HandshakeThreads threads = new HandshakeThreads(1, 2)) {
            assertThat(threads.submit(() -> await(release))).isTrue();
            Await.until("the thread works", () -> threads.threads() == 1 && threads.waiting() == 0);
            assertThat(threads.submit(done::incrementAndGet)).isTrue();
            assertThat(threads.submit(done::incrementAndGet)).isTrue();
            assertThat(threads.submit(done::incrementAndGet)).isFalse();
            release.countDown();
            Await.until("the accepted work is done", () -> done.get() == 2);
        }
    }

    @Test
    void survivesAFault() {
        AtomicInteger done = new AtomicInteger();
        try (HandshakeThreads threads = new HandshakeThreads(1, 2)) {
            assertThat(
                            threads.submit(() -> {
                                throw new IllegalStateException("meant");
                            }))
                    .isTrue();
            Await.until(
                    "the next work is done",
                    () -> threads.submit(done::incrementAndGet) && done.get() > 0);
        }
    }

    @Test
    void takesNothingAfterItsEnd() {
        HandshakeThreads threads = new HandshakeThreads();
        threads.close();
        assertThat(threads.submit(() -> {})).isFalse();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
