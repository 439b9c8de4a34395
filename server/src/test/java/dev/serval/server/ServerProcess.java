package dev.serval.server;

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
import java.util.concurrent.TimeUnit;

/// The product as a user has it: `Main` in a JVM of its own. Used by one test thread; closing it
/// ends the process whatever it does.
final class ServerProcess implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final BufferedReader out;
    private final List<String> screen = new ArrayList<>();

    private ServerProcess(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /// Starts it; nothing is waited for.
    static ServerProcess start(List<String> arguments) throws IOException {
        return new ServerProcess(new ProcessBuilder(command(arguments)).start());
    }

    /// The command that starts it.
    static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(opened());
        command.add("-cp");
        command.add(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(Main.class.getName());
        command.addAll(arguments);
        return command;
    }

    /// Starts it and waits until it says that it is ready.
    static ServerProcess ready(String... arguments) throws IOException {
        ServerProcess server = start(List.of(arguments));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    // What the jar's manifest gives.
    private static List<String> opened() {
        return List.of(
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED");
    }

    /// Reads its output up to a line that begins so.
    void awaitLine(String start) {
        try {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                screen.add(line);
                if (line.startsWith(start)) {
                    return;
                }
            }
            throw new AssertionError(
                    "It ended without the line \"" + start + "\": " + screen + errors());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The lines read up to now.
    List<String> screen() {
        return List.copyOf(screen);
    }

    /// The addresses it says it is ready at, in order, each with what it says behind.
    List<String> readyLines() {
        return screen.stream()
                .filter(line -> line.startsWith("Ready: "))
                .map(line -> line.substring("Ready: ".length()))
                .toList();
    }

    /// The first such address.
    URI address() {
        String line = readyLines().getFirst();
        return URI.create(line.substring(0, line.indexOf(' ')));
    }

    /// The socket address of that.
    InetSocketAddress socketAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), address().getPort());
    }

    /// What a GET of `path` there answers.
    RawResponse get(String path) {
        return RawClient.get(socketAddress(), path);
    }

    /// The signals that end a server and that it can hear: a process that a shell started in the
    /// background, and whatever that starts, ignores SIGINT.
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
        boolean hearsInt = (Long.parseUnsignedLong(ignored, 16) & (1 << (2 - 1))) == 0;
        return hearsInt ? List.of("INT", "TERM") : List.of("TERM");
    }

    /// Sends a signal: `INT`, `TERM`.
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    }

    /// Whether it has not ended yet.
    boolean goesOn() {
        return process.isAlive();
    }

    /// Waits for its end.
    ///
    /// @return its exit code
    int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("It goes on, having said " + screen);
        }
        return process.exitValue();
    }

    /// All it wrote to its standard error; waits for its end.
    String errors() throws IOException {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
