package dev.serval.bench.report;

/// What a cell must reach and what it should.
///
/// @param ratio the subject's CPU per request ÷ the reference's: at most this, or the cell fails
/// @param aim likewise, what we want
/// @param bytesPerSecond the subject's bytes per second ÷ the reference's: at least this; 0 for any
public record Gate(double ratio, double aim, double bytesPerSecond) {
    /// Whatever it is, it is kept.
    public static final Gate NONE = new Gate(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, 0);
}
