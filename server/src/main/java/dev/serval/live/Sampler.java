package dev.serval.live;

import dev.serval.Serval;
import dev.serval.metrics.MountFigures;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Metrics;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Samples a server once a second, by one thread, from the start of administration to its end. A sample
/// reads counters and asks no loop, so it costs some ten microseconds and wakes nothing. Closing it ends
/// the thread.
public final class Sampler implements AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Metrics metrics;
    private final Serval serval;
    private final String ownMount;
    private final InstantSource wall;
    private final LongSupplier clock;
    private final History history = new History();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("serval-live").factory());
    private MountFigures before;
    private long refusalsBefore;
    private long beforeNanos;

    /// Creates a sampler that does not run yet.
    ///
    /// @param ownMount the mount of administration, whose requests do not count
    Sampler(Serval serval, String ownMount, InstantSource wall, LongSupplier clock) {
        this.serval = serval;
        this.metrics = serval.metrics();
        this.ownMount = ownMount;
        this.wall = wall;
        this.clock = clock;
        this.before = metrics.totals(ownMount);
        this.refusalsBefore = refusals();
        this.beforeNanos = clock.getAsLong();
    }

    /// Starts to sample.
    ///
    /// @param ownMount the mount of administration, whose requests do not count
    public static Sampler start(Serval serval, String ownMount) {
        Sampler sampler = new Sampler(serval, ownMount, InstantSource.system(), System::nanoTime);
        var _ = sampler.thread.scheduleAtFixedRate(sampler::guarded, 1, 1, TimeUnit.SECONDS);
        return sampler;
    }

    /// Returns what was sampled.
    History history() {
        return history;
    }

    /// An error, such as for want of memory, must not end the samples.
    private void guarded() {
        try {
            sample();
        } catch (RuntimeException | Error e) {
            return; // the next second has another try
        }
    }

    /// Adds the moment since the last sample.
    void sample() {
        MountFigures now = metrics.totals(ownMount);
        MountFigures passed = now.minus(before);
        long refusals = refusals();
        long nanos = clock.getAsLong();
        Runtime jvm = Runtime.getRuntime();
        history.add(
                new Moment(
                        wall.millis(),
                        (nanos - beforeNanos) / NANOS_PER_SECOND,
                        passed.requests(),
                        passed.errors(5),
                        refusals - refusalsBefore,
                        passed.times().quantileNanos(0.5),
                        passed.times().quantileNanos(0.99),
                        serval.connections(),
                        jvm.totalMemory() - jvm.freeMemory()));
        before = now;
        refusalsBefore = refusals;
        beforeNanos = nanos;
    }

    private long refusals() {
        return metrics.sums(LabelledCounter.REFUSALS).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
