package dev.serval.metrics;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A request that took long. Immutable.
///
/// @param name the method and the path, without the query, shortened
/// @param mount the mount that it entered
/// @param status 0 if it ended without one
/// @param endedEpochSeconds when it ended, by the wall clock
/// @param group its [PathGroup]
/// @param totalNanos from the first byte of the request to the end of its response
/// @param headNanos the time of [RequestPhase#HEAD]
/// @param queueNanos the time of [RequestPhase#QUEUE]
/// @param handlerNanos the time of [RequestPhase#HANDLER]
/// @param writeNanos the time of [RequestPhase#WRITE]
public record SlowRequest(
        String name,
        String mount,
        int status,
        long endedEpochSeconds,
        long group,
        long totalNanos,
        long headNanos,
        long queueNanos,
        long handlerNanos,
        long writeNanos) {
    /// Returns the time that decides whether a request is slow: with that of its head.
    static long nanosWithHead(EndedRequest request) {
        return Math.max(0, request.totalNanos()) + request.nanos(RequestPhase.HEAD);
    }

    /// Describes a request that has ended.
    ///
    /// @param mount the name of its mount
    static SlowRequest of(EndedRequest request, String mount) {
        return new SlowRequest(
                request.name(),
                mount,
                request.status(),
                request.endedEpochSeconds(),
                request.group(),
                nanosWithHead(request),
                request.nanos(RequestPhase.HEAD),
                request.nanos(RequestPhase.QUEUE),
                request.nanos(RequestPhase.HANDLER),
                request.nanos(RequestPhase.WRITE));
    }

    /// Returns the slowest of some requests, the slowest first, with at most three of each group.
    public static List<SlowRequest> slowest(List<SlowRequest> all, int most) {
        Map<Long, Integer> ofGroup = new HashMap<>();
        return all.stream()
                .sorted(Comparator.comparingLong(SlowRequest::totalNanos).reversed())
                .filter(one ->
                        ofGroup.merge(one.group(), 1, Integer::sum) <= SlowRequests.OF_GROUP_MAX)
                .limit(most)
                .toList();
    }

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
