package dev.serval.bench.load;

import java.util.List;

/// What a client does in its session: bursts of requests, one after the other. The requests of a
/// burst are sent at once, such as those for the images of a page. From the first cookie that it gets,
/// the client sends this cookie with each request. It closes its connections at the end.
public record Script(List<Burst> bursts) {
    /// Requests that are sent at once, each on a connection of its own, which stays open.
    ///
    /// @param thinkSeconds time from the last of their answers to the next burst
    public record Burst(List<Ask> asks, double thinkSeconds) {
        /// Returns a burst of one request, after which the client does not think.
        public static Burst of(Ask ask) {
            return new Burst(List.of(ask), 0);
        }

        long thinkNanos() {
            return Math.round(thinkSeconds * 1e9);
        }
    }

    /// A GET.
    ///
    /// @param content of the only answer that is right
    public record Ask(String path, byte[] content) {}

    /// Returns how many connections a client has.
    public int connections() {
        return bursts.stream().mapToInt(burst -> burst.asks().size()).max().orElse(1);
    }

    /// Returns how much of a session's time its client waited for answers. It does not think after
    /// the last burst.
    long waitedNanos(long tookNanos) {
        return tookNanos
                - bursts.stream().limit(bursts.size() - 1).mapToLong(Burst::thinkNanos).sum();
    }
}
