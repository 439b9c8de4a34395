package dev.serval.servlet.password;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.login.Answers;
import dev.serval.servlet.login.BasicLogin;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.Secret;
import dev.serval.servlet.users.Users;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
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

    /// An embedder may write addresses in either form.
    @Test
    void shortFormOfIpv6IsTheSameNetwork() {
        Verifier verifier = verifier(STANDARD);
        for (int i = 0; i < 21; i++) {
            verifier.verify("user" + i, "guess", "2001:db8::" + i);
        }
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

    /// Users whose secret waits for a permit of the test.
    private record WaitingUsers(Semaphore entered, Semaphore go, AtomicLong changes)
            implements Users {
        WaitingUsers() {
            this(new Semaphore(0), new Semaphore(0), new AtomicLong());
        }

        @Override
        public Account find(String name) {
            return new Account(
                    name,
                    Set.of(),
                    password -> {
                        entered.release();
                        go.acquireUninterruptibly();
                        return password.equals("s3cret");
                    });
        }

        @Override
        public Secret decoy() {
            return _ -> false;
        }

        @Override
        public long version() {
            return changes.get();
        }
    }

    private Verifier waiting(WaitingUsers users, int checksMax) {
        SecurityLimits limits =
                new SecurityLimits(
                        8192, 10, 1, checksMax, 10, Long.MAX_VALUE, 100, 1, 10, 10, 1, 10);
        return new Verifier(users, limits, new SecureRandom(), () -> now, _ -> {});
    }

    private static Thread begin(
            Verifier verifier, String name, String password, List<Verdict> verdicts) {
        return Thread.ofVirtual()
                .start(() -> verdicts.add(verifier.verify(name, password, "192.0.2." + name)));
    }

    /// Of two permits, guesses that were delayed get one, and others do not queue behind them.
    @Test
    void guessesLeaveHalfOfThePermits() throws Exception {
        WaitingUsers users = new WaitingUsers();
        Verifier verifier = waiting(users, 2);
        users.go().release(3);
        for (int i = 0; i < 3; i++) {
            verifier.verify("eve", "guess" + i, "192.0.2.eve");
        }
        users.entered().acquire(3);
        List<Verdict> verdicts = new CopyOnWriteArrayList<>();
        List<Thread> guesses = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            guesses.add(begin(verifier, "eve", "next" + i, verdicts));
        }
        users.entered().acquire(); // one guess is being hashed
        Await.until("two guesses wait", () -> verifier.permits().waiting(true) == 2);
        Thread ada = begin(verifier, "ada", "s3cret", verdicts);
        users.entered().acquire(); // with the other permit
        assertThat(verifier.permits().waiting(true)).isEqualTo(2);
        users.go().release(4);
        ada.join();
        for (Thread guess : guesses) {
            guess.join();
        }
        assertThat(verdicts).hasSize(4);
        assertThat(verifier.counters().accepted()).isEqualTo(1);
        assertThat(verifier.counters().rejected()).isEqualTo(6);
    }

    /// A browser sends many requests of BASIC at once. They are one guess.
    @Test
    void requestsWithTheSamePasswordShareACheck() throws Exception {
        WaitingUsers users = new WaitingUsers();
        Verifier verifier = waiting(users, 1);
        List<Verdict> verdicts = new CopyOnWriteArrayList<>();
        List<Thread> requests = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            requests.add(begin(verifier, "ada", "s3cret", verdicts));
        }
        users.entered().acquire();
        Await.until("nine requests wait", () -> verifier.shared().followers() == 9);
        users.go().release();
        for (Thread request : requests) {
            request.join();
        }
        assertThat(verdicts).hasSize(10).hasOnlyElementsOfType(Verdict.Accepted.class);
        assertThat(users.entered().availablePermits()).isZero();
        assertThat(verifier.counters().accepted()).isEqualTo(1);
        assertThat(verifier.counters().cached()).isEqualTo(9);
        assertThat(verifier.shared().followers()).isZero();
    }

    /// A password that was changed meanwhile is not accepted because of an earlier check.
    @Test
    void checkBeforeAChangeOfTheUsersIsNotShared() throws Exception {
        WaitingUsers users = new WaitingUsers();
        Verifier verifier = waiting(users, 2);
        List<Verdict> verdicts = new CopyOnWriteArrayList<>();
        Thread before = begin(verifier, "ada", "s3cret", verdicts);
        users.entered().acquire();
        users.changes().incrementAndGet();
        Thread after = begin(verifier, "ada", "s3cret", verdicts);
        users.entered().acquire(); // by a check of its own
        users.go().release(2);
        before.join();
        after.join();
        assertThat(verifier.counters().accepted()).isEqualTo(2);
    }

    /// A check that throws leaves no request waiting.
    @Test
    void failedCheckIsNotShared() {
        SharedChecks checks = new SharedChecks(10);
        KeyedHash.Value key = new KeyedHash.Value(1, 2);
        assertThatThrownBy(() ->
                        checks.share(
                                key,
                                () -> {
                                    throw new IllegalStateException("broken");
                                }))
                .hasMessage("broken");
        assertThat(checks.share(key, Verdict.Rejected::new)).isEqualTo(new Verdict.Rejected());
    }

    /// Past the limit, a request has its own check, so that it counts as a guess.
    @Test
    void requestsPastTheLimitShareNothing() {
        SharedChecks checks = new SharedChecks(0);
        KeyedHash.Value key = new KeyedHash.Value(1, 2);
        Verdict inner = new Verdict.Stale();
        assertThat(checks.share(key, () -> checks.share(key, () -> inner))).isSameAs(inner);
        assertThat(checks.followers()).isZero();
    }

    @Test
    void halfOfTheProcessorsHash() {
        assertThat(SecurityLimits.standard(1).checksMax()).isEqualTo(1);
        assertThat(SecurityLimits.standard(3).checksMax()).isEqualTo(1);
        assertThat(SecurityLimits.standard(8).checksMax()).isEqualTo(4);
    }
}
