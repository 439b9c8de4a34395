package dev.serval.bench.war;

/// Keeps a CPU busy with a number of dependent steps. It uses no memory, so that the same number of
/// steps takes the same CPU time in every process of a machine.
public final class Burn {
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private Burn() {}

    /// Computes the given number of steps of a xorshift generator.
    ///
    /// @return the last state, which is never zero
    public static long steps(long count) {
        long state = SEED;
        for (long i = 0; i < count; i++) {
            state ^= state << 13;
            state ^= state >>> 7;
            state ^= state << 17;
        }
        return state;
    }
}
