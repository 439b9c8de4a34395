package dev.serval.bench.report;

/// The limits that a cell must keep, and its aim.
///
/// @param ratio the highest CPU time per request of the subject ÷ the reference's; above it the
///     cell fails
/// @param aim the same ratio that we want to reach
/// @param bytesPerSecond the lowest bytes per second of the subject ÷ the reference's; 0 for no
///     limit
public record Gate(double ratio, double aim, double bytesPerSecond) {
    /// The gate that every cell passes.
    public static final Gate NONE = new Gate(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0);
}
