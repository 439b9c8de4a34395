package dev.serval.server;

import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The product as users run it: `Main` in its own JVM. Used by one test thread. Closing it kills
/// the process.
final class ServerProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final BufferedReader out;
    private final List<String> screen = new ArrayList<>();

    private ServerProcess(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /// Starts the process, without waiting for it.
    static ServerProcess start(List<String> arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    /// Starts the process with these variables of its environment.
    static ServerProcess start(Map<String, String> environment, List<String> arguments)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command(arguments));
        builder.environment().putAll(environment);
        return new ServerProcess(builder.start());
    }

    /// Returns the command that starts the process.
    static List<String> command(List<String> arguments) {
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
        try {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                screen.add(line);
                if (line.startsWith(start)) {
                    return;
                }
            }
            throw new AssertionError(
                    "The server ended without the line \"" + start + "\": " + screen + errors());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the rest of the output, after waiting for its end.
    List<String> rest() throws IOException {
        return out.readAllLines();
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
    String errors() throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
