package dev.serval.accesslog;

import dev.serval.handler.AccessRecord;
import dev.serval.log.AccessLog;
import dev.serval.log.AccessLogs;
import dev.serval.policy.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The access logs of a running site. Each name keeps its log for the life of the server; a changed
/// configuration only gives it another file or format, or turns it off. Any thread.
public final class SiteLogs implements AutoCloseable {
    private static final Duration REOPEN_MAX = Duration.ofSeconds(10);

    private final AccessLogs logs = new AccessLogs();
    private final Map<String, AccessLog> byName = new HashMap<>(); // under the lock
    private volatile boolean traces;

    /// Creates a site without logs.
    public SiteLogs() {}

    /// Returns the log of a name, which is off as long as the configuration has no such log.
    public synchronized AccessRecord.Listener named(String name) {
        return name.equals(LogChoice.OFF)
                ? AccessRecord.Listener.NONE
                : byName.computeIfAbsent(name, _ -> logs.add());
    }

    /// Opens the files of a configuration, so that [#use] cannot fail.
    ///
    /// @throws IOException if one of them cannot be written; the logs stay as they are
    public synchronized void prepare(List<LogChoice> choices) throws IOException {
        for (LogChoice choice : choices) {
            logs.open(choice.settings());
        }
    }

    /// Lets the logs be as a configuration says, whose files are open. Other logs stay, until
    /// [#retain].
    public synchronized void use(List<LogChoice> choices) {
        for (LogChoice choice : choices) {
            AccessLog log = byName.computeIfAbsent(choice.name(), _ -> logs.add());
            logs.use(log, choice.settings());
        }
        traces = choices.stream().anyMatch(choice -> choice.settings().format().traces());
    }

    /// Returns whether a log tells to which trace a request belongs, so that each request needs one.
    public boolean traces() {
        return traces;
    }

    /// Turns off the logs that a configuration does not have, after no mount chooses them any more.
    public synchronized void retain(List<LogChoice> choices) {
        byName.forEach((name, log) -> {
            if (choices.stream().noneMatch(choice -> choice.name().equals(name))) {
                logs.use(log, null);
            }
        });
    }

    /// Lets the logs be as they were before a change that was refused after [#prepare], and closes the files
    /// that only the change has named.
    public synchronized void restore(List<LogChoice> choices) {
        use(choices);
        retain(choices);
        logs.closeUnused();
    }

    /// Opens the files again, because another program has renamed them.
    ///
    /// @throws IOException if one of them cannot be opened
    public void reopen() throws IOException {
        logs.reopen(REOPEN_MAX);
    }

    /// Adds lines that are lost to the counters of a server.
    public void countIn(Metrics metrics) {
        logs.countIn(metrics);
    }

    /// Writes what is left, after the server has stopped.
    @Override
    public void close() {
        logs.close();
    }
}
