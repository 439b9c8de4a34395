package dev.serval.servlet.password;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.codec.ClientKey;
import dev.serval.servlet.request.Identity;
import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.Secret;
import dev.serval.servlet.users.Users;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Checks names and passwords for all applications of a container. Few passwords are hashed at a
/// time, so that they leave processors to all else; further requests wait, and are refused if that
/// takes too long. Any thread that may wait, never a loop.
public final class Verifier {
    private static final System.Logger LOG = System.getLogger(Verifier.class.getName());
    private static final int NAME_MAX_CHARS = 256;
    private static final int PASSWORD_MAX_CHARS = 1024;

    private final Users users;
    private final SecurityLimits limits;
    private final LongSupplier nanoClock;
    private final Sleeper sleeper;
    private final HashPermits permits;
    private final SharedChecks shared;
    private final CredentialCache cache;
    private final FailureTable failures;
    private final DigestNonces nonces;
    private final LoginCounters counters = new LoginCounters();

    /// Waits for some time.
    @FunctionalInterface
    interface Sleeper {
        /// Parks the calling thread for about so long. Ends early if it is interrupted.
        void sleep(long nanos);
    }

    /// Creates a verifier.
    public Verifier(Users users, SecurityLimits limits, SecureRandom random) {
        this(users, limits, random, System::nanoTime, Verifier::park);
    }

    Verifier(
            Users users,
            SecurityLimits limits,
            SecureRandom random,
            LongSupplier nanoClock,
            Sleeper sleeper) {
        this.users = users;
        this.limits = limits;
        this.nanoClock = nanoClock;
        this.sleeper = sleeper;
        this.permits = new HashPermits(limits, nanoClock);
        this.shared = new SharedChecks(limits.checksWaitingMax());
        this.cache = new CredentialCache(limits.cachedMax(), limits.cachedNanos(), random);
        this.failures = new FailureTable(limits.failuresMax(), limits.failuresNanos());
        this.nonces = new DigestNonces(limits.nonceNanos(), limits.noncesMax(), random, nanoClock);
    }

    private static void park(long nanos) {
        long until = System.nanoTime() + nanos;
        long rest = nanos;
        while (rest > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(rest);
            rest = until - System.nanoTime();
        }
    }

    /// Returns the bound of passwords that are hashed at a time.
    HashPermits permits() {
        return permits;
    }

    /// Returns the checks that several requests wait for.
    SharedChecks shared() {
        return shared;
    }

    public SecurityLimits limits() {
        return limits;
    }

    /// Returns the counters.
    public LoginCounters counters() {
        return counters;
    }

    /// Returns the key by which credentials are remembered.
    ///
    /// @param field as the client sent it
    public KeyedHash.Value key(String field) {
        return cache.key(field);
    }

    /// Returns whose credentials these are, if they were right a short time ago.
    @Nullable
    public Identity remembered(KeyedHash.Value key) {
        @Nullable Identity known = cache.get(key, users.version(), nanoClock.getAsLong());
        if (known != null) {
            counters.countCached();
        }
        return known;
    }

    /// Remembers credentials that were right.
    ///
    /// @param version of the users before the check
    public void remember(KeyedHash.Value key, Identity user, long version) {
        cache.put(key, user, version, nanoClock.getAsLong());
    }

    /// Returns the version of the users.
    public long version() {
        return users.version();
    }

    /// Checks a name and a password.
    ///
    /// @param address of the client
    public Verdict verify(String name, String password, String address) {
        if (password.length() > PASSWORD_MAX_CHARS) {
            counters.countRejected();
            return new Verdict.Rejected(); // no user has it
        }
        if (name.length() > NAME_MAX_CHARS) {
            counters.countRejected();
            return new Verdict.Rejected(); // no user has it, and failures keep the name
        }
        String network = ClientKey.text(address);
        // The version, because a check that began before a change of the users may be outdated. The
        // lengths tell where each part ends.
        String credentials =
                users.version()
                        + ":"
                        + network.length()
                        + ":"
                        + name.length()
                        + ":"
                        + network
                        + name
                        + password;
        boolean[] isOwn = new boolean[1];
        Verdict verdict =
                shared.share(
                        cache.key(credentials),
                        () -> {
                            isOwn[0] = true;
                            return guess(name, password, network);
                        });
        if (!isOwn[0]) {
            countShared(verdict);
        }
        return verdict;
    }

