package dev.serval.servlet.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.request.Identity;
import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.Secret;
import dev.serval.servlet.users.Users;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class VerifierTest {
    private static final SecurityLimits STANDARD = SecurityLimits.standard(1);
    private static final Account ADA = new Account("ada", Set.of("staff"), _ -> true);

    private final AtomicInteger checks = new AtomicInteger();
    private final AtomicInteger decoys = new AtomicInteger();
    private final List<Long> slept = new ArrayList<>();
    private long version;
    private long now;
    private boolean broken;

    private final class OneUser implements Users {
        @Override
        public @Nullable Account find(String name) throws IOException {
            if (broken) {
                throw new IOException("no database");
            }
            Secret secret =
                    password -> {
                        checks.incrementAndGet();
                        return password.equals("s3cret");
                    };
            return name.startsWith("ada") ? new Account(name, Set.of("staff"), secret) : null;
        }

        @Override
        public Secret decoy() {
            return _ -> {
                decoys.incrementAndGet();
                return true; // a name that does not exist never gets in
            };
        }

        @Override
        public long version() {
            return version;
        }
    }

    private Verifier verifier(SecurityLimits limits) {
        return new Verifier(
                new OneUser(), limits, new SecureRandom(), () -> now, nanos -> slept.add(nanos));
    }

    @Test
    void unknownNameCostsACheckToo() {
        Verifier verifier = verifier(STANDARD);
        assertThat(verifier.verify("eve", "s3cret", "192.0.2.1")).isEqualTo(new Verdict.Rejected());
        assertThat(decoys).hasValue(1);
        assertThat(verifier.counters().rejected()).isEqualTo(1);
    }

    /// Checks credentials as BASIC does.
    private static Verdict often(Verifier verifier, String name, String password, String address) {
        KeyedHash.Value key = verifier.key(name + ":" + password);
        if (verifier.remembered(key) != null) {
            return new Verdict.Accepted(ADA);
        }
        long before = verifier.version();
        Verdict verdict = verifier.verify(name, password, address);
        @Nullable Identity user = Answers.identity(verdict, BasicLogin.SCHEME);
        if (user != null) {
            verifier.remember(key, user, before);
        }
        return verdict;
    }

    @Test
    void remembersRightPasswordsForAMinute() {
        Verifier verifier = verifier(STANDARD);
        for (int i = 0; i < 10; i++) {
            assertThat(often(verifier, "ada", "s3cret", "192.0.2.1"))
                    .isInstanceOf(Verdict.Accepted.class);
        }
        assertThat(checks).hasValue(1);
        assertThat(verifier.counters().cached()).isEqualTo(9);
        now += STANDARD.cachedNanos();
        often(verifier, "ada", "s3cret", "192.0.2.1");
        assertThat(checks).hasValue(2);
        version++; // the users have changed
        often(verifier, "ada", "s3cret", "192.0.2.1");
        assertThat(checks).hasValue(3);
    }

    @Test
    void useRenewsTheTimeOnlyIfChangesAreNoticed() {
        Verifier verifier = verifier(STANDARD);
        for (int i = 0; i < 10; i++) {
            often(verifier, "ada", "s3cret", "192.0.2.1");
            now += STANDARD.cachedNanos() - 1;
        }
        assertThat(checks).hasValue(1);
        version = Users.UNKNOWN_VERSION;
        for (int i = 0; i < 10; i++) {
            often(verifier, "ada", "s3cret", "192.0.2.1");
            now += STANDARD.cachedNanos() - 1;
        }
        assertThat(checks).hasValue(1 + 5); // each second use is too late
    }

    @Test
    void remembersNoWrongPassword() {
        Verifier verifier = verifier(STANDARD);
        often(verifier, "ada", "s3cret", "192.0.2.1");
        assertThat(often(verifier, "ada", "S3cret", "192.0.2.1")).isEqualTo(new Verdict.Rejected());
        assertThat(often(verifier, "adas", "3cret", "192.0.2.1")) // the same text together
                .isEqualTo(new Verdict.Rejected());
    }

    /// DIGEST has no password, but its names are kept with their failures, too.
    @Test
    void longNameIsNotLookedUpOrKept() {
        Verifier verifier = verifier(STANDARD);
        AtomicInteger ran = new AtomicInteger();
        Verifier.Check check =
                () -> {
                    ran.incrementAndGet();
                    return new Verdict.Stale();
                };
        assertThat(verifier.slowed("n".repeat(257), "192.0.2.1", check))
                .isEqualTo(new Verdict.Rejected());
        assertThat(ran).hasValue(0);
        assertThat(verifier.slowed("n".repeat(256), "192.0.2.1", check))
                .isEqualTo(new Verdict.Stale());
        assertThat(ran).hasValue(1);
    }

    @Test
    void slowsDownGuesses() {
        Verifier verifier = verifier(STANDARD);
        for (int i = 0; i < 6; i++) {
            verifier.verify("ada", "guess" + i, "192.0.2.1");
        }
        assertThat(slept).containsExactly(100_000_000L, 200_000_000L, 400_000_000L);
        assertThat(verifier.counters().slowed()).isEqualTo(3);
        assertThat(verifier.counters().rejected()).isEqualTo(6);
        // The right password waits as long, and forgives.
        assertThat(verifier.verify("ada", "s3cret", "192.0.2.1"))
                .isInstanceOf(Verdict.Accepted.class);
        assertThat(slept).hasSize(4);
        verifier.verify("ada", "s3cret", "192.0.2.1");
        assertThat(slept).hasSize(4);
    }

    /// An IPv6 client has many addresses.
    @Test
    void countsAnIpv6NetworkAsOneAddress() {
        Verifier verifier = verifier(STANDARD);
        for (int i = 0; i < 21; i++) {
            verifier.verify("user" + i, "guess", "2001:db8:1:2:0:0:0:" + i);
        }
        assertThat(slept).hasSize(1);
        verifier.verify("other", "guess", "2001:db8:1:3:0:0:0:1");
        assertThat(slept).hasSize(1);
    }

    @Test
    void tooLongCredentialsAreNotChecked() {
        Verifier verifier = verifier(STANDARD);
        verifier.verify("ada" + "x".repeat(253), "y".repeat(1024), "192.0.2.1");
        assertThat(checks).hasValue(1);
        verifier.verify("ada" + "x".repeat(254), "y", "192.0.2.1");
        verifier.verify("ada", "y".repeat(1025), "192.0.2.1");
        assertThat(checks).hasValue(1);
    }

    @Test
    void usersThatCannotBeReadAreNoWrongPassword() {
        Verifier verifier = verifier(STANDARD);
        broken = true;
        assertThat(verifier.verify("ada", "s3cret", "192.0.2.1"))
                .isEqualTo(new Verdict.Unavailable());
        assertThat(verifier.counters().rejected()).isZero();
    }

    /// One check runs at a time here; a second one that waits too long is refused.
    @Test
    void boundsTheChecksAtATime() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Users slow =
                new Users() {
                    @Override
                    public Account find(String name) {
                        return new Account(
                                name,
                                Set.of(),
                                _ -> {
                                    entered.countDown();
                                    try {
                                        go.await();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                    return true;
                                });
                    }

                    @Override
                    public Secret decoy() {
                        return _ -> false;
                    }
                };
        SecurityLimits limits = new SecurityLimits(8192, 10, 1, 1, 10, 1_000, 10, 1, 10, 10, 1, 10);
        Verifier verifier =
                new Verifier(slow, limits, new SecureRandom(), System::nanoTime, _ -> {});
        Thread first = Thread.ofVirtual().start(() -> verifier.verify("ada", "x", "192.0.2.1"));
        entered.await();
        assertThat(verifier.verify("bob", "x", "192.0.2.2")).isEqualTo(new Verdict.Refused(false));
        assertThat(verifier.counters().refused()).isEqualTo(1);
        go.countDown();
        first.join();
        assertThat(verifier.verify("bob", "x", "192.0.2.2")).isInstanceOf(Verdict.Accepted.class);
    }

    @Test
    void cacheIsBounded() {
        CredentialCache cache = new CredentialCache(10, 100, new SecureRandom());
        for (int i = 0; i < 1_000; i++) {
            cache.put(cache.key("user" + i), Identity.ANONYMOUS, 0, i / 10);
        }
        assertThat(cache.size()).isLessThanOrEqualTo(10);
    }
}
