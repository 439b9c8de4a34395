package dev.serval.examples.osp.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the calls of each limited prefix in the current second. There are as many counters as
/// limits in the route table.
final class CallRates {
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    /// Counts a call. Returns false if it is one too many.
    boolean take(RouteTable.CallLimit limit, long second) {
        Counter counter = counters.computeIfAbsent(limit.prefix(), _ -> new Counter());
        synchronized (counter) {
            if (counter.second != second) {
                counter.second = second;
                counter.calls = 0;
            }
            if (counter.calls >= limit.callsPerSecond()) {
                return false;
            }
            counter.calls++;
            return true;
        }
    }

    private static final class Counter {
        private long second = Long.MIN_VALUE;
        private int calls;
    }
}
