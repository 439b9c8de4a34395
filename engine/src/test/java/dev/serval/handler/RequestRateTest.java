package dev.serval.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rate of requests of each client. The test is the clock.
final class RequestRateTest {
    private static final long SECOND = 1_000_000_000;
    private static final InetAddress CLIENT = InetAddress.ofLiteral("192.0.2.1");

    private final RequestRate ten = new RequestRate(10, SECOND, 5, 64, _ -> false);
    private long now = -3 * SECOND; // the monotonic clock may be negative

    @Test
    void clientMaySendABurstAndThenAtItsRate() {
        assertThat(taken(CLIENT, 20)).isEqualTo(5);
        assertThat(ten.take(CLIENT, now)).isEqualTo(SECOND / 10);
        now += SECOND / 10 - 1;
        assertThat(ten.take(CLIENT, now)).isEqualTo(1);
        now++;
        assertThat(ten.take(CLIENT, now)).isZero();
        assertThat(ten.take(CLIENT, now)).isEqualTo(SECOND / 10);
        now += SECOND;
        assertThat(taken(CLIENT, 20)).isEqualTo(5);
    }

    @Test
    void rateHoldsForALongTime() {
        int taken = 0;
        for (int i = 0; i < 10_000; i++) {
            now += SECOND / 100;
            taken += taken(CLIENT, 1);
        }
        assertThat(taken).isBetween(1000, 1005);
    }

    @Test
    void eachClientHasItsOwnRate() {
        for (int i = 1; i < 9; i++) {
            assertThat(taken(InetAddress.ofLiteral("198.51.100." + i), 9)).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2::1, 2001:db8:1:2:ffff::9, 0",
        "2001:db8:1:2::1, 2001:db8:1:3::1, 5",
        "192.0.2.7, 192.0.2.8, 5",
        "192.0.2.7, ::ffff:192.0.2.7, 0",
        "::1, 192.0.2.7, 5"
    })
    void clientOfIpv6IsItsFirst64Bits(String one, String other, int left) {
        assertThat(taken(InetAddress.ofLiteral(one), 9)).isEqualTo(5);
        assertThat(taken(InetAddress.ofLiteral(other), 9)).isEqualTo(left);
    }

    @Test
    void exceptedClientHasNoLimit() {
        RequestRate rate = new RequestRate(1, SECOND, 1, 64, CLIENT::equals);
        for (int i = 0; i < 100; i++) {
            assertThat(rate.take(CLIENT, now)).isZero();
        }
        InetAddress other = InetAddress.ofLiteral("192.0.2.2");
        assertThat(rate.take(other, now)).isZero();
        assertThat(rate.take(other, now)).isEqualTo(SECOND);
    }

    @Test
    void clientThatCouldSendSoonestLosesItsPlace() {
        RequestRate small = new RequestRate(10, SECOND, 5, 8, _ -> false); // one set of places
        for (int i = 0; i < 5; i++) {
            assertThat(small.take(CLIENT, now)).isZero();
        }
        for (int i = 0; i < 1000; i++) { // each sends once
            byte[] address = {10, 0, (byte) (i >> 8), (byte) i};
            assertThat(small.take(address(address), now)).isZero();
        }
        assertThat(small.take(CLIENT, now)).isPositive(); // it has kept its place
    }

    @Test
    void largeBurstOfSlowRateIsNoRefusal() {
        long hour = TimeUnit.HOURS.toNanos(1);
        RequestRate large = new RequestRate(1, hour, 10_000_000, 64, _ -> false);
        for (int i = 0; i < 100_000; i++) {
            assertThat(large.take(CLIENT, now)).isZero();
        }
    }

    @Test
    void threadsTogetherSendNoMoreThanOne() throws InterruptedException {
        assertThat(ten.take(CLIENT, now)).isZero(); // has its place
        AtomicInteger taken = new AtomicInteger();
        CountDownLatch begin = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> {
                    try {
                        begin.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    taken.addAndGet(taken(CLIENT, 100));
                });
            }
            begin.countDown();
        }
        assertThat(taken).hasValue(4);
    }

    @ParameterizedTest
    @CsvSource({"0, 1000, 1, 8", "1, 0, 1, 8", "1, 1000, 0, 8", "1, 1000, 1, 7"})
    void numbersAreChecked(int requests, long perNanos, int burst, int clientsMax) {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new RequestRate(requests, perNanos, burst, clientsMax, _ -> false));
    }

    private int taken(InetAddress client, int requests) {
        int taken = 0;
        for (int i = 0; i < requests; i++) {
            taken += ten.take(client, now) == 0 ? 1 : 0;
        }
        return taken;
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
