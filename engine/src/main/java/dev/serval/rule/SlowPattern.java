package dev.serval.rule;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Handler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Tells the log of a pattern that takes too long, at most once a minute, with the number of its
/// requests since the message before. Clients cause them, and could fill the log otherwise. A task of
/// [dev.serval.handler.ExecutorKind#DISK] logs, because a loop must not wait for a logger. Any thread.
final class SlowPattern implements Handler.Maintenance {
    static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String pattern;
    private final Consumer<String> log;
    private final AtomicLong untold = new AtomicLong(); // requests
    private final AtomicBoolean telling = new AtomicBoolean(); // until a minute without requests

    /// @param log takes a message
    SlowPattern(String pattern, Consumer<String> log) {
        this.pattern = pattern;
        this.log = log;
    }

    /// Counts a request, and has it told. On the loop.
    void met(EngineExchange x) {
        untold.incrementAndGet();
        if (telling.compareAndSet(false, true)) {
            x.maintenance(this, x.nowNanos());
        }
    }

    @Override
    public long run(long nowNanos) {
        long requests = untold.getAndSet(0);
        if (requests > 0) {
            log.accept(
                    "The pattern "
                            + pattern
                            + " takes too long for some paths: "
                            + (requests == 1 ? "1 request" : requests + " requests")
                            + " got 500. Write it without repetitions inside of repetitions");
            return nowNanos + PAUSE_NANOS;
        }
        telling.set(false);
        boolean again = untold.get() > 0 && telling.compareAndSet(false, true);
        return again ? nowNanos : NEVER;
    }
}
