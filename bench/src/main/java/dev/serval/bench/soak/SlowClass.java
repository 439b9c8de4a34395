package dev.serval.bench.soak;

/// Takes its time to be initialised, which holds whoever carries the thread. Defined anew, hidden,
/// for each request.
final class SlowClass {
    static final long STARTED = System.nanoTime();

    static {
        while (System.nanoTime() - STARTED < 3_000_000) {
            Thread.onSpinWait();
        }
    }

    private SlowClass() {}
}
