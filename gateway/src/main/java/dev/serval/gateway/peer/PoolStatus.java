package dev.serval.gateway.peer;

import dev.serval.metrics.Distribution;
import java.util.Map;

/// What a pool does at one moment, for people and metrics. Immutable. The numbers of several loops
/// are read one after the other, so they do not show a single instant.
///
/// @param name of the application or upstreams
/// @param peers open connections
/// @param busy requests at a peer
/// @param queued requests that wait for a peer
/// @param served answers that were complete
/// @param refused requests without a peer, by cause
/// @param failed requests without a complete answer, by cause
/// @param times how long the complete answers took, from the start of the request at the peer; without
///     tunnels and streams of events
public record PoolStatus(
        String name,
        int peers,
        int busy,
        int queued,
        long served,
        Map<Refusal, Long> refused,
        Map<PeerFault, Long> failed,
        Distribution times) {
    /// Copies the maps.
    public PoolStatus {
        refused = Map.copyOf(refused);
        failed = Map.copyOf(failed);
    }

    /// Returns the time that half of the answers did not exceed; 0 without answers.
    public long medianNanos() {
        return times.quantileNanos(0.5);
    }

    /// Returns the time that 99 of 100 answers did not exceed; 0 without answers.
    public long p99Nanos() {
        return times.quantileNanos(0.99);
    }

    /// Returns the number of requests without a peer.
    public long refusals() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Returns the number of requests that a peer did not answer.
    public long failures() {
        return failed.values().stream().mapToLong(Long::longValue).sum();
    }
}
