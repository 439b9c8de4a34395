package dev.serval.server;

import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The product as users run it: `Main` in its own JVM. Used by one test thread. Closing it kills
/// the process. Daemon threads read its output, because an interrupt does not end the read of a
/// pipe: a test with a process that hangs fails after a limit.
public final class ServerProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 100;

    private final Process process;
    private final BlockingQueue<Line> out = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> errors = new CompletableFuture<>();
    private final List<String> screen = new ArrayList<>();

    private ServerProcess(Process process) {
        this.process = process;
        Thread.ofPlatform().daemon().name("server-out").start(this::readOut);
        Thread.ofPlatform().daemon().name("server-errors").start(this::readErrors);
    }

    /// A line of the output.
    ///
    /// @param text null after the last line
    private record Line(@Nullable String text) {}

    /// Passes on each line, and then the end.
    private void readOut() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.add(new Line(line));
            }
        } catch (IOException e) {
            // The process was killed.
        }
        out.add(new Line(null));
    }

    private void readErrors() {
        try (InputStream in = process.getErrorStream()) {
            errors.complete(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            errors.completeExceptionally(e);
        }
    }

    /// Starts the process, without waiting for it.
    static ServerProcess start(List<String> arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    /// Starts the process with these variables of its environment.
    static ServerProcess start(Map<String, String> environment, List<String> arguments)
            throws IOException {
        return start(environment, Path.of("").toAbsolutePath(), arguments);
    }

    /// Starts the process in a folder, with these variables of its environment.
    static ServerProcess start(Map<String, String> environment, Path folder, List<String> arguments)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments)).directory(folder.toFile());
        builder.environment().putAll(environment);
        return new ServerProcess(builder.start());
    }

    /// Returns the command that starts the process.
    public static List<String> command(List<String> arguments) {
        return ChildJvm.command(
                        List.of("-XX:TieredStopAtLevel=1"),
                        Main.class,
                        arguments.toArray(String[]::new))
                .command();
    }

    /// Starts the process and waits until it is ready.
    static ServerProcess ready(String... arguments) throws IOException {
        ServerProcess server = start(List.of(arguments));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    /// Reads the output up to a line that begins with `start`.
    void awaitLine(String start) {
        for (@Nullable String line = next(); line != null; line = next()) {
            screen.add(line);
            if (line.startsWith(start)) {
                return;
            }
        }
        throw new AssertionError(
                "The server ended without the line \"" + start + "\": " + screen + errors());
    }

    /// Returns the rest of the output, after waiting for its end.
    List<String> rest() {
        List<String> rest = new ArrayList<>();
        for (@Nullable String line = next(); line != null; line = next()) {
            rest.add(line);
        }
        return rest;
    }

    /// Returns the next line of the output; null at its end.
    private @Nullable String next() {
        try {
            @Nullable Line line = out.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError(
                        "The server printed nothing for "
                                + PATIENCE_SECONDS
                                + " s after "
                                + screen);
            }
            if (line.text() == null) {
                out.add(line); // so that another look finds the end, too
            }
            return line.text();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted after the output " + screen, e);
        }
    }

    /// Returns the lines read so far.
    List<String> screen() {
        return List.copyOf(screen);
    }

    /// Returns the addresses of the ready lines, in order, each with the text after it.
    List<String> readyLines() {
        return screen.stream()
                .filter(line -> line.startsWith("Ready: "))
                .map(line -> line.substring("Ready: ".length()))
                .toList();
    }

    /// Returns the address of the first ready line.
    URI address() {
        String line = readyLines().getFirst();
        return URI.create(line.substring(0, line.indexOf(' ')));
    }

    /// Returns the socket address of [#address].
    InetSocketAddress socketAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), address().getPort());
    }

    /// Returns the line about the address at which applications dial in.
    String lrwpLine() {
        return screen.stream()
                .filter(line -> line.startsWith("Applications dial in (LRWP): "))
                .findFirst()
                .orElseThrow();
    }

    /// Returns the address at which applications dial in, of a TCP port.
    InetSocketAddress lrwpAddress() {
        String line = lrwpLine();
        String port = line.substring(line.indexOf("127.0.0.1:") + 10).split(" ", 2)[0];
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    /// Returns the response to a GET of `path`.
    RawResponse get(String path) {
        return RawClient.get(socketAddress(), path);
    }

    /// Returns the stop signals that the server can receive. A process that a shell started in the
    /// background ignores SIGINT, and so do its children.
    static List<String> signals() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return List.of("INT", "TERM");
        }
        String ignored =
                Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .map(line -> line.substring("SigIgn:".length()).strip())
                        .findFirst()
                        .orElse("0");
        boolean receivesInt = (Long.parseUnsignedLong(ignored, 16) & (1 << (2 - 1))) == 0;
        return receivesInt ? List.of("INT", "TERM") : List.of("TERM");
    }

    /// Returns the numbers of the processes that it has started.
    List<Long> children() {
        return process.toHandle().children().map(ProcessHandle::pid).toList();
    }

    /// Sends a signal, `INT` or `TERM`.
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    }

    /// Returns whether the process still runs.
    boolean isAlive() {
        return process.isAlive();
    }

    /// Waits for the end of the process.
    ///
    /// @return the exit code
    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("The server still runs after its output " + screen);
        }
        return process.exitValue();
    }

    /// Returns all that the process wrote to its standard error, after waiting for its end.
    String errors() {
        try {
            return errors.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no end of the errors after the output " + screen, e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
