package dev.serval.soak.flood;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.soak.subject.Remains;
import dev.serval.soak.subject.SoakWar;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;

/// Measures what a server holds for idle connections with TLS, how calm clients are served during their
/// handshakes and beside them, and what is left after them. They come twice: pools and buffers grow with
/// the first, so what remains after the second is compared with what remained after the first. Used by
/// one thread.
public final class TlsSoak {
    private static final int CALM_CLIENTS = 4;
    private static final int WARM_SECONDS = 1;
    private static final int REST_SECONDS_MAX = 60;
    private static final int DESCRIPTORS_LEFT = 256;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long HEAP_GROWTH_MAX_BYTES = 8 << 20;
    private static final long THREAD_GROWTH_MAX = 8;
    private static final long DESCRIPTOR_GROWTH_MAX = 8;

    private static final int START_MILLIS_MAX = 60_000;

    /// The most live heap for one connection, as a part of 256 MB for 10,000 of them.
    private static final long CONNECTION_MAX_BYTES = 16 << 10;

    /// What a stream may add, with the request of a servlet.
    private static final long STREAM_MAX_BYTES = 8 << 10;

    private final Settings settings;
    private final PrintStream out;
    private final Proc proc = new Proc(Path.of("/proc"));

    /// The arguments of a run.
    ///
    /// @param server the command that starts the server, before its arguments
    /// @param connections how many are idle
    /// @param seconds how long calm clients ask beside them
    /// @param judgesTimes whether a slow answer breaks the promise
    /// @param streams whether the connections speak HTTP/2, and each has a stream that waits
    /// @param provider the library that encrypts: `jdk` or `boringssl`
    public record Settings(
            List<String> server,
            int connections,
            int seconds,
            boolean judgesTimes,
            boolean streams,
            String provider) {}

    /// What was measured while the connections were idle.
    ///
    /// @param held what the server held
    /// @param opening what calm clients got while the connections were opened
    /// @param openingSeconds how long that took
    /// @param good what they got afterwards
    /// @param faults of the idle connections
    record Beside(
            Remains held,
            GoodClient.Outcome opening,
            double openingSeconds,
            GoodClient.Outcome good,
            List<String> faults) {}

    /// Creates a run.
    public TlsSoak(Settings settings, PrintStream out) {
        this.settings = settings;
        this.out = out;
    }

    /// Runs and prints what was measured.
    ///
    /// @return whether every answer was right and quick, and memory is bounded and flat
    public boolean run() throws IOException, InterruptedException {
        int needed = settings.connections + DESCRIPTORS_LEFT;
        if (proc.descriptorsMax() < needed) {
            throw new BenchFailure(
                    "the connections need " + needed + " descriptors: set ulimit -n");
        }
        try (Stage stage = Stage.create(FloodSoak.files(), Cpus.unpinned(proc.allowedCpus()))) {
            int port = stage.freePort();
            int tls = stage.freePort();
            Path config =
                    Files.writeString(stage.folder().resolve("s.toml"), config(stage, port, tls));
            SoakWar.write(stage.folder().resolve("soak.war"));
            List<String> command = new ArrayList<>(settings.server);
            command.addAll(List.of("run", "--config", config.toString()));
            try (RunningPeer running = stage.launch("serval", port, command)) {
                awaitApplication(port);
                List<String> broken = run(stage, running, tls);
                broken.forEach(out::println);
                return broken.isEmpty();
            }
        }
    }

    private List<String> run(Stage stage, RunningPeer running, int port)
            throws IOException, InterruptedException {
        List<GoodClient.Page> pages = FloodSoak.pages(stage.site().root());
        calm(port, pages, WARM_SECONDS); // loads classes
        long quiet = Remains.count(running.pid(), "fd");
        beside(running, port, pages);
        Remains before = rest(running, quiet);
        Beside beside = beside(running, port, pages);
        Remains after = rest(running, quiet);
        out.println("After the first connections: " + before);
        out.println("With the second: " + beside.held);
        out.println("After the second: " + after);
        out.printf(
                Locale.ROOT,
                "%,d idle connections with TLS%s by %s: %,d bytes of live heap for each; RSS %d MB at"
                        + " most%n",
                settings.connections,
                settings.streams ? ", each with a stream of HTTP/2 that waits," : "",
                settings.provider,
                (beside.held.heapBytes() - before.heapBytes()) / settings.connections,
                proc.statusBytes(running.pid(), "VmHWM") >> 20);
        print(
                "During %.0f handshakes a second"
                        .formatted(settings.connections / beside.openingSeconds),
                beside.opening);
        print("Beside the idle connections", beside.good);
        List<String> broken = new ArrayList<>(broken(settings, beside, before, after));
        if (Files.readString(stage.folder().resolve("serval").resolve("output.log"))
                .contains("OutOfMemoryError")) {
            broken.add("The server's output has an OutOfMemoryError");
        }
        return broken;
    }

    private void print(String when, GoodClient.Outcome good) {
        out.printf(
                Locale.ROOT,
                "%s: %,d answers by TLS to calm clients, %d wrong, %d timeouts, p99 %.1f ms, worst"
                        + " %.1f ms%n",
                when,
                good.millis().size(),
                good.wrong(),
                good.timeouts(),
                good.p99(),
                good.worst());
    }

