package dev.serval.examples.osp.call;

/// How the service answers. Immutable.
///
/// @param validSeconds how long a token is valid
/// @param toleranceSeconds how far the clocks of a gateway and of the server may differ, where a
///     token's time is checked
/// @param timestampMaxSeconds how far the Timestamp of a request may be from the server's time; 0
///     for no check
/// @param destinationsMax the most destinations in an answer
/// @param storeMaxMillis how long a client waits for the record of its UsageIndication, in
///     milliseconds; the record stays in the queue after that
public record CallSettings(
        int validSeconds,
        int toleranceSeconds,
        int timestampMaxSeconds,
        int destinationsMax,
        int storeMaxMillis) {
    /// The settings of a server that sets none.
    public static final CallSettings STANDARD = new CallSettings(300, 30, 0, 8, 10_000);
}
