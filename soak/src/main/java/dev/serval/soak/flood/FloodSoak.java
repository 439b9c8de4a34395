package dev.serval.soak.flood;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Runs each flood against nginx and against our server, on every CPU, as a user would start them.
/// Each flood has a new server, so that no flood affects the next.
public final class FloodSoak {
    private static final int GOOD_FILES = 10;
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int OWN_DESCRIPTORS = 500;
    private static final int WARM_UP_SECONDS_MAX = 4;

    private final FloodSettings settings;
    private final PrintStream out;
    private final Proc proc = new Proc(Path.of("/proc"));

    public FloodSoak(FloodSettings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /// Returns the files that servers offer, with their lengths: small ones for the good client,
    /// others for floods.
    public static Map<String, Integer> files() {
        Map<String, Integer> files = new TreeMap<>();
        for (int i = 0; i < GOOD_FILES; i++) {
            files.put("good-" + i, 500 + i * 1500);
        }
        files.put("flood-30k", 30_000);
        files.put("flood-1m", 1_000_000);
        files.put("flood-8m", 8 << 20);
        return files;
    }

    /// Returns the files that the good client requests.
    static List<GoodClient.Page> pages(Path root) throws IOException {
        List<GoodClient.Page> pages = new ArrayList<>();
        for (int i = 0; i < GOOD_FILES; i++) {
            String name = "good-" + i;
            pages.add(new GoodClient.Page("/" + name, Files.readAllBytes(root.resolve(name))));
        }
        return pages;
    }

    /// Runs all floods and prints a table.
    ///
    /// @return whether every verdict is good
    public boolean run() throws IOException {
        boolean passed = true;
        List<List<String>> rows = new ArrayList<>();
        Cpus cpus = Cpus.unpinned(proc.allowedCpus());
        try (Stage stage = Stage.create(files(), cpus)) {
            for (Flood flood : settings.cells()) {
                if (stage.children().closing()) {
                    return false;
                }
                FloodResult nginx = under(flood, stage, () -> FloodSubject.nginx(stage));
                rows.add(nginx.row(""));
                FloodResult serval =
                        under(flood, stage, () -> FloodSubject.serval(stage, settings));
                String verdict = serval.verdict(nginx, settings.heapMegabytes());
                rows.add(serval.row(verdict));
                passed &= verdict.equals("ok") || verdict.equals("as nginx");
                out.printf(
                        Locale.ROOT,
                        "%s: %s (worst %.1f ms, nginx %.1f ms)%n",
                        flood.cell(),
                        verdict,
                        serval.good().worst(),
                        nginx.good().worst());
            }
        }
        out.println();
        out.print(new Table(FloodResult.HEADER, rows).text());
        return passed;
    }

    /// Starts a server.
    @FunctionalInterface
    private interface Start {
        FloodSubject server() throws IOException;
    }

    private FloodResult under(Flood flood, Stage stage, Start start) throws IOException {
        try (FloodSubject subject = start.server()) {
            Optional<String> missing = subject.peer().missing();
            if (missing.isPresent()) {
                throw new BenchFailure(missing.get());
            }
            InetSocketAddress target =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), subject.running().port());
            List<GoodClient.Page> pages = pages(stage.site().root());
            // Loads classes, and compiles the code for the flood: its times are shown, but not
            // judged.
            new GoodClient(target, pages, GoodClient.PATIENCE_MILLIS)
                    .run(System.nanoTime() + NANOS_PER_SECOND);
            int most = proc.descriptorsMax() - OWN_DESCRIPTORS;
            GoodClient early = new GoodClient(target, pages, GoodClient.PATIENCE_MILLIS);
            double cold;
            try (FloodLoad _ = FloodLoad.start(flood, target, most)) {
                long seconds = Math.min(WARM_UP_SECONDS_MAX, settings.seconds());
                cold = early.run(System.nanoTime() + seconds * NANOS_PER_SECOND).worst();
            }
            new GoodClient(target, pages, GoodClient.PATIENCE_MILLIS)
                    .run(System.nanoTime() + NANOS_PER_SECOND); // until the flood has ended
            long collected = subject.collectorWrote();
            GoodClient client = new GoodClient(target, pages, GoodClient.PATIENCE_MILLIS);
            long[] counts;
            long descriptors;
            GoodClient.Outcome good;
            try (FloodLoad load = FloodLoad.start(flood, target, most)) {
                good = client.run(System.nanoTime() + settings.seconds() * NANOS_PER_SECOND);
                counts = load.counts();
                descriptors = subject.descriptors();
            }
            client.faults().stream()
                    .distinct()
                    .limit(5)
                    .forEach(fault -> out.println("  " + fault));
            return new FloodResult(
                    flood,
                    subject.peer().name(),
                    cold,
                    good,
                    counts,
                    settings.seconds(),
                    subject.residentMaxMegabytes(proc),
                    subject.collected(collected),
                    descriptors,
                    subject.output(stage).contains("OutOfMemoryError"));
        }
    }
}
