package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Wrong passwords are counted for account and address, and too many are a refusal.
final class GuessesTest {
    private static final String HERE = "192.0.2.1";
    private static final String THERE = "192.0.2.2";

    private long now = 17;
    private final AtomicInteger checks = new AtomicInteger();
    private final Guesses guesses = new Guesses(() -> now);

    private Guesses.Result<String> wrong(String account, String address) {
        return guesses.attempt(account, address, () -> found(null));
    }

    private Guesses.Result<String> right(String account, String address) {
        return guesses.attempt(account, address, () -> found(account));
    }

    private @Nullable String found(@Nullable String account) {
        checks.incrementAndGet();
        return account;
    }

    private void wrongTimes(int times, String account, String address) {
        for (int i = 0; i < times; i++) {
            assertThat(wrong(account, address).isRefused()).as("attempt %d", i).isFalse();
        }
    }

    @Test
    void sixthPasswordForAnAccountFromAnAddressIsNotChecked() {
        wrongTimes(Guesses.PAIR_MAX, "ann", HERE);
        assertThat(right("ann", HERE)).isEqualTo(new Guesses.Result<String>(null, 600));
        assertThat(checks).hasValue(Guesses.PAIR_MAX);
        assertThat(right("ann", THERE).found()).isEqualTo("ann");
        assertThat(right("bob", HERE).found()).isEqualTo("bob");
    }

    @Test
    void refusalEndsTenMinutesAfterTheFirstWrongPassword() {
        wrongTimes(1, "ann", HERE);
        now += Guesses.WINDOW_NANOS / 2;
        wrongTimes(Guesses.PAIR_MAX - 1, "ann", HERE);
        assertThat(right("ann", HERE).waitSeconds()).isEqualTo(300);
        now += Guesses.WINDOW_NANOS / 2 - 1;
        assertThat(right("ann", HERE).waitSeconds()).isEqualTo(1);
        now += 1;
        assertThat(right("ann", HERE).found()).isEqualTo("ann");
    }

    @Test
    void rightPasswordEndsTheCountOfItsAccount() {
        wrongTimes(Guesses.PAIR_MAX - 1, "ann", HERE);
        assertThat(right("ann", HERE).found()).isEqualTo("ann");
        wrongTimes(Guesses.PAIR_MAX, "ann", HERE);
        assertThat(wrong("ann", HERE).isRefused()).isTrue();
    }

    @Test
    void addressHasALimitForAllAccountsThatARightPasswordDoesNotEnd() {
        for (int i = 0; i < Guesses.ADDRESS_MAX; i++) {
            wrongTimes(1, "reader" + i, HERE);
            assertThat(right("own", HERE).isRefused()).isEqualTo(i == Guesses.ADDRESS_MAX - 1);
        }
        assertThat(wrong("another", HERE).isRefused()).isTrue();
        wrongTimes(1, "another", THERE);
    }

    @Test
    void accountHasALimitForAllAddresses() {
        for (int i = 0; i < Guesses.ACCOUNT_MAX; i++) {
            wrongTimes(1, "ann", "198.51.100." + i);
        }
        assertThat(right("ann", HERE).isRefused()).isTrue();
        assertThat(right("bob", HERE).isRefused()).isFalse();
    }

    @Test
    void addressesOfOneNetworkOfIpv6AreOne() {
        for (int i = 0; i < Guesses.PAIR_MAX; i++) {
            wrongTimes(1, "ann", "2001:db8:0:1::" + i);
        }
        assertThat(right("ann", "2001:db8:0:1:ffff::1").isRefused()).isTrue();
        assertThat(right("ann", "2001:db8:0:2::1").isRefused()).isFalse();
        wrongTimes(1, "ann", "a client without an address");
    }

    @Test
    void longNamesAreCutAndOldCountsGo() {
        String name = "x".repeat(80);
        wrongTimes(Guesses.PAIR_MAX, name + "a", HERE);
        assertThat(right(name + "b", HERE).isRefused()).isTrue();
        for (int i = 0; i < Guesses.KEPT_MAX; i++) {
            wrong("reader" + i, "10." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
        }
        assertThat(guesses.kept()).isEqualTo(Guesses.KEPT_MAX);
        assertThat(right(name, HERE).isRefused()).isFalse();
    }

    @Test
    void manyAttemptsAtOnceGetNoFurtherThanOne() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        Runnable attempt =
                () -> {
                    Guesses.Result<String> result =
                            guesses.attempt(
                                    "ann",
                                    HERE,
                                    () -> {
                                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                        if (checks.incrementAndGet() == 1) {
                                            awaitOthers(threads, inside);
                                        }
                                        inside.decrementAndGet();
                                        return null;
                                    });
                    refused.addAndGet(result.isRefused() ? 1 : 0);
                };
        for (int i = 0; i < 20; i++) {
            threads.add(Thread.ofPlatform().unstarted(attempt));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most).hasValue(1);
        assertThat(refused).hasValue(20 - Guesses.PAIR_MAX);
        assertThat(checks).hasValue(Guesses.PAIR_MAX);
    }

    /// Waits until all other threads wait for this one, or one does not and checks as well.
    private static void awaitOthers(List<Thread> threads, AtomicInteger inside) {
        Await.until(
                "the other attempts",
                () ->
                        inside.get() > 1
                                || threads.stream()
                                        .filter(each -> !each.equals(Thread.currentThread()))
                                        .allMatch(each -> each.getState() == Thread.State.BLOCKED));
    }
}
