package dev.serval.metrics;

/// A request that took long. Immutable.
///
/// @param name the method and the path, without the query, shortened
/// @param mount the mount that it entered
/// @param status 0 if it ended without one
/// @param endedEpochSeconds when it ended, by the wall clock
/// @param totalNanos from the end of its head to the end of its response
/// @param headNanos the time of [RequestPhase#HEAD], which is not part of the total
/// @param queueNanos the time of [RequestPhase#QUEUE]
/// @param handlerNanos the time of [RequestPhase#HANDLER]
/// @param writeNanos the time of [RequestPhase#WRITE]
public record SlowRequest(
        String name,
        String mount,
        int status,
        long endedEpochSeconds,
        long totalNanos,
        long headNanos,
        long queueNanos,
        long handlerNanos,
        long writeNanos) {
    /// Returns the time of a phase.
    public long nanos(RequestPhase phase) {
        return switch (phase) {
            case HEAD -> headNanos;
            case QUEUE -> queueNanos;
            case HANDLER -> handlerNanos;
            case WRITE -> writeNanos;
        };
    }

    /// Returns the phase in which most of the time went.
    public RequestPhase longest() {
        RequestPhase longest = RequestPhase.HANDLER;
        for (RequestPhase phase : RequestPhase.values()) {
            if (nanos(phase) > nanos(longest)) {
                longest = phase;
            }
        }
        return longest;
    }
}
