package dev.serval.loop;

import java.time.Duration;

/// A clock that stands still until it is moved. One thread.
public final class FakeClock implements Clock {
    private long nanos;
    private long epochMillis;

    /// Starts at 1 s, in January 2026.
    public FakeClock() {
        this(1_000_000_000L, 1_767_225_600_000L);
    }

    /// Starts at the given times.
    public FakeClock(long nanos, long epochMillis) {
        this.nanos = nanos;
        this.epochMillis = epochMillis;
    }

    /// Moves both clocks.
    public void advance(Duration by) {
        advance(by.toNanos());
    }

    /// Moves both clocks.
    public void advance(long byNanos) {
        long before = nanos;
        nanos += byNanos;
        epochMillis += nanos / 1_000_000 - before / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long epochMillis() {
        return epochMillis;
    }
}
