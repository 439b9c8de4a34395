package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class HandshakeThreadsTest {
    private static final SocketAddress ANY = new SocketAddress() {};
    private static final SocketAddress FIRST = client("192.0.2.1");
    private static final SocketAddress SECOND = client("192.0.2.2");

    @Test
    void refusesWorkPastItsLimit() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        try (HandshakeThreads threads = new HandshakeThreads(1, 2)) {
            assertThat(threads.submit(ANY, () -> await(release))).isTrue();
            Await.until("the thread works", () -> threads.threads() == 1 && threads.waiting() == 0);
            assertThat(threads.submit(ANY, done::incrementAndGet)).isTrue();
            assertThat(threads.submit(ANY, done::incrementAndGet)).isTrue();
            assertThat(threads.submit(ANY, done::incrementAndGet)).isFalse();
            release.countDown();
            Await.until("the accepted work is done", () -> done.get() == 2);
        }
    }

    @Test
    void survivesAFault() {
        AtomicInteger done = new AtomicInteger();
        try (HandshakeThreads threads = new HandshakeThreads(1, 2)) {
            assertThat(
                            threads.submit(
                                    ANY,
                                    () -> {
                                        throw new IllegalStateException("meant");
                                    }))
                    .isTrue();
            Await.until(
                    "the next work is done",
                    () -> threads.submit(ANY, done::incrementAndGet) && done.get() > 0);
        }
    }

    @Test
    void takesNothingAfterItsEnd() {
        HandshakeThreads threads = new HandshakeThreads();
        threads.close();
        assertThat(threads.submit(ANY, () -> {})).isFalse();
    }

    /// Until half of the places are taken, an address may have all of them.
    @Test
    void oneAddressLeavesPlacesForOthers() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        try (HandshakeThreads threads = new HandshakeThreads(1, 8)) {
            assertThat(threads.submit(FIRST, () -> await(release))).isTrue();
            Await.until("the thread works", () -> threads.threads() == 1 && threads.waiting() == 0);
            for (int i = 0; i < 4; i++) {
                assertThat(threads.submit(FIRST, done::incrementAndGet)).isTrue();
            }
            assertThat(threads.submit(FIRST, done::incrementAndGet)).isFalse();
            assertThat(threads.submit(SECOND, done::incrementAndGet)).isTrue();
            assertThat(threads.submit(SECOND, done::incrementAndGet)).isTrue();
            assertThat(threads.submit(SECOND, done::incrementAndGet)).isFalse();
            assertThat(threads.submit(ANY, done::incrementAndGet)).isTrue();
            assertThat(threads.addresses()).isEqualTo(2);
            release.countDown();
            Await.until("nothing is counted", () -> threads.addresses() == 0);
            Await.until("the accepted work is done", () -> done.get() == 7);
        }
    }

    @Test
    void clientOfIpv6IsItsFirst64Bits() {
        CountDownLatch release = new CountDownLatch(1);
        try (HandshakeThreads threads = new HandshakeThreads(1, 8)) {
            assertThat(threads.submit(ANY, () -> await(release))).isTrue();
            Await.until("the thread works", () -> threads.threads() == 1 && threads.waiting() == 0);
            for (int i = 0; i < 4; i++) {
                assertThat(threads.submit(client("2001:db8:1:2::" + i), () -> {})).isTrue();
            }
            assertThat(threads.submit(client("2001:db8:1:2:ffff::9"), () -> {})).isFalse();
            assertThat(threads.submit(client("2001:db8:1:3::1"), () -> {})).isTrue();
            assertThat(threads.addresses()).isEqualTo(2);
            release.countDown();
            Await.until("nothing is counted", () -> threads.addresses() == 0);
        }
    }

    /// The JVM reports a limit of threads or processes by this error at the start of a thread.
    @Test
    void goesOnWithTheThreadsThatItHasIfTheSystemGivesNoFurther() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger done = new AtomicInteger();
        AtomicInteger left = new AtomicInteger();
        try (HandshakeThreads threads = new HandshakeThreads(2, 8, body -> limited(body, left))) {
            assertThat(threads.submit(FIRST, done::incrementAndGet)).isFalse();
            assertThat(threads.addresses()).isZero();
            left.set(1);
            assertThat(threads.submit(FIRST, () -> await(release))).isTrue();
            assertThat(threads.submit(FIRST, done::incrementAndGet)).isTrue();
            release.countDown();
            Await.until("the waiting work is done", () -> done.get() == 1);
            Await.until("nothing is counted", () -> threads.addresses() == 0);
        }
    }

    /// Returns a thread of a system that has a number of threads left.
    private static Thread limited(Runnable body, AtomicInteger left) {
        if (left.getAndDecrement() <= 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        return Thread.ofPlatform().daemon().unstarted(body);
    }

    private static SocketAddress client(String address) {
        return new InetSocketAddress(address, 1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
