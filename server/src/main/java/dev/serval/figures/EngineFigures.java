package dev.serval.figures;

import dev.serval.LoadView;
import dev.serval.LoopView;
import dev.serval.Serval;
import dev.serval.metrics.Distribution;
import dev.serval.metrics.MountFigures;
import dev.serval.metrics.RequestPhase;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.LoadMode;
import dev.serval.policy.Metrics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Reads the figures of the engine. Stateless.
final class EngineFigures {
    /// A counter as one series of a metric.
    ///
    /// @param labels the values of the metric's labels
    private record Series(Metric metric, String... labels) {}

    private static final Map<Counter, Series> COUNTERS = new EnumMap<>(Counter.class);

    static {
        put(Counter.REQUESTS, Metric.HEADS);
        put(Counter.RESPONSES_1XX, Metric.RESPONSES, "1xx");
        put(Counter.RESPONSES_2XX, Metric.RESPONSES, "2xx");
        put(Counter.RESPONSES_3XX, Metric.RESPONSES, "3xx");
        put(Counter.RESPONSES_4XX, Metric.RESPONSES, "4xx");
        put(Counter.RESPONSES_5XX, Metric.RESPONSES, "5xx");
        put(Counter.PROTOCOL_ERRORS, Metric.PROTOCOL_ERRORS);
        put(Counter.HEAD_TIMEOUTS, Metric.TIMEOUTS, "head");
        put(Counter.IDLE_TIMEOUTS, Metric.TIMEOUTS, "idle");
        put(Counter.PING_TIMEOUTS, Metric.TIMEOUTS, "ping");
        put(Counter.EXCHANGE_TIMEOUTS, Metric.TIMEOUTS, "request");
        put(Counter.SLOW_CONTENT, Metric.TIMEOUTS, "content");
        put(Counter.SLOW_READERS, Metric.TIMEOUTS, "reader");
        put(Counter.PEERS_GONE, Metric.CLIENTS_GONE);
        put(Counter.HANDLER_FAULTS, Metric.HANDLER_FAULTS);
        put(Counter.ERRORS, Metric.ERRORS);
        put(Counter.ACCESS_LOG_LINES_LOST, Metric.LOG_LINES_LOST);
        put(Counter.REQUESTS_WITHOUT_EXECUTOR, Metric.WITHOUT_EXECUTOR);
        put(Counter.CONNECTIONS_ACCEPTED, Metric.CONNECTIONS_ACCEPTED);
        put(Counter.CONNECTIONS_CLOSED, Metric.CONNECTIONS_CLOSED);
        put(Counter.CONNECTIONS_PREEMPTED, Metric.CONNECTIONS_PREEMPTED);
        put(Counter.TLS_HANDSHAKES, Metric.TLS_HANDSHAKES, "done");
        put(Counter.TLS_HANDSHAKES_FAILED, Metric.TLS_HANDSHAKES, "failed");
        put(Counter.PLAIN_HTTP_TO_TLS, Metric.TLS_HANDSHAKES, "plain");
        put(Counter.TLS_HANDSHAKES_LATE, Metric.TIMEOUTS, "handshake");
        put(Counter.ACCEPT_PAUSES, Metric.ACCEPT_PAUSES, "descriptors");
        put(Counter.ACCEPT_PAUSES_LOAD, Metric.ACCEPT_PAUSES, "load");
        put(Counter.BYTES_IN, Metric.RECEIVED);
        put(Counter.BYTES_OUT, Metric.SENT);
        put(Counter.WORKERS_STARTED, Metric.WORKERS_STARTED);
        put(Counter.LOOPS_PREEMPTED, Metric.PREEMPTIONS);
        put(Counter.MAPPINGS_TO_POOL, Metric.MAPPING_MOVES, "pool");
        put(Counter.MAPPINGS_TO_LOOP, Metric.MAPPING_MOVES, "loop");
        put(Counter.RESPONSES_COMPRESSED, Metric.COMPRESSIONS, "compressed");
        put(Counter.COMPRESSIONS_SKIPPED, Metric.COMPRESSIONS, "skipped");
    }

    private EngineFigures() {}

    private static void put(Counter counter, Metric metric, String... labels) {
        COUNTERS.put(counter, new Series(metric, labels));
    }

    /// Adds the figures.
    ///
    /// @throws InterruptedException if the caller is interrupted while a loop is asked
    static void add(Serval serval, Exposition to) throws InterruptedException {
        Metrics metrics = serval.metrics();
        to.add(Metric.CONNECTIONS, serval.connections());
        to.add(Metric.KEPT_THREADS, serval.keptThreads());
        addLoad(serval.load(), to);
        counters(metrics, to);
        metrics.mounts().forEach(mount -> addMount(mount, to));
        metrics.sums(LabelledCounter.REFUSALS)
                .forEach((reason, count) -> to.add(Metric.REFUSALS, count, reason));
        metrics.sums(LabelledCounter.TLS_FAILURES)
                .forEach((reason, count) -> to.add(Metric.TLS_FAILURES, count, reason));
        addLoops(serval.loopViews(), to);
    }

    private static void addLoad(LoadView load, Exposition to) {
        for (LoadMode mode : LoadMode.values()) {
            to.add(Metric.LOAD_MODE, load.mode() == mode ? 1 : 0, mode.text());
        }
        to.addNanos(Metric.LOAD_DELAY, load.delayNanos());
        to.add(Metric.LOAD_CHANGES, load.changes());
    }

    private static void counters(Metrics metrics, Exposition to) {
        for (Counter counter : Counter.values()) {
            if (!isElsewhere(counter)) {
                Series series =
                        COUNTERS.getOrDefault(counter, new Series(Metric.EVENTS, counter.text()));
                to.add(series.metric, metrics.sum(counter), series.labels);
            }
        }
    }

    /// Returns whether another metric has the events of a counter: [Metric#REFUSALS] those of every
    /// refusal, and [Metric#LOOP_WORKERS] the difference of the Workers that started and ended.
    private static boolean isElsewhere(Counter counter) {
        return counter.isRefusal() || counter == Counter.WORKERS_ENDED;
    }

    /// A mount without requests, and a phase that no request had, has no series.
    private static void addMount(MountFigures mount, Exposition to) {
        String name = mount.mount();
        for (int i = 0; i <= 5; i++) {
            if (mount.responses(i) > 0) {
                String status = i == 0 ? "none" : i + "xx";
                to.add(Metric.REQUESTS, mount.responses(i), name, status);
            }
        }
        if (mount.times().count() > 0) {
            to.add(Metric.REQUEST_TIME, mount.times(), name);
        }
        for (RequestPhase phase : RequestPhase.values()) {
            Distribution times = mount.times(phase);
            if (times.count() > 0) {
                to.add(Metric.PHASE_TIME, times, name, phase.text());
            }
        }
    }

    private static void addLoops(List<LoopView> loops, Exposition to) {
        for (LoopView loop : loops) {
            String index = Integer.toString(loop.index());
            to.add(Metric.LOOP_TURNS, loop.turns(), index);
            to.addNanos(Metric.LOOP_BUSY, loop.busyNanos(), index);
            to.addNanos(Metric.LOOP_LAG, loop.lagNanos(), index);
            to.add(Metric.LOOP_CONNECTIONS, loop.connections(), index);
            to.add(Metric.LOOP_DEADLINES, loop.deadlines(), index);
            to.add(Metric.LOOP_WORKERS, loop.workers(), index);
            to.add(Metric.LOOP_READY, loop.readyWorkers(), index);
            to.add(Metric.LOOP_MEMORY, loop.heldBytes(), index);
        }
    }
}
