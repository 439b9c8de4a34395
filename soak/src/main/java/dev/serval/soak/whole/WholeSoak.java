package dev.serval.soak.whole;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Environment;
import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.soak.flood.FloodSoak;
import dev.serval.soak.subject.Remains;
import dev.serval.soak.subject.SoakLog;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Runs `serval run` in a process with little memory and everything that it can serve, and a
/// [Course] of clients against it. Then it judges by [Promises] and writes a [WholeReport].
public final class WholeSoak {
    private final WholeSettings settings;
    private final PrintStream out;
    private final Proc proc = new Proc(Path.of("/proc"));

    /// Creates a run.
    public WholeSoak(WholeSettings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /// Runs the soak, prints its results and writes them to files.
    ///
    /// @return whether every promise was kept
    public boolean run() throws IOException, InterruptedException {
        Cpus cpus = Cpus.unpinned(proc.allowedCpus());
        WholeResult result;
        try (Stage stage = Stage.create(FloodSoak.files(), cpus);
                ScriptedUpstream near = ScriptedUpstream.open();
                ScriptedUpstream broken = ScriptedUpstream.open()) {
            SoakSite site = SoakSite.create(stage, near.port(), broken.port());
            Course course;
            try {
                course = course(stage, site);
            } finally {
                keepLog(stage);
            }
            result = result(course, site, environment(cpus));
        }
        List<String> broken = Promises.broken(result, settings);
        out.println();
        out.print(WholeReport.text(result, broken));
        out.println("Results: " + WholeReport.write(result, broken, settings.out()));
        return broken.isEmpty();
    }

    private Course course(Stage stage, SoakSite site) throws IOException, InterruptedException {
        Path gcLog = stage.folder().resolve("gc.log");
        List<String> command = new ArrayList<>(settings.server());
        command.addAll(List.of("run", "--config", site.config().toString()));
        List<String> started = withCollectorLog(command, gcLog);
        try (RunningPeer running = stage.launch("serval", site.port(), started);
                LrwpPeer _ = DialledIn.start(site.dial())) {
            site.awaitStart();
            ServerWatch watch = new ServerWatch(running, site, gcLog);
            Course course = new Course(settings, site, stage.site().root(), watch, out);
            course.run();
            return course;
        }
    }

    /// Adds the option for the log of the collector: to the variable that the launcher reads, or to
    /// the options of a JVM that is started without the launcher.
    static List<String> withCollectorLog(List<String> command, Path log) {
        String option = "-Xlog:gc:file=" + log;
        List<String> all = new ArrayList<>();
        boolean added = false;
        for (String word : command) {
            if (word.startsWith("JAVA_OPTS=")) {
                all.add(word + " " + option);
                added = true;
            } else if (word.startsWith("-Xmx") && !added) {
                all.add(word);
                all.add(option);
                added = true;
            } else {
                all.add(word);
            }
        }
        return all;
    }

    private void keepLog(Stage stage) throws IOException {
        Path output = stage.folder().resolve("serval").resolve("output.log");
        if (Files.exists(output)) {
            Files.copy(output, settings.log(), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private WholeResult result(Course course, SoakSite site, Environment environment)
            throws IOException {
        Path log = settings.log();
        Remains before = course.before();
        return new WholeResult(
                environment,
                course.rows(),
                course.first(),
                course.last(),
                course.crowd(),
                before,
                course.after(),
                course.residentMegabytes(),
                course.examples(),
                AccessLines.read(site.accessLog()),
                SoakLog.unexpected(
                        log,
                        List.of(
                                "/broken/",
                                site.brokenName(),
                                "more requests failed",
                                "/dev/full")),
                Files.readString(log).contains("OutOfMemoryError"));
    }

    private Environment environment(Cpus cpus) throws IOException {
        Map<String, String> facts = new TreeMap<>();
        facts.put("minutes", String.valueOf(settings.length().toSeconds() / 60.0));
        facts.put("heap", settings.heapMegabytes() + " MB");
        facts.put(
                "clients", settings.steady() + " that behave, " + settings.hostile() + " hostile");
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                commit(),
                proc.kernel(),
                proc.cpuModel(),
                cpus.describe(),
                proc.memoryMegabytes(),
                Runtime.version().toString(),
                Map.of(),
                facts);
    }

    private static String commit() {
        String commit = Programs.firstLine(List.of("git", "rev-parse", "HEAD"));
        String changes = Programs.firstLine(List.of("git", "status", "--porcelain"));
        boolean clean = commit.equals("unknown") || changes.equals("unknown");
        return clean ? commit : commit + "+changes";
    }
}
