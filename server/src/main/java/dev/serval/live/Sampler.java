package dev.serval.live;

import dev.serval.Serval;
import dev.serval.metrics.MountFigures;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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
    private final Histories histories = new Histories();
    private final List<Series> series = new ArrayList<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("serval-live").factory());

    /// Creates a sampler that does not run yet.
    ///
    /// @param ownMount the mount of administration, whose requests do not count
    Sampler(Serval serval, String ownMount, InstantSource wall, LongSupplier clock) {
        this.serval = serval;
        this.metrics = serval.metrics();
        this.ownMount = ownMount;
        this.wall = wall;
        this.clock = clock;
        Reading now = read();
        for (Span span : Span.values()) {
            series.add(new Series(span, histories.of(span), now));
        }
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
    Histories histories() {
        return histories;
    }

    /// An error, such as for want of memory, must not end the samples.
    private void guarded() {
        try {
            sample();
        } catch (RuntimeException | Error e) {
            return; // the next second has another try
        }
    }

    /// Takes a sample, and adds the moments that are complete.
    void sample() {
        Reading now = read();
        Runtime jvm = Runtime.getRuntime();
        Moment.State state =
                new Moment.State(
                        serval.connections(),
                        jvm.totalMemory() - jvm.freeMemory(),
                        serval.load().mode());
        series.forEach(one -> one.add(now, state, wall.millis()));
    }

    private Reading read() {
        return new Reading(metrics.totals(ownMount), refusals(), clock.getAsLong());
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

    /// The counters at one instant.
    private record Reading(MountFigures requests, long refusals, long nanos) {}

    /// Makes the moments of one span of the samples. Owned by the thread.
    private static final class Series {
        private final Span span;
        private final History history;
        private Reading before;
        private Moment.@Nullable State most; // since then
        private int samples; // since then

        Series(Span span, History history, Reading first) {
            this.span = span;
            this.history = history;
            this.before = first;
        }

        void add(Reading now, Moment.State state, long epochMillis) {
            Moment.State all = most == null ? state : most.and(state);
            most = all;
            samples++;
            if (samples < span.periodSeconds()) {
                return;
            }
            MountFigures passed = now.requests.minus(before.requests);
            history.add(
                    new Moment(
                            epochMillis,
                            (now.nanos - before.nanos) / NANOS_PER_SECOND,
                            passed.requests(),
                            passed.errors(5),
                            now.refusals - before.refusals,
                            passed.times().quantileNanos(0.5),
                            passed.times().quantileNanos(0.99),
                            all));
            before = now;
            most = null;
            samples = 0;
        }
    }
}
