package dev.serval.examples.shop;

/// A calculation that stands for the work of a larger application, so that a benchmark can choose how
/// much each page costs. It needs no memory and the same steps on every server.
///
/// @param thousands of steps; a thousand take a few microseconds
public record Work(int thousands) {
    private static final int THOUSAND = 1_000;
    private static final long SEED = 0x2545F4914F6CDD1DL;

    /// Calculates, each step from the one before.
    ///
    /// @return the last number, which is never zero
    public long calculate() {
        long number = SEED;
        for (int i = 0; i < thousands; i++) {
            number = steps(number);
        }
        return number;
    }

    private static long steps(long from) {
        long number = from;
        for (int i = 0; i < THOUSAND; i++) {
            number ^= number << 7;
            number ^= number >>> 9;
        }
        return number;
    }
}
