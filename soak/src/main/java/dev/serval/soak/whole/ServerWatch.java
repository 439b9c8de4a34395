package dev.serval.soak.whole;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.soak.subject.GcLog;
import dev.serval.soak.subject.Remains;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads what the server's process holds, what its collector did, and its counters of refusals. Used
/// by one thread.
final class ServerWatch {
    private static final int PATIENCE_MILLIS = 30_000;

    /// Matches a line such as `serval_requests_refused_total{reason="limit"} 3`.
    private static final Pattern METRIC =
            Pattern.compile(
                    "serval_(\\S*(?:refus|timeouts|preempt|dropped|errors|faults|gone|slow|lost)\\S*) ([0-9.e+]+)");

    private final RunningPeer running;
    private final SoakSite site;
    private final Path gcLog;
    private final Proc proc = new Proc(Path.of("/proc"));
    private final Map<String, Long> refused = new TreeMap<>();
    private long collected;

    /// Creates a watch.
    ///
    /// @param gcLog what the server's collector writes
    ServerWatch(RunningPeer running, SoakSite site, Path gcLog) {
        this.running = running;
        this.site = site;
        this.gcLog = gcLog;
    }

    /// Returns the row since the last call.
    Row row(String part, double seconds, Tally.Taken taken) throws IOException {
        GcLog collections = GcLog.read(gcLog, collected);
        collected = Files.size(gcLog);
        long pid = running.pid();
        return new Row(
                part,
                seconds,
                taken.requests(),
                taken.wrong(),
                taken.refused(),
                millis(taken, 50),
                millis(taken, 99),
                millis(taken, 99.9),
                taken.small().getMaxValue() / 1e3,
                taken.large().getValueAtPercentile(99) / 1e3,
                collections.heapMaxMegabytes(),
                collections.worstPauseMillis(),
                proc.statusBytes(pid, "VmRSS") >> 20,
                Remains.count(pid, "fd"),
                Remains.count(pid, "task"),
                taken.hostile(),
                refusals());
    }

    private static double millis(Tally.Taken taken, double percentile) {
        return taken.small().getValueAtPercentile(percentile) / 1e3;
    }

    /// Returns what the server has refused since the last call, by its metrics.
    private Map<String, Long> refusals() throws IOException {
        HttpConnection.Answer answer =
                HttpConnection.ask(
                        site.admin(), site.administration("GET /metrics"), PATIENCE_MILLIS);
        Map<String, Long> grown = new TreeMap<>();
        metrics(answer.text())
                .forEach((name, count) -> {
                    long more = count - refused.getOrDefault(name, 0L);
                    if (more > 0) {
                        grown.put(name, more);
                    }
                    refused.put(name, count);
                });
        return grown;
    }

    /// Returns the counters of refusals in the text of Prometheus.
    static Map<String, Long> metrics(String text) {
        Map<String, Long> metrics = new TreeMap<>();
        text.lines()
                .map(METRIC::matcher)
                .filter(Matcher::matches)
                .forEach(line ->
                        metrics.put(line.group(1), (long) Double.parseDouble(line.group(2))));
        return metrics;
    }

    /// Returns the numbers of descriptors and threads, without a collection.
    Held held() throws IOException {
        long pid = running.pid();
        return new Held(Remains.count(pid, "fd"), Remains.count(pid, "task"));
    }

    Remains remains() throws IOException, InterruptedException {
        return Remains.patiently(running.pid());
    }

    long residentBytes() throws IOException {
        return proc.statusBytes(running.pid(), "VmRSS");
    }
}
