package dev.serval.bench.run;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.FilePeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.start.WarFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Measures the time from the start of a server's process to its first answer with status 200 from
/// a WAR, and the memory there. Each turn starts each server twice with the same work folder, which
/// is empty at first. The servers have every CPU, and the same collector and initial heap.
record StartRun(Bench bench) {
    private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-Xms32m");
    private static final String SUBJECT = "serval";
    private static final long GIVE_UP_NANOS = 120_000_000_000L;
    private static final long POLL_NANOS = 5_000_000;
    private static final int TIMEOUT_MILLIS = 60_000;

    /// Makes the command of a server.
    private interface Server {
        ProcessBuilder command(Path war, int port, Path work) throws IOException;
    }

    /// The time of one start.
    ///
    /// @param cpuSeconds CPU time of the server's process tree
    /// @param residentMegabytes memory of the process tree at the first answer
    private record Time(double seconds, double cpuSeconds, double residentMegabytes) {}

    /// The first and the second start of a turn.
    private record Turn(Time first, Time second) {}

    /// A server and its turns.
    private record Entry(Server server, Course<Turn> course) {}

    /// What is started.
    ///
    /// @param page path of the page that shows that the application has started
    private record Start(Path war, String page, Path work) {}

    /// Measures all starts of the peers that read WARs by themselves.
    List<PeersResult> run(Cell.Start cell, Contest contest) throws IOException {
        Path folder = Files.createDirectories(bench.stage().folder().resolve(cell.name()));
        Path war = folder.resolve("start.war");
        String page = WarFile.PAGE;
        switch (cell.war()) {
            case EMPTY -> WarFile.empty(war);
            case BIG -> WarFile.big(war, WarFile.BIG);
            case SPRING -> {
                Files.copy(SpringWar.path(), war);
                page = SpringWar.PAGE;
            }
            case SUITE -> {
                war = bench.stage().site().root();
                page = Scenario.FLOOR;
            }
        }
        List<Entry> entries = new ArrayList<>();
        for (ServalPeer serval : contest.peers(ServalPeer.class)) {
            Server server = (w, port, work) -> serval(serval, w, port, work);
            entries.add(new Entry(server, new Course<>(SUBJECT)));
        }
        for (FilePeer other : contest.peers(FilePeer.class)) {
            if (other.readsWars() || cell.war() == Cell.WarKind.SUITE) {
                Server server = (w, port, work) -> container(other, w, port, work);
                entries.add(new Entry(server, new Course<>(other.name())));
            }
        }
        for (int turn = 0; turn < cell.starts(); turn++) {
            for (Entry entry : entries) {
                Course<Turn> course = entry.course();
                Path work = folder.resolve(course.name() + "-" + turn);
                Start start = new Start(war, page, work);
                course.attempt(bench.progress(), () -> twice(cell, entry, start));
            }
        }
        List<Course<Turn>> courses = entries.stream().map(Entry::course).toList();
        String size =
                Files.isDirectory(war)
                        ? "exploded WAR"
                        : "WAR of %.1f MB".formatted(Files.size(war) / 1e6);
        return List.of(
                result(cell, "first", courses, Turn::first, size),
                result(cell, "second", courses, Turn::second, size),
                Course.result(
                        new Course.Figure(cell, "-memory", ": memory at the first answer", "MB"),
                        PeersResult.Limit.toSmallest(0),
                        SUBJECT,
                        courses,
                        turn -> turn.second().residentMegabytes(),
                        List.of(
                                "VmRSS of the process tree, at the first answer of second starts")));
    }

    private void twice(Cell.Start cell, Entry entry, Start start) throws IOException {
        Turn turn = new Turn(start(entry.server(), start), start(entry.server(), start));
        entry.course().rounds().add(turn);
        bench.say(
                "%s  %-8s first %.3f s (CPU %.2f s), second %.3f s (CPU %.2f s)",
                cell.name(),
                entry.course().name(),
                turn.first().seconds(),
                turn.first().cpuSeconds(),
                turn.second().seconds(),
                turn.second().cpuSeconds());
    }

    private ProcessBuilder serval(ServalPeer peer, Path war, int port, Path work)
            throws IOException {
        List<String> command = peer.launcher(bench.stage().serving(war), port);
        ProcessBuilder builder = new ProcessBuilder(bench.stage().cpus().anywhere(command));
        builder.environment().put("XDG_CACHE_HOME", work.toString());
        return builder;
    }

    private ProcessBuilder container(FilePeer peer, Path war, int port, Path work)
            throws IOException {
        List<String> command = peer.command(JVM_OPTIONS, war, port, work);
        return new ProcessBuilder(bench.stage().cpus().anywhere(command));
    }

    private Time start(Server server, Start what) throws IOException {
        int port = bench.stage().freePort();
        Path output = Files.createTempFile(bench.stage().folder(), "start", ".log");
        ProcessBuilder builder =
                server.command(what.war(), port, Files.createDirectories(what.work()))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        long start = System.nanoTime();
        Process process = bench.stage().children().start(builder);
        try {
            while (!answers(port, what.page())) {
                if (!process.isAlive() || System.nanoTime() - start > GIVE_UP_NANOS) {
                    throw new BenchFailure("did not start: " + Files.readString(output).trim());
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Time(
                    seconds,
                    bench.proc().treeCpuNanos(process.pid()) / 1e9,
                    bench.proc().treeBytes(process.pid(), "VmRSS") / 1e6);
        } finally {
            bench.stage().children().stop(process);
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
            Cell.Start cell,
            String kind,
            List<Course<Turn>> courses,
            Function<Turn, Time> start,
            String size) {
        double gate = kind.equals("first") ? cell.gateFirst() : cell.gateSecond();
        PeersResult.Limit limit =
                cell.gateSeconds() > 0
                        ? PeersResult.Limit.of(cell.gateSeconds())
                        : PeersResult.Limit.toSmallest(gate);
        String cpu =
                courses.stream()
                        .filter(Course::sound)
                        .map(course ->
                                "%s %.2f s"
                                        .formatted(
                                                course.name(),
                                                course.median(
                                                        turn -> start.apply(turn).cpuSeconds())))
                        .collect(Collectors.joining(", "));
        return Course.result(
                new Course.Figure(cell, "-" + kind, ", " + kind + " start", "s"),
                limit,
                SUBJECT,
                courses,
                turn -> start.apply(turn).seconds(),
                List.of(
                        size + ", to the first answer, on every CPU; only ./serval caches classes",
                        "CPU time until then, which other programs change less: " + cpu));
    }
}
