package dev.serval.soak;

/// Takes long to initialize, which pins the thread to its carrier. Each request defines it again as
/// a hidden class.
final class SlowClass {
    static final long STARTED = System.nanoTime();

    static {
        while (System.nanoTime() - STARTED < 3_000_000) {
            Thread.onSpinWait();
        }
    }

    private SlowClass() {}
}
