package dev.serval.examples.osp.call;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the calls of each limited prefix in the current second. There are as many counters as
/// limits in the route table.
final class CallRates {
    /// A time that is so much earlier is that of a clock that was set back.
    private static final long BACK_SECONDS = 10;

    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    /// Counts a call. Returns false if it is one too many.
    boolean take(RouteTable.CallLimit limit, long second) {
        Counter counter = counters.computeIfAbsent(limit.prefix(), _ -> new Counter());
        synchronized (counter) {
            // A thread may have read the clock a moment earlier than the last one.
            if (second > counter.second || second < counter.second - BACK_SECONDS) {
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
        private long second;
        private int calls;
    }
}
