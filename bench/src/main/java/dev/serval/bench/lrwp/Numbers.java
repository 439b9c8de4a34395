package dev.serval.bench.lrwp;

/// Gives each stream of requests numbers of its own. Used by one thread.
final class Numbers {
    private static final long STREAM = 10_000_000;
    private static final long MAX = 9_000_000_000L;

    private long next;

    /// Begins at a number, of which the last ten digits count.
    Numbers(long first) {
        this.next = Math.floorMod(first, MAX);
    }

    /// Returns the first number of a stream.
    long next() {
        long first = next;
        next = (next + STREAM) % MAX;
        return first;
    }
}
