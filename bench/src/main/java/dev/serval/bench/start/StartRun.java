package dev.serval.bench.start;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.servlet.ServletPeer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/// Measures the time from the start of a server's process to its first answer with status 200 from
/// a WAR. Each turn starts each server twice with the same work folder, which is empty at first.
/// The servers have every CPU, and the same collector and initial heap.
public final class StartRun {
    private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-Xms32m");
    private static final String SUBJECT = "serval";
    private static final long GIVE_UP_NANOS = 120_000_000_000L;
    private static final long POLL_NANOS = 5_000_000;
    private static final int TIMEOUT_MILLIS = 60_000;

    /// About 50 MB, of which two thirds are classes.
    private static final WarFile.Parts BIG = new WarFile.Parts(100, 150, 165_000);

    private final Stage stage;
    private final Proc proc;
    private final PrintStream progress;

    /// Makes a measurement in this place.
    public StartRun(Stage stage, Proc proc, PrintStream progress) {
        this.stage = stage;
        this.proc = proc;
        this.progress = progress;
    }

    /// The cell to measure. A limit of 0 is none.
    ///
    /// @param name of the cell
    /// @param title what the cell measures, as text
    /// @param war the application
    /// @param starts number of first and of second starts
    /// @param gateSeconds the subject's limit in both starts
    /// @param gateFirst limit of the subject's first start ÷ that of the fastest other
    /// @param gateSecond the same for the second start
    public record Plan(
            String name,
            String title,
            War war,
            int starts,
            double gateSeconds,
            double gateFirst,
            double gateSecond) {}

    /// An application whose start is measured.
    public enum War {
        /// One page and nothing else.
        EMPTY,
        /// About 50 MB with 100 jars.
        BIG,
        /// The application of Spring MVC.
        SPRING
    }

    /// Makes the command of a server.
    private interface Server {
        ProcessBuilder command(Path war, int port, Path work);
    }

    /// The time of one start.
    ///
    /// @param seconds by the clock
    /// @param cpuSeconds CPU time of the server's process tree
    private record Time(double seconds, double cpuSeconds) {}

    /// The starts of one server so far.
    private static final class Course {
        private final String name;
        private final Server server;
        private final List<Time> first = new ArrayList<>();
        private final List<Time> second = new ArrayList<>();
        private String failure = "";

        Course(String name, Server server) {
            this.name = name;
            this.server = server;
        }

        PeersResult.PeerValues values(List<Time> times) {
            List<Double> seconds = times.stream().map(Time::seconds).toList();
            return failure.isEmpty()
                    ? new PeersResult.PeerValues(name, seconds, null)
                    : new PeersResult.PeerValues(name, List.of(), failure);
        }

        String cpu(List<Time> times) {
            double median = Statistics.of(times.stream().map(Time::cpuSeconds).toList()).median();
            return String.format(Locale.ROOT, "%s %.2f s", name, median);
        }
    }

    /// Measures all starts.
    ///
    /// @param withSubject whether to measure Serval
    /// @param others the other servers
    public List<PeersResult> run(Plan plan, boolean withSubject, List<ServletPeer> others)
            throws IOException {
        Path folder = Files.createDirectories(stage.folder().resolve(plan.name()));
        Path war = folder.resolve("start.war");
        switch (plan.war()) {
            case EMPTY -> WarFile.empty(war);
            case BIG -> WarFile.big(war, BIG);
            case SPRING -> Files.copy(SpringWar.path(), war);
        }
        String page =
                switch (plan.war()) {
                    case EMPTY, BIG -> WarFile.PAGE;
                    case SPRING -> SpringWar.PAGE;
                };
        List<Course> courses = new ArrayList<>();
        if (withSubject) {
            courses.add(new Course(SUBJECT, this::serval));
        }
        for (ServletPeer other : others) {
            courses.add(
                    new Course(other.name(), (w, port, work) -> container(other, w, port, work)));
        }
        for (int turn = 0; turn < plan.starts(); turn++) {
            for (Course course : courses) {
                Path work = folder.resolve(course.name + "-" + turn);
                twice(plan, course, new Start(war, page, work));
            }
        }
        String size = String.format(Locale.ROOT, "%.1f MB", Files.size(war) / 1e6);
        return List.of(
                result(plan, "first", plan.gateFirst(), courses, size),
                result(plan, "second", plan.gateSecond(), courses, size));
    }

    /// What is started.
    ///
    /// @param page path of the page that shows that the application has started
    private record Start(Path war, String page, Path work) {}

    private void twice(Plan plan, Course course, Start start) {
        if (!course.failure.isEmpty()) {
            return;
        }
        try {
            course.first.add(start(course, start));
            course.second.add(start(course, start));
            progress.printf(
                    "%s  %-8s first %.3f s (CPU %.2f s), second %.3f s (CPU %.2f s)%n",
                    plan.name(),
                    course.name,
                    course.first.getLast().seconds(),
                    course.first.getLast().cpuSeconds(),
                    course.second.getLast().seconds(),
                    course.second.getLast().cpuSeconds());
        } catch (IOException | BenchFailure e) {
            course.failure = String.valueOf(e.getMessage());
            progress.printf("%s failed: %s%n", course.name, course.failure);
        }
    }

    private ProcessBuilder serval(Path war, int port, Path work) {
        ProcessBuilder builder =
                new ProcessBuilder(stage.cpus().anywhere(ServalPeer.launcherCommand(war, port)));
        builder.environment().put("XDG_CACHE_HOME", work.toString());
        return builder;
    }

    private ProcessBuilder container(ServletPeer peer, Path war, int port, Path work) {
        List<String> command = peer.command(JVM_OPTIONS, war, port, work);
        return new ProcessBuilder(stage.cpus().anywhere(command));
    }

    private Time start(Course course, Start what) throws IOException {
        int port = stage.freePort();
        Path output = Files.createTempFile(stage.folder(), "start", ".log");
        ProcessBuilder builder =
                course.server
                        .command(what.war(), port, Files.createDirectories(what.work()))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        long start = System.nanoTime();
        Process process = stage.children().start(builder);
        try {
            while (!answers(port, what.page())) {
                if (!process.isAlive() || System.nanoTime() - start > GIVE_UP_NANOS) {
                    throw new BenchFailure("did not start: " + Files.readString(output).trim());
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Time(seconds, proc.treeCpuNanos(process.pid()) / 1e9);
        } finally {
            stage.children().stop(process);
        }
    }

    private static boolean answers(int port, String page) {
        try {
            return HttpConnection.get(port, "/" + page, TIMEOUT_MILLIS).status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static PeersResult result(
            Plan plan, String kind, double gate, List<Course> courses, String size) {
        boolean first = kind.equals("first");
        PeersResult.Limit limit =
                plan.gateSeconds() > 0
                        ? PeersResult.Limit.orNone(PeersResult.Kind.VALUE, plan.gateSeconds(), 0)
                        : PeersResult.Limit.orNone(PeersResult.Kind.RATIO_TO_SMALLEST, gate, 0);
        String cpu =
                courses.stream()
                        .filter(c -> c.failure.isEmpty())
                        .map(c -> c.cpu(first ? c.first : c.second))
                        .collect(Collectors.joining(", "));
        return new PeersResult(
                plan.name() + "-" + kind,
                plan.title() + ", " + kind + " start",
                "s",
                limit,
                SUBJECT,
                courses.stream().map(c -> c.values(first ? c.first : c.second)).toList(),
                List.of(
                        "WAR of " + size + ", to the first answer, on every CPU",
                        "CPU time until then, which other programs change less: " + cpu));
    }
}