    private Verdict guess(String name, String password, String network) {
        FailureTable.@Nullable Pass pass =
                failures.enter(name, network, true, nanoClock.getAsLong());
        return pass == null
                ? tooMany()
                : delayed(pass, name, network, () -> checked(name, password, pass.isSuspect()));
    }

    /// Counts a request whose password another one has had checked.
    private void countShared(Verdict verdict) {
        switch (verdict) {
            case Verdict.Accepted _ -> counters.countCached();
            case Verdict.Rejected _ -> counters.countRejected();
            case Verdict.Refused _ -> counters.countRefused();
            case Verdict.Stale _, Verdict.Unavailable _ -> {}
        }
    }

    /// A check of the credentials of one user.
    @FunctionalInterface
    public interface Check {
        Verdict check() throws IOException;
    }

    /// Runs a check that needs little time, after the delay that earlier failures cost. Checks in
    /// progress are not counted as failures, because a client of DIGEST runs many at a time.
    public Verdict slowed(String name, String address, Check check) {
        if (name.length() > NAME_MAX_CHARS) {
            counters.countRejected();
            return new Verdict.Rejected(); // no user has it, and failures keep the name
        }
        String network = ClientKey.text(address);
        FailureTable.@Nullable Pass pass =
                failures.enter(name, network, false, nanoClock.getAsLong());
        return pass == null ? tooMany() : delayed(pass, name, network, check);
    }

    private Verdict tooMany() {
        counters.countRefused();
        return new Verdict.Refused(true);
    }

    private Verdict delayed(FailureTable.Pass pass, String name, String network, Check check) {
        try {
            if (pass.delayNanos() > 0) {
                counters.countSlowed();
                sleeper.sleep(pass.delayNanos());
            }
            return counted(name, network, check.check());
        } catch (IOException e) {
            reportUnreadable(e);
            return new Verdict.Unavailable();
        } finally {
            failures.leave(pass);
        }
    }

    /// Tells the log that a request that logs in gets 503.
    public void reportUnreadable(IOException why) {
        LOG.log(WARNING, "Serval failed to read the users, so requests that log in get 503", why);
    }

    private Verdict counted(String name, String network, Verdict verdict) {
        switch (verdict) {
            case Verdict.Accepted _ -> {
                counters.countAccepted();
                failures.succeeded(name);
            }
            case Verdict.Rejected _ -> {
                counters.countRejected();
                failures.failed(name, network, nanoClock.getAsLong());
            }
            case Verdict.Stale _ -> {}
            case Verdict.Refused _ -> counters.countRefused();
            case Verdict.Unavailable _ -> {}
        }
        return verdict;
    }

    private Verdict checked(String name, String password, boolean isSuspect) throws IOException {
        @Nullable Account account = users.find(name);
        Secret secret = account == null ? users.decoy() : account.secret();
        if (!permits.acquire(isSuspect)) {
            return new Verdict.Refused(false);
        }
        try {
            boolean right = secret.matches(password);
            return account != null && right
                    ? new Verdict.Accepted(account)
                    : new Verdict.Rejected();
        } finally {
            permits.release(isSuspect);
        }
    }

    /// Returns the nonces of DIGEST.
    public DigestNonces nonces() {
        return nonces;
    }

    /// Counts a response of DIGEST that was sent before.
    public void countReplay() {
        counters.countReplayed();
    }

    /// Returns the user of that name; null if there is none.
    @Nullable
    public Account find(String name) throws IOException {
        return users.find(name);
    }
}