    /// Returns what breaks the promise. How long answers take during handshakes is not judged, because
    /// the clients of the handshakes need the same processors.
    static List<String> broken(Settings settings, Beside beside, Remains before, Remains after) {
        List<String> broken = new ArrayList<>(beside.faults);
        broken.addAll(
                after.growth(
                        before, HEAP_GROWTH_MAX_BYTES, THREAD_GROWTH_MAX, DESCRIPTOR_GROWTH_MAX));
        long more = beside.held.heapBytes() - before.heapBytes();
        long each = CONNECTION_MAX_BYTES + (settings.streams ? STREAM_MAX_BYTES : 0);
        long most = HEAP_GROWTH_MAX_BYTES + settings.connections * each;
        if (more > most) {
            broken.add(
                    "The connections take %,d bytes of heap, more than %,d: %s"
                            .formatted(more, most, beside.held.classes(before)));
        }
        GoodClient.Outcome good = beside.good;
        int wrong = good.wrong() + beside.opening.wrong();
        int timeouts = good.timeouts() + beside.opening.timeouts();
        if (wrong + timeouts > 0) {
            broken.add(
                    "Calm clients got %d wrong answers and %d timeouts".formatted(wrong, timeouts));
        }
        if (settings.judgesTimes && good.p99() > CrowdSoak.P99_MAX_MILLIS) {
            broken.add(
                    String.format(
                            Locale.ROOT,
                            "The p99 of calm clients is %.1f ms, more than %.0f ms",
                            good.p99(),
                            CrowdSoak.P99_MAX_MILLIS));
        }
        return broken;
    }

    /// Returns a configuration with which idle connections stay. Its listener in the clear is for the
    /// stage, which asks whether the server is ready.
    private String config(Stage stage, int port, int tls) {
        TestKeys keys = TestKeys.local();
        return """
        [server]
        state = "%1$s/state"
        [limits]
        idle-time = "15m"
        requests = 20000
        [http2]
        ping-time = "15m"
        [load]
        mode = "light"
        [applications]
        logs = "none"
        [[listener]]
        address = "127.0.0.1:%2$d"
        [[listener]]
        address = "127.0.0.1:%3$d"
        tls.certificate = "%4$s"
        tls.key = "%5$s"
        tls.provider = "%6$s"
        [[mount]]
        folder = "%7$s"
        [[mount]]
        at = "/soak"
        app = "%1$s/soak.war"
        """
                .formatted(
                        stage.folder(),
                        port,
                        tls,
                        keys.certificate(),
                        keys.key(),
                        settings.provider,
                        stage.site().root());
    }

    /// The server accepts connections before it has started its applications.
    private static void awaitApplication(int port) throws IOException, InterruptedException {
        String request = "GET /soak/file.bin HTTP/1.1\r\nHost: good\r\n\r\n";
        long deadline = System.nanoTime() + START_MILLIS_MAX * 1_000_000L;
        while (HttpConnection.ask(port, request, START_MILLIS_MAX).status() != 200) {
            BenchFailure.require(
                    System.nanoTime() - deadline < 0, "the application does not answer");
            Thread.sleep(100);
        }
    }

    private Beside beside(RunningPeer running, int port, List<GoodClient.Page> pages)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        FutureTask<IdleTls> opened =
                new FutureTask<>(() ->
                        IdleTls.open(
                                port, pages.getFirst(), settings.connections, settings.streams));
        Thread.ofPlatform().start(opened);
        GoodClient.Outcome opening = calm(port, pages, opened::isDone);
        try (IdleTls idle = opened.get()) {
            double openingSeconds = (System.nanoTime() - began) / 1e9;
            GoodClient.Outcome good = calm(port, pages, settings.seconds);
            Remains held = Remains.patiently(running.pid());
            List<String> faults = new ArrayList<>(idle.askAgain());
            int closed = idle.closed();
            if (closed > 0) {
                faults.add("The server has closed " + closed + " idle connections");
            }
            return new Beside(held, opening, openingSeconds, good, faults);
        } catch (ExecutionException e) {
            throw new BenchFailure("the connections were not opened: " + e.getCause());
        }
    }

    private GoodClient.Outcome calm(int port, List<GoodClient.Page> pages, int seconds)
            throws InterruptedException {
        long end = System.nanoTime() + seconds * NANOS_PER_SECOND;
        return calm(port, pages, () -> System.nanoTime() - end >= 0);
    }

    private GoodClient.Outcome calm(int port, List<GoodClient.Page> pages, BooleanSupplier over)
            throws InterruptedException {
        InetSocketAddress target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        return GoodClient.together(
                CALM_CLIENTS,
                () -> new GoodClient(target, true, pages, GoodClient.PATIENCE_MILLIS),
                over,
                out);
    }

    /// Waits until the server has closed what the clients have left. The files that it keeps open since
    /// may be a few more.
    private static Remains rest(RunningPeer running, long quiet)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + REST_SECONDS_MAX * NANOS_PER_SECOND;
        while (Remains.count(running.pid(), "fd") > quiet + DESCRIPTOR_GROWTH_MAX
                && System.nanoTime() - end < 0) {
            Thread.sleep(200);
        }
        return Remains.patiently(running.pid());
    }
}
