package dev.serval.applications;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// `serval run` with one application at `/` or a configuration file, in a process and with folders of its own. Closing
/// it ends the process.
final class AppServer implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Path folder;
    private final Process process;
    private final BufferedReader out;
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI root;

    private AppServer(Path folder, Process process) throws IOException {
        this.folder = folder;
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.root = awaitReady();
    }

    /// Returns the WAR of an application.
    static Path war(String name) {
        return Path.of(
                System.getProperty("serval.applications", "applications"),
                name,
                "target",
                name + ".war");
    }

    /// Starts a server.
    ///
    /// @param folder for caches, sockets and logs
    static AppServer start(Path folder, String application) throws IOException {
        return start(folder, war(application));
    }

    /// Starts a server with a WAR.
    ///
    /// @param options more options of `serval run`
    static AppServer start(Path folder, Path war, String... options) throws IOException {
        return start(folder, war, Map.of(), options);
    }

    /// Starts a server with a WAR.
    ///
    /// @param environment more variables of its environment
    /// @param options more options of `serval run`
    static AppServer start(
            Path folder, Path war, Map<String, String> environment, String... options)
            throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("run", "/=" + war, "--port", "0", "--app-logs", "none"));
        arguments.addAll(List.of(options));
        return started(folder, environment, arguments.toArray(String[]::new));
    }

    /// Starts a server with a configuration file.
    static AppServer configured(Path folder, Path file) throws IOException {
        return started(folder, Map.of(), "run", "--config", file.toString());
    }

    private static AppServer started(
            Path folder, Map<String, String> environment, String... arguments) throws IOException {
        Process process = serval(folder, environment, arguments);
        try {
            return new AppServer(folder, process);
        } catch (IOException | RuntimeException | Error e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static Process serval(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1"); // it ends before more compiling pays for itself
        command.add("-Xmx256m");
        command.add("-jar");
        command.add(System.getProperty("serval.jar", "server/target/serval.jar"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        builder.environment().putAll(environment);
        return builder.redirectError(folder.resolve("errors").toFile()).start();
    }

    private URI awaitReady() throws IOException {
        List<String> screen = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            screen.add(line);
            if (line.startsWith("Ready: ")) {
                return URI.create(line.substring("Ready: ".length()).split(" ", 2)[0]);
            }
        }
        throw new IllegalStateException("The server did not start: " + screen + errors());
    }

    /// Returns the address of a path, which begins without a slash.
    URI at(String path) {
        return root.resolve(path);
    }

    /// Returns what the server and its application wrote to the standard error.
    String errors() throws IOException {
        return Files.readString(folder.resolve("errors"));
    }

    /// Sends a request.
    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(
                request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    }

    /// Returns the answer to a GET.
    HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(at(path)));
    }

    /// Carries out a command for the server.
    ///
    /// @return what it printed
    String command(String... arguments) throws Exception {
        Process command = serval(folder, Map.of(), arguments);
        try {
            String printed =
                    new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!command.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || command.exitValue() != 0) {
                throw new AssertionError(List.of(arguments) + " failed: " + printed + errors());
            }
            return printed;
        } finally {
            command.destroyForcibly();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        process.destroy();
        if (process.onExit().completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS).join()
                == null) {
            process.destroyForcibly();
            throw new AssertionError("The server did not stop");
        }
    }
}
