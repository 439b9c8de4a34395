package dev.serval.site;

import dev.serval.LoadView;
import dev.serval.Serval;
import dev.serval.WorkerView;
import dev.serval.command.Invocation;
import dev.serval.command.Version;
import dev.serval.control.Commands.Answer;
import dev.serval.handler.Mapping;
import dev.serval.metrics.MountFigures;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import dev.serval.servlet.LoginFigures;
import dev.serval.servlet.SessionFigures;
import dev.serval.servlet.WebApp;
import dev.serval.settings.Mount;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Prints what a server does now: its counts, its applications, the slowest servlets and requests, and
/// the oldest requests in progress with the stacks of their threads.
public final class StatusScreen {
    private static final int MAPPINGS_MAX = 10;
    private static final int REQUESTS_MAX = 20;
    private static final int FRAMES_MAX = 12;
    private static final long MIB = 1 << 20;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final String OWN = "dev.serval."; // frames below the application's
    private static final SessionFigures NO_SESSIONS = new SessionFigures(0, 0, 0, 0, 0, 0);

    private final LiveSite site;
    private final Readiness readiness;
    private final long startNanos;

    /// Creates the screen of a server.
    ///
    /// @param startNanos when it started, by [System#nanoTime]
    /// @param readiness whether it wants requests
    public StatusScreen(LiveSite site, Readiness readiness, long startNanos) {
        this.site = site;
        this.readiness = readiness;
        this.startNanos = startNanos;
    }

    /// Prints the screen.
    ///
    /// @return the exit code
    int print(Answer answer) throws IOException {
        Serval serval = site.serval();
        head(serval, answer);
        logins(site.applications().logins(), answer);
        Map<Mount, WebApp> apps = site.applications().running();
        if (apps.isEmpty()) {
            answer.line("");
            answer.line("No application runs.");
        } else {
            applications(apps, answer);
            sessions(apps, answer);
            mappings(apps, answer);
        }
        for (String line : site.backends().statusLines()) {
            answer.line(line);
        }
        StatusCertificates.print(site.listening().certificates(), answer);
        StatusRequests.print(serval.metrics(), answer);
        requests(serval, answer);
        return Invocation.OK;
    }

    private void head(Serval serval, Answer answer) throws IOException {
        Metrics metrics = serval.metrics();
        MountFigures ended = metrics.totals("");
        Runtime jvm = Runtime.getRuntime();
        answer.line(
                "Serval "
                        + Version.TEXT
                        + ", process "
                        + ProcessHandle.current().pid()
                        + ", running for "
                        + span(System.nanoTime() - startNanos));
        for (String url : site.listening().urls()) {
            answer.line("  address      " + url);
        }
        if (readiness.isDraining()) {
            answer.line("  state        not ready: load balancers should send no requests");
        }
        answer.line("  connections  " + serval.connections());
        answer.line("  load         " + load(serval));
        answer.line(
                "  requests     "
                        + metrics.sum(Counter.REQUESTS)
                        + " (refused "
                        + ended.refused()
                        + ", 4xx "
                        + ended.errors(4)
                        + ", 5xx "
                        + ended.errors(5)
                        + ", faults of applications "
                        + faults(metrics)
                        + ")");
        long lost = metrics.sum(Counter.ACCESS_LOG_LINES_LOST);
        if (lost > 0) {
            answer.line("  access log   " + lost + " lines were lost");
        }
        answer.line(
                "  heap         "
                        + (jvm.totalMemory() - jvm.freeMemory()) / MIB
                        + " of "
                        + jvm.maxMemory() / MIB
                        + " MiB");
    }

    /// Returns the load mode, why it is in force, and how many requests it has refused.
    private static String load(Serval serval) {
        LoadView load = serval.load();
        return load.mode().text()
                + (load.forced() ? ", forced" : "")
                + " (delay "
                + millis(load.delayNanos())
                + ", "
                + load.connectionsPercent()
                + " % of the connections, refused "
                + serval.metrics().sum(Counter.REQUESTS_REFUSED_LOAD)
                + ")";
    }

    /// Returns how often applications failed, with or without a complete answer. Versions that were
    /// replaced take their count with them.
    private long faults(Metrics metrics) {
        long sum = metrics.sum(Counter.HANDLER_FAULTS);
        for (WebApp app : site.applications().running().values()) {
            sum += app.faults();
        }
        return sum;
    }

    private static void logins(@Nullable LoginFigures logins, Answer answer) throws IOException {
        if (logins == null) {
            return;
        }
        answer.line(
                "  logins       "
                        + logins.accepted()
                        + " (known "
                        + logins.remembered()
                        + ", wrong "
                        + logins.rejected()
                        + ", delayed "
                        + logins.slowed()
                        + ", refused "
                        + logins.refused()
                        + ", replayed "
                        + logins.replayed()
                        + ")");
    }

