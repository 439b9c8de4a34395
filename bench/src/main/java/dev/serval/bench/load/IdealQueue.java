package dev.serval.bench.load;

/// Computes the latencies of a server that has no cost of its own. Each request needs the same time
/// of one CPU and then waits for the same delay. Only the requests before it delay it further.
///
/// Both disciplines never leave the CPU idle while a request waits. Because all demands are equal,
/// no discipline has a smaller mean, a smaller maximum or smaller high percentiles than first come,
/// first served.
///
/// @param demandNanos CPU time of a request
/// @param delayNanos wait after it, which needs no CPU
public record IdealQueue(long demandNanos, long delayNanos) {
    /// Returns the latencies if the requests run one after another, first come, first served.
    ///
    /// @param arrivals instants in nanoseconds, ascending
    public long[] oneAfterAnother(long[] arrivals) {
        long[] latencies = new long[arrivals.length];
        long free = Long.MIN_VALUE;
        for (int i = 0; i < arrivals.length; i++) {
            free = Math.max(free, arrivals[i]) + demandNanos;
            latencies[i] = free - arrivals[i] + delayNanos;
        }
        return latencies;
    }

    /// Returns the latencies if all requests at a time share the CPU equally, as threads do if the
    /// slices of time are short.
    ///
    /// With equal demands the requests end in the order of their arrival. Therefore one number says
    /// how much CPU time each present request has had since the start: a request ends when it has
    /// grown by the demand.
    ///
    /// @param arrivals instants in nanoseconds, ascending
    public long[] shared(long[] arrivals) {
        long[] latencies = new long[arrivals.length];
        double[] ends = new double[arrivals.length];
        double served = 0;
        double now = 0;
        int first = 0;
        for (int next = 0; first < arrivals.length; ) {
            int present = next - first;
            double end = present == 0 ? Double.MAX_VALUE : now + (ends[first] - served) * present;
            if (next < arrivals.length && arrivals[next] <= end) {
                served += present == 0 ? 0 : (arrivals[next] - now) / present;
                now = arrivals[next];
                ends[next] = served + demandNanos;
                next++;
            } else {
                served = ends[first];
                now = end;
                latencies[first] = Math.round(end - arrivals[first]) + delayNanos;
                first++;
            }
        }
        return latencies;
    }
}
