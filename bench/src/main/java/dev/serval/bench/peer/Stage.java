package dev.serval.bench.peer;

import dev.serval.bench.client.HttpConnection;
import dev.serval.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// Where peers are started: a temporary folder with the document root, free ports and CPUs.
///
/// @param folder holds configurations, logs and the document root; removed on close
/// @param log whether peers write an access log in the Common Log Format
/// @param protocol of the listeners of peers
public record Stage(
        Path folder, Site site, Cpus cpus, Children children, boolean log, Protocol protocol)
        implements AutoCloseable {
    /// The name of a peer's access log in its folder.
    static final String ACCESS_LOG = "access.log";

    /// The preface of HTTP/2 with empty settings.
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0";

    private static final int FRAME_HEAD = 9;
    private static final int TYPE_AT = 3;
    private static final int SETTINGS = 4;

    private static final long START_NANOS = 60_000_000_000L;
    private static final int PROBE_MILLIS = 1000;
    private static final long POLL_NANOS = 5_000_000;

    /// Makes a stage in a new temporary folder with these files.
    public static Stage create(Map<String, Integer> files, Cpus cpus) throws IOException {
        Path folder = Files.createTempDirectory("serval-bench-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Site site = Site.create(folder.resolve("root"), files);
        return new Stage(
                folder, site, cpus, new Children(() -> delete(folder)), false, Protocol.HTTP);
    }

    /// Returns a stage with the same folder and other CPUs. Only the original stage is closed.
    public Stage on(Cpus others) {
        return new Stage(folder, site, others, children, log, protocol);
    }

    /// Returns a stage whose peers serve another application. Only the original stage is closed.
    ///
    /// @param application a folder, or a WAR
    public Stage serving(Path application) {
        return new Stage(
                folder, new Site(application, site.pages()), cpus, children, log, protocol);
    }

    /// Returns a stage whose peers write an access log, each to `access.log` in its own folder. Only
    /// the original stage is closed.
    public Stage logging() {
        return new Stage(folder, site, cpus, children, true, protocol);
    }

    /// Returns a stage whose peers write no access log. Only the original stage is closed.
    public Stage silent() {
        return new Stage(folder, site, cpus, children, false, protocol);
    }

    /// Returns a stage whose peers listen by another protocol. Only the original stage is closed.
    public Stage speaking(Protocol other) {
        return new Stage(folder, site, cpus, children, log, other);
    }

    /// Returns a stage whose peers serve only the files, without the application beside them. Only the
    /// original stage is closed.
    public Stage servingFiles() throws IOException {
        Path files = Files.createDirectories(folder.resolve("files"));
        for (String name : site.pages().keySet()) {
            Files.copy(
                    site.root().resolve(name),
                    files.resolve(name),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return serving(files);
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
        Process process = launch(name, command, () -> answers(port, protocol));
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

    /// Runs a client on the client's CPUs, and returns what it prints on both streams.
    public String output(List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(cpus.onClient(command)).redirectErrorStream(true);
        Process process = children.start(builder);
        try {
            process.getOutputStream().close();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            children.stop(process);
        }
    }

    /// Returns whether a server answers a request on this port, with any status. A connection alone
    /// proves little, because a server that only probes its port accepts and drops it. By HTTP/2 it
    /// must send its settings, which come first (RFC 9113 §3.4).
    public static boolean answers(int port, Protocol protocol) {
        try (HttpConnection connection = HttpConnection.to(port, protocol.tls(), PROBE_MILLIS)) {
            if (protocol == Protocol.H2C) {
                connection.send(PREFACE);
                byte[] frame = new byte[FRAME_HEAD];
                for (int at = 0; at < FRAME_HEAD; ) {
                    at += connection.read(frame, at, FRAME_HEAD - at);
                }
                return frame[TYPE_AT] == SETTINGS;
            }
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
