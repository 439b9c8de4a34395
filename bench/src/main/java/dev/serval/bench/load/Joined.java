package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// What the threads of a load bring back.
final class Joined {
    private Joined() {}

    /// Waits for it.
    ///
    /// @param what failed, if it did, in words
    /// @throws BenchFailure where it threw
    static <T> T result(Future<T> future, String what) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new BenchFailure(what + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("interrupted", e);
        }
    }
}
