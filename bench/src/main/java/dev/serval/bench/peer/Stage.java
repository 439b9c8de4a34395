package dev.serval.bench.peer;

import dev.serval.bench.client.HttpConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// Where peers are started: a temporary folder, the document root in it, free ports, CPUs.
///
/// @param folder for configurations, logs and the document root; removed on close
/// @param site the document root
/// @param cpus who runs where
/// @param children the processes started
public record Stage(Path folder, Site site, Cpus cpus, Children children) implements AutoCloseable {
    private static final long START_NANOS = 20_000_000_000L;
    private static final int PROBE_MILLIS = 1000;
    private static final long POLL_NANOS = 5_000_000;

    /// In a new temporary folder with these files.
    public static Stage create(Map<String, Integer> files, Cpus cpus) throws IOException {
        Path folder = Files.createTempDirectory("serval-bench-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Site site = Site.create(folder.resolve("root"), files);
        return new Stage(folder, site, cpus, new Children(() -> delete(folder)));
    }

    /// The same with others on other CPUs. Closed by the first.
    public Stage on(Cpus others) {
        return new Stage(folder, site, others, children);
    }

    /// A port nobody listens on at the moment.
    public int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    /// A folder of a peer's own.
    Path folderFor(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    /// Starts a command, already pinned, and waits until it answers.
    ///
    /// @throws BenchFailure where it ends before or takes too long, with the end of its output
    RunningPeer launch(String name, int port, List<String> command) throws IOException {
        Path output = folderFor(name).resolve("output.log");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        Process process = children.start(builder);
        process.getOutputStream().close();
        long deadline = System.nanoTime() + START_NANOS;
        while (!answers(port)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                children.stop(process);
                throw new BenchFailure(name + " did not start: " + end(output));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return new RunningPeer(name, port, process.pid(), () -> children.stop(process));
    }

    /// Whether somebody there answers a request, with whatever status. A connection alone proves
    /// little: a server that tries its port first accepts it and drops it.
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

    /// Of a folder that is gone already nothing is left to do.
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
