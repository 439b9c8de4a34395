package dev.serval.soak;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.soak.flood.CrowdSoak;
import dev.serval.soak.flood.FloodSettings;
import dev.serval.soak.flood.FloodSoak;
import dev.serval.soak.flood.TlsSoak;
import dev.serval.soak.subject.LauncherPeer;
import dev.serval.soak.whole.WholeSettings;
import dev.serval.soak.whole.WholeSoak;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command line of the soaks. It runs in the repository's root.
public final class Main {
    private static final Path LAUNCHER = Path.of("serval");
    private static final int CONNECTIONS = 400;
    private static final int IDLE_CONNECTIONS = 10_000;
    private static final int SERVLET_CLIENTS = 100;
    private static final int STEADY_CLIENTS = 20;
    private static final int HOSTILE_CLIENTS = 20;
    private static final String LOG_IN = "; the server's log: ";

    private final PrintStream out;
    private final PrintStream err;

    Main(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs and exits: 0 if all was right, 1 if something was wrong, 2 after wrong use or a broken
    /// setup.
    public static void main(String[] arguments) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(new Main(out, err).run(List.of(arguments)));
    }

    int run(List<String> arguments) throws IOException, InterruptedException {
        try {
            if (arguments.contains("--help") || arguments.contains("-h")) {
                out.print(SoakOptions.USAGE);
                return 0;
            }
            if (arguments.contains("floods")) {
                return ended(new FloodSoak(FloodOptions.parse(arguments), out).run(), "");
            }
            if (arguments.contains("crowd")) {
                return ended(new CrowdSoak(FloodOptions.parse(arguments), out).run(), "");
            }
            if (arguments.contains("tls")) {
                return ended(tls(FloodOptions.parse(arguments), false).run(), "");
            }
            if (arguments.contains("streams")) {
                return ended(tls(FloodOptions.parse(arguments), true).run(), "");
            }
            return soak(SoakOptions.parse(arguments));
        } catch (BenchFailure e) {
            err.println("serval soak: " + e.getMessage());
            return 2;
        }
    }

    private TlsSoak tls(FloodSettings options, boolean streams) {
        List<String> jvm = new ArrayList<>(options.jvmOptions());
        jvm.add("-Xmx" + options.heapMegabytes() + "m");
        return new TlsSoak(
                new TlsSoak.Settings(
                        new LauncherPeer(options.launcher(), jvm).command(),
                        IDLE_CONNECTIONS,
                        options.seconds(),
                        true,
                        streams,
                        options.tlsProvider()),
                out);
    }

    /// Runs a soak. The server logs failures of application code, which the soak provokes, to a
    /// file.
    private int soak(SoakOptions options) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of("target"));
        return switch (options.name()) {
            case "workers" -> {
                Path log = folder.resolve("soak.log");
                yield ended(workers(options, log), LOG_IN + log);
            }
            case "servlets" -> {
                Path log = folder.resolve("soak-servlets.log");
                yield ended(servlets(options, log), LOG_IN + log);
            }
            default -> {
                Path log = folder.resolve("soak-whole.log");
                yield ended(whole(options, log), LOG_IN + log);
            }
        };
    }

    private boolean whole(SoakOptions options, Path log) throws IOException, InterruptedException {
        List<String> heap = List.of("-Xmx" + options.heapMegabytes() + "m");
        WholeSettings settings =
                new WholeSettings(
                        new LauncherPeer(LAUNCHER, heap).command(),
                        options.length(),
                        STEADY_CLIENTS,
                        HOSTILE_CLIENTS,
                        100,
                        true,
                        options.heapMegabytes(),
                        options.out(),
                        log);
        return new WholeSoak(settings, out).run();
    }

    private boolean workers(SoakOptions options, Path log)
            throws IOException, InterruptedException {
        try (PrintStream logged = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
            System.setErr(logged);
            return new WorkerSoak(options.length(), CONNECTIONS, out).run();
        }
    }

    private boolean servlets(SoakOptions options, Path log)
            throws IOException, InterruptedException {
        List<String> server = new LauncherPeer(LAUNCHER, List.of(ServletSoak.HEAP)).command();
        return new ServletSoak(server, options.length(), SERVLET_CLIENTS, log, out).run();
    }

    private int ended(boolean passed, String where) {
        out.println((passed ? "Passed" : "FAILED") + where);
        return passed ? 0 : 1;
    }
}
