package dev.serval.bench.peer;

import dev.serval.bench.client.HttpConnection;
import dev.serval.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The place where peers are started: a temporary folder with the document root, free ports and
/// CPUs.
///
/// @param folder holds configurations, logs and the document root; removed on close
/// @param log whether peers write an access log in the Common Log Format
public record Stage(Path folder, Site site, Cpus cpus, Children children, boolean log)
        implements AutoCloseable {
    /// The name of a peer's access log in its folder.
    static final String ACCESS_LOG = "access.log";

    private static final long START_NANOS = 60_000_000_000L;
    private static final int PROBE_MILLIS = 1000;
    private static final long POLL_NANOS = 5_000_000;

    /// Makes a stage in a new temporary folder with these files.
    public static Stage create(Map<String, Integer> files, Cpus cpus) throws IOException {
        Path folder = Files.createTempDirectory("serval-bench-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Site site = Site.create(folder.resolve("root"), files);
        return new Stage(folder, site, cpus, new Children(() -> delete(folder)), false);
    }

    /// Returns a stage with the same folder and other CPUs. Only the original stage is closed.
    public Stage on(Cpus others) {
        return new Stage(folder, site, others, children, log);
    }

    /// Returns a stage whose peers serve another application. Only the original stage is closed.
    ///
    /// @param application a folder, or a WAR
    public Stage serving(Path application) {
        return new Stage(folder, new Site(application, site.pages()), cpus, children, log);
    }

    /// Returns a stage whose peers write an access log, each to `access.log` in its own folder. Only
    /// the original stage is closed.
    public Stage logging() {
        return new Stage(folder, site, cpus, children, true);
    }

    /// Returns a stage whose peers write no access log. Only the original stage is closed.
    public Stage silent() {
        return new Stage(folder, site, cpus, children, false);
    }

    /// Returns a port that is free at the moment.
    public int freePort() {
        return FreePort.find();
    }

    /// Returns the folder of a peer, and creates it if necessary.
    Path folderFor(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    /// Starts a command that is already pinned, and waits until the server answers.
    ///
    /// @throws BenchFailure if the process ends or takes too long; the message has the end of its
    ///     output
    public RunningPeer launch(String name, int port, List<String> command) throws IOException {
        Process process = launch(name, command, () -> answers(port));
        return new RunningPeer(name, port, process.pid(), () -> children.stop(process));
    }

    /// Starts a command that is already pinned, and waits until it is ready.
    ///
    /// @throws BenchFailure as for a server
    Process launch(String name, List<String> command, BooleanSupplier ready) throws IOException {
        Path output = folderFor(name).resolve("output.log");
        Process process = start(output, command);
        long deadline = System.nanoTime() + START_NANOS;
        while (!ready.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                children.stop(process);
                throw new BenchFailure(name + " did not start: " + end(output));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return process;
    }

    /// Starts a command that is already pinned.
    ///
    /// @param output receives what it prints on both streams
    public Process start(Path output, List<String> command) throws IOException {
        Process process =
                children.start(
                        new ProcessBuilder(command)
                                .redirectErrorStream(true)
                                .redirectOutput(output.toFile()));
        process.getOutputStream().close();
        return process;
    }

    /// Returns whether a server answers a request on this port, with any status. A connection alone
    /// proves little, because a server that only probes its port accepts and drops it.
    public static boolean answers(int port) {
        try (HttpConnection connection = HttpConnection.to(port, PROBE_MILLIS)) {
            connection.send("HEAD / HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n");
            return connection.head().status() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String end(Path output) throws IOException {
        List<String> lines = Files.readAllLines(output);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
    }

    @Override
    public void close() {
        children.close();
    }

    /// Deletes the folder, if it still exists.
    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
