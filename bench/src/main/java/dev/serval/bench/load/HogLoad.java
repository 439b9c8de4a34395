package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Clients that request application code which keeps its thread. Each sends its next request as
/// soon as it has its answer, until [#close].
public final class HogLoad implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final long LOOK_NANOS = 1_000_000;

    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofPlatform().daemon().name("hog-", 0).factory());
    private final List<Future<?>> clients = new ArrayList<>();
    private final AtomicLong answered = new AtomicLong();
    private volatile boolean stopped;

    private HogLoad() {}

    /// Starts this many clients, perhaps none.
    public static HogLoad start(Client.Target target, int count) {
        HogLoad load = new HogLoad();
        for (int i = 0; i < count; i++) {
            load.clients.add(
                    load.threads.submit(() -> {
                        load.ask(target);
                        return null;
                    }));
        }
        return load;
    }

    /// Returns the number of requests answered so far.
    public long answered() {
        return answered.get();
    }

    /// Waits until this many requests were answered or a client failed.
    public void awaitAnswered(long count) {
        while (answered() < count && clients.stream().noneMatch(Future::isDone)) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private void ask(Client.Target target) throws IOException {
        try (Caller caller = Caller.to(target)) {
            while (!stopped) {
                caller.ask(TIMEOUT_MILLIS);
                answered.incrementAndGet();
            }
        }
    }

    /// Waits for the last answers.
    ///
    /// @throws BenchFailure if a client failed
    @Override
    public void close() {
        stopped = true;
        threads.close();
        clients.forEach(client -> Joined.result(client, "a client of application code failed"));
    }
}
