package dev.serval.soak.flood;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.soak.subject.GcLog;
import dev.serval.soak.subject.Remains;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Measures how calm clients are served beside a [Crowd], and what the server holds after the crowd
/// has left. The crowd comes twice: pools and buffers grow with the first, so what remains after
/// the second is compared with what remained after the first.
public final class CrowdSoak {
    /// The most milliseconds for 99 of 100 answers to the calm clients.
    public static final double P99_MAX_MILLIS = 100;

    private static final int CALM_CLIENTS = 4;
    private static final int GATHER_SECONDS = 5;
    private static final int REST_SECONDS_MAX = 60;
    private static final int DESCRIPTORS_LEFT = 32;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long HEAP_GROWTH_MAX_BYTES = 8 << 20;
    private static final long THREAD_GROWTH_MAX = 8;
    private static final long DESCRIPTOR_GROWTH_MAX = 8;

    private final FloodSettings settings;
    private final PrintStream out;
    private final Proc proc = new Proc(Path.of("/proc"));

    /// Creates a run with the settings of a flood, whose cells do not matter here.
    public CrowdSoak(FloodSettings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /// Runs and prints what was measured.
    ///
    /// @return whether every answer was right and quick, and memory is flat
    public boolean run() throws IOException, InterruptedException {
        int needed = Crowd.connections() + DESCRIPTORS_LEFT * CALM_CLIENTS;
        if (proc.descriptorsMax() < needed) {
            throw new BenchFailure("the crowd needs " + needed + " descriptors: set ulimit -n");
        }
        try (Stage stage = Stage.create(FloodSoak.files(), Cpus.unpinned(proc.allowedCpus()));
                FloodSubject subject = FloodSubject.serval(stage, settings)) {
            InetSocketAddress target =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), subject.running().port());
            List<GoodClient.Page> pages = FloodSoak.pages(stage.site().root());
            calm(target, pages, GATHER_SECONDS); // loads classes
            long quiet = subject.descriptors();
            beside(target, pages, Math.min(GATHER_SECONDS, settings.seconds()));
            Remains before = rest(subject, quiet);
            long collected = subject.collectorWrote();
            GoodClient.Outcome good = beside(target, pages, settings.seconds());
            GcLog collections = subject.collected(collected);
            Remains after = rest(subject, quiet);
            out.printf(
                    Locale.ROOT,
                    "Beside the crowd: %,d answers, %d wrong, %d timeouts, p99 %.1f ms (gate %.0f ms),"
                            + " worst %.1f ms; heap after a collection %d MB at most, pause %.0f ms"
                            + " at most; RSS %d MB at most%n",
                    good.millis().size(),
                    good.wrong(),
                    good.timeouts(),
                    good.p99(),
                    P99_MAX_MILLIS,
                    good.worst(),
                    collections.heapMaxMegabytes(),
                    collections.worstPauseMillis(),
                    subject.residentMaxMegabytes(proc));
            out.println("After the first crowd: " + before);
            out.println("After the second: " + after);
            boolean memory = subject.output(stage).contains("OutOfMemoryError");
            List<String> broken = broken(good, before, after, memory);
            broken.forEach(out::println);
            return broken.isEmpty();
        }
    }

    /// Returns what breaks the promise.
    static List<String> broken(
            GoodClient.Outcome good, Remains before, Remains after, boolean outOfMemory) {
        List<String> broken =
                new ArrayList<>(
                        after.growth(
                                before,
                                HEAP_GROWTH_MAX_BYTES,
                                THREAD_GROWTH_MAX,
                                DESCRIPTOR_GROWTH_MAX));
        if (good.wrong() + good.timeouts() > 0) {
            broken.add(
                    "Calm clients got %d wrong answers and %d timeouts"
                            .formatted(good.wrong(), good.timeouts()));
        }
        if (good.p99() > P99_MAX_MILLIS) {
            broken.add(
                    String.format(
                            Locale.ROOT,
                            "The p99 of calm clients is %.1f ms, more than %.0f ms",
                            good.p99(),
                            P99_MAX_MILLIS));
        }
        if (outOfMemory) {
            broken.add("The server's output has an OutOfMemoryError");
        }
        return broken;
    }

    /// Measures calm clients for some seconds after the crowd has gathered.
    private GoodClient.Outcome beside(
            InetSocketAddress target, List<GoodClient.Page> pages, int seconds)
            throws IOException, InterruptedException {
        try (Crowd crowd = Crowd.open(target, 100)) {
            Thread.sleep(GATHER_SECONDS * 1000L);
            GoodClient.Outcome good = calm(target, pages, seconds);
            out.printf(Locale.ROOT, "  the crowd made %,d connections%n", crowd.connects());
            return good;
        }
    }

    /// Runs the calm clients side by side, and returns their results as one.
    private GoodClient.Outcome calm(
            InetSocketAddress target, List<GoodClient.Page> pages, int seconds)
            throws InterruptedException {
        long end = System.nanoTime() + seconds * NANOS_PER_SECOND;
        return GoodClient.together(
                CALM_CLIENTS,
                () -> new GoodClient(target, pages, GoodClient.PATIENCE_MILLIS),
                () -> System.nanoTime() - end >= 0,
                out);
    }

    /// Waits until the server has closed what the crowd has left.
    private static Remains rest(FloodSubject subject, long quiet)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + REST_SECONDS_MAX * NANOS_PER_SECOND;
        while (subject.descriptors() > quiet && System.nanoTime() - end < 0) {
            Thread.sleep(200);
        }
        return Remains.patiently(subject.running().pid());
    }
}
