package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/// Waits for the threads of a load.
public final class Joined {
    private Joined() {}

    /// Waits for a result.
    ///
    /// @param what describes the failure, for the message
    /// @throws BenchFailure if the task failed
    public static <T> T result(Future<T> future, String what) {
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
