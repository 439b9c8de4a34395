package dev.serval.soak;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.soak.subject.Remains;
import dev.serval.soak.subject.ServletKind;
import dev.serval.soak.subject.SoakLog;
import dev.serval.soak.subject.SoakRequest;
import dev.serval.soak.subject.SoakWar;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// Runs a soak: a server with the application of package `war` in a process with a small heap, and
/// clients with every [ServletKind] of request. At the end its heap, threads and descriptors are
/// compared with those after the first part.
public final class ServletSoak {
    /// The heap of the server.
    public static final String HEAP = "-Xmx128m";

    private static final Duration FIRST_MAX = Duration.ofMinutes(3);
    private static final Duration REST = Duration.ofSeconds(90);
    private static final int SAMPLES = 10;
    private static final Duration SAMPLE_MIN = Duration.ofSeconds(5);
    private static final int EXAMPLES = 10;
    private static final long HEAP_GROWTH_MAX_BYTES = 6 << 20;
    private static final long THREAD_GROWTH_MAX = 8;
    private static final long DESCRIPTOR_GROWTH_MAX = 8;
    private static final int REFUSED_MAX_PERCENT = 1;
    private static final String NOTHING = "requests 0 async 0 sessions 0";

    private final List<String> server;
    private final Duration length;
    private final int clients;
    private final Path log;
    private final PrintStream out;

    /// Creates a run.
    ///
    /// @param server the command that starts the server, before its arguments
    public ServletSoak(
            List<String> server, Duration length, int clients, Path log, PrintStream out) {
        this.server = List.copyOf(server);
        this.length = length;
        this.clients = clients;
        this.log = log;
        this.out = out;
    }

    /// Runs the soak and prints its results.
    ///
    /// @return whether every answer was right, no request hung and nothing was left
    public boolean run() throws IOException, InterruptedException {
        Set<Integer> cpus = new Proc(Path.of("/proc")).allowedCpus();
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(cpus))) {
            Path war = stage.folder().resolve("soak.war");
            SoakWar.write(war);
            Path files = stage.site().root();
            Files.createDirectory(files.resolve("WEB-INF"));
            Files.write(files.resolve("file.bin"), SoakRequest.FILE);
            int port = stage.freePort();
            List<String> command = new ArrayList<>(server);
            command.addAll(List.of("run", "/soak=" + war, "/files=" + files));
            command.addAll(List.of("--port", String.valueOf(port)));
            SoakResult result;
            try (RunningPeer running = stage.launch("serval", port, command)) {
                result = run(running);
            } finally {
                Path output = stage.folder().resolve("serval").resolve("output.log");
                Files.copy(output, log, StandardCopyOption.REPLACE_EXISTING);
            }
            boolean right = logIsRight();
            return right && result.passed();
        }
    }

    private SoakResult run(RunningPeer running) throws IOException, InterruptedException {
        Duration quarter = length.dividedBy(4);
        Duration first = quarter.compareTo(FIRST_MAX) < 0 ? quarter : FIRST_MAX;
        // Classes, pools and buffers are created in the first part. Growth counts only after it.
        SoakResult warm = load(running, first, 1);
        Remains before = rest(running, warm, Long.MAX_VALUE);
        out.println("First part: " + before + "; " + warm.text());
        if (!warm.passed()) {
            return warm;
        }
        SoakResult result = load(running, length.minus(first), 2);
        Remains after = rest(running, result, before.threads() + THREAD_GROWTH_MAX);
        after.growth(before, HEAP_GROWTH_MAX_BYTES, THREAD_GROWTH_MAX, DESCRIPTOR_GROWTH_MAX)
                .forEach(result::fault);
        if (result.refusals() * 100 > result.answers() * REFUSED_MAX_PERCENT) {
            result.fault("More than " + REFUSED_MAX_PERCENT + " % were refused");
        }
        out.println("Second part: " + after + "; " + result.text());
        out.println("Grew most: " + after.classes(before));
        return result;
    }

    private SoakResult load(RunningPeer running, Duration time, long seed)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        SoakResult result = new SoakResult(begin + time.toNanos(), ServletKind.values());
        SplittableRandom random = new SplittableRandom(seed);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            ServletClient client = new ServletClient(running.port(), result, random.split());
            threads.add(Thread.ofVirtual().name("soak-client-" + i).start(client));
        }
        long interval = Math.max(SAMPLE_MIN.toNanos(), time.dividedBy(SAMPLES).toNanos());
        for (long due = begin + interval;
                due - begin < time.toNanos() - interval / 2;
                due += interval) {
            Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            out.printf(
                    "  after %,d s: %,d right answers; under load: %s%n",
                    Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
                    result.answers(),
                    sample(running));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return result;
    }

    /// Returns what the server holds. On a busy machine `jcmd` may be too late to learn it.
    private static String sample(RunningPeer running) throws IOException {
        try {
            return Remains.of(running.pid()).toString();
        } catch (BenchFailure e) {
            return "unknown, " + e;
        }
    }

    /// Waits until the application has nothing in progress and no session.
    ///
    /// @param threadsMax also waits until there are no more threads, or the time is over
    private Remains rest(RunningPeer running, SoakResult result, long threadsMax)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + REST.toNanos();
        String state = state(running);
        while (!state.equals(NOTHING) && System.nanoTime() - end < 0) {
            Thread.sleep(200);
            state = state(running);
        }
        if (!state.equals(NOTHING)) {
            result.fault("Still left after " + REST.toSeconds() + " s: " + state);
        }
        // The pools keep threads without work for 10 s.
        while (Remains.count(running.pid(), "task") > threadsMax && System.nanoTime() - end < 0) {
            Thread.sleep(200);
        }
        return Remains.patiently(running.pid());
    }

    private static String state(RunningPeer running) throws IOException {
        return HttpConnection.get(running.port(), "/soak/state", (int) REST.toMillis()).text();
    }

    /// Returns whether the log has only what the requests meant to happen.
    private boolean logIsRight() throws IOException {
        List<String> unexpected = SoakLog.unexpected(log);
        if (!unexpected.isEmpty()) {
            out.println(unexpected.size() + " unexpected entries of the log. The first:");
            unexpected.stream().limit(EXAMPLES).forEach(line -> out.println("  " + line));
        }
        return unexpected.isEmpty();
    }
}
