package dev.serval.soak.whole;

/// The descriptors and threads of the server's process at a moment.
record Held(long descriptors, long threads) {
    boolean isWithin(Held other) {
        return descriptors <= other.descriptors && threads <= other.threads;
    }
}