    private static void applications(Map<Mount, WebApp> apps, Answer answer) throws IOException {
        answer.line("");
        answer.line(row("Application", "in progress", "requests", "sessions") + "  file");
        for (Map.Entry<Mount, WebApp> entry : apps.entrySet()) {
            WebApp app = entry.getValue();
            long ended = 0;
            for (Mapping.Times times : app.times().values()) {
                ended += times.requests();
            }
            answer.line(
                    row(
                                    entry.getKey().place().toString(),
                                    Integer.toString(app.requestsInProgress()),
                                    Long.toString(ended),
                                    Integer.toString(app.activeSessions()))
                            + "  "
                            + entry.getKey().path());
        }
    }

    /// Prints where sessions are, for the applications that have had any.
    private static void sessions(Map<Mount, WebApp> apps, Answer answer) throws IOException {
        boolean headed = false;
        for (Map.Entry<Mount, WebApp> entry : apps.entrySet()) {
            SessionFigures now = entry.getValue().sessionFigures();
            if (now.equals(NO_SESSIONS)) {
                continue;
            }
            if (!headed) {
                answer.line("");
                answer.line(row("Sessions", "in memory", "in files", "lost") + "  others");
                headed = true;
            }
            answer.line(
                    row(
                                    entry.getKey().place().toString(),
                                    Integer.toString(now.inMemory()),
                                    Integer.toString(now.stored()),
                                    Long.toString(now.lost()))
                            + "  refused "
                            + now.refused()
                            + ", ended without a client's return "
                            + now.endedEarly()
                            + ", faults of the store "
                            + now.failures());
        }
    }

    /// A servlet with the times of its requests.
    private record Row(String name, Mapping.Times times) {}

    private static void mappings(Map<Mount, WebApp> apps, Answer answer) throws IOException {
        List<Row> rows = new ArrayList<>();
        apps.forEach((mount, app) ->
                app.times()
                        .forEach((servlet, times) -> {
                            if (times.requests() > 0) {
                                rows.add(new Row(mount.place() + " " + servlet, times));
                            }
                        }));
        if (rows.isEmpty()) {
            return;
        }
        rows.sort(Comparator.comparingLong((Row row) -> row.times().meanNanos()).reversed());
        answer.line("");
        answer.line(row("Slowest servlets", "mean", "longest", "requests"));
        for (Row row : rows.subList(0, Math.min(MAPPINGS_MAX, rows.size()))) {
            answer.line(
                    row(
                            row.name(),
                            millis(row.times().meanNanos()),
                            millis(row.times().maxNanos()),
                            Long.toString(row.times().requests())));
        }
    }

    private static void requests(Serval serval, Answer answer) throws IOException {
        List<WorkerView> views;
        try {
            views = new ArrayList<>(serval.workerViews());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        answer.line("");
        if (views.isEmpty()) {
            answer.line("No request of an application is in progress.");
            return;
        }
        views.sort(Comparator.comparingLong(WorkerView::ageNanos).reversed());
        int shown = Math.min(REQUESTS_MAX, views.size());
        answer.line(
                "Requests in progress: "
                        + views.size()
                        + (shown < views.size() ? ", of them the " + shown + " oldest" : ""));
        for (WorkerView view : views.subList(0, shown)) {
            answer.line(
                    "  "
                            + millis(view.ageNanos())
                            + "  "
                            + printable(view.name())
                            + "  "
                            + view.state().name().toLowerCase(Locale.ROOT));
            stack(view.thread(), answer);
        }
    }

    /// Prints the frames of the application and of what it calls, without those of the server below.
    private static void stack(@Nullable Thread thread, Answer answer) throws IOException {
        if (thread == null) {
            return;
        }
        StackTraceElement[] frames = thread.getStackTrace();
        int end = frames.length;
        while (end > 0 && ofTheServer(frames[end - 1])) {
            end--;
        }
        int shown = Math.min(FRAMES_MAX, end);
        for (int i = 0; i < shown; i++) {
            answer.line("      at " + frames[i]);
        }
        if (shown < end) {
            answer.line("      … " + (end - shown) + " more");
        }
    }

    private static boolean ofTheServer(StackTraceElement frame) {
        return frame.getClassName().startsWith(OWN)
                || frame.getClassName().startsWith("java.lang.")
                || frame.getClassName().startsWith("jdk.internal.");
    }

    /// Returns a name without characters that could change what the terminal shows.
    static String printable(String name) {
        StringBuilder text = new StringBuilder(name.length());
        name.codePoints()
                .forEach(c -> {
                    if (Character.isISOControl(c)) {
                        text.append("\\x").append(Integer.toHexString(c));
                    } else {
                        text.appendCodePoint(c);
                    }
                });
        return text.toString();
    }

    private static String row(String name, String first, String second, String third) {
        return String.format(Locale.ROOT, "%-34s %12s %12s %10s", name, first, second, third);
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MILLI);
    }

    private static String span(long nanos) {
        Duration time = Duration.ofNanos(nanos);
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toMinutes() + " min " + time.toSecondsPart() + " s";
    }
}
