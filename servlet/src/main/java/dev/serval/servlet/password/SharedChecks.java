package dev.serval.servlet.password;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Lets requests that send the same credentials at the same time share one check. A browser sends
/// many of BASIC at once, and they are one guess. Any thread that may wait.
final class SharedChecks {
    private final int followersMax;
    private final Map<KeyedHash.Value, CompletableFuture<Verdict>> running =
            new ConcurrentHashMap<>(); // at most one for each thread
    private final AtomicInteger followers = new AtomicInteger();

    /// Creates the checks.
    ///
    /// @param followersMax the requests that may wait for the checks of others
    SharedChecks(int followersMax) {
        this.followersMax = followersMax;
    }

    /// Runs a check, or waits for the result of another thread that runs it. If too many wait, the
    /// check runs, too.
    Verdict share(KeyedHash.Value key, Supplier<Verdict> check) {
        CompletableFuture<Verdict> own = new CompletableFuture<>();
        @Nullable CompletableFuture<Verdict> other = running.putIfAbsent(key, own);
        if (other != null) {
            return follow(other, check);
        }
        Verdict verdict = new Verdict.Unavailable(); // if the check throws
        try {
            verdict = check.get();
            return verdict;
        } finally {
            running.remove(key);
            own.complete(verdict);
        }
    }

    private Verdict follow(CompletableFuture<Verdict> other, Supplier<Verdict> check) {
        if (followers.incrementAndGet() > followersMax) {
            followers.decrementAndGet();
            return check.get();
        }
        try {
            return other.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Verdict.Refused(false);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // never: it is completed with a verdict
        } finally {
            followers.decrementAndGet();
        }
    }

    /// Returns the requests that wait for the checks of others.
    int followers() {
        return followers.get();
    }
}
