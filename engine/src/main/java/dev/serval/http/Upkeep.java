package dev.serval.http;

/// What a Handler has to see to some time after its exchanges, such as giving back what nobody asks
/// for any more. Asked for with [Exchange#upkeep].
@FunctionalInterface
public interface Upkeep {
    /// Nothing more to see to until it is asked for again.
    long NEVER = Long.MAX_VALUE;

    /// Runs once, at [Place#DISK], at the instant asked for or soon after. What it throws is logged,
    /// and ends it.
    ///
    /// @param nowNanos the present instant, as [Exchange#nowNanos]
    /// @return the instant at which to run again, or [#NEVER]
    long run(long nowNanos);
}
