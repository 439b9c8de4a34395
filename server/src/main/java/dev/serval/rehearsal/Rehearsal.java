package dev.serval.rehearsal;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs a server once while the JVM records what it loads, links and often runs. A cache made from
/// that record speeds up every later start (`-XX:AOTCacheOutput`). The program waits for the ready
/// line, requests some paths, sends a [RehearsalLoad], and stops the server. The launcher starts this program after a build. Used
/// by the main thread.
public final class Rehearsal {
    private static final int PATIENCE_SECONDS = 60;
    private static final Duration ANSWER_AT_MOST = Duration.ofSeconds(5);
    private static final String READY = "Ready: ";
    private static final int ROUNDS = 150;

    private Rehearsal() {}

    /// Rehearses with a server process. It fails if the server does not start, answer and stop
    /// correctly, because the cache may be useless then.
    ///
    /// @param arguments the paths to request, `--`, and the command that starts the server
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> all = Arrays.asList(arguments);
        int mark = all.indexOf("--");
        play(all.subList(mark + 1, all.size()), all.subList(0, mark), ROUNDS);
    }

    /// Runs one rehearsal.
    ///
    /// @param command the command that starts the server
    /// @param paths relative to the address of the first ready line
    /// @param rounds of the load
    /// @throws IOException if a step fails, with the server's output
    static void play(List<String> command, List<String> paths, int rounds)
            throws IOException, InterruptedException {
        Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread.ofPlatform().daemon().start(() -> endLate(server));
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
            URI address = ready(out);
            ask(address, paths);
            new RehearsalLoad(address).run(paths, rounds);
            server.toHandle().destroy(); // SIGTERM; Process.destroy would close the output too
            String rest = String.join("\n", out.readAllLines());
            if (server.waitFor() != 0) {
                throw new IOException(
                        "The server ended with code " + server.exitValue() + ": " + rest);
            }
        } finally {
            server.destroyForcibly();
        }
    }

    private static URI ready(BufferedReader out) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(READY)) {
                int end = line.indexOf(' ', READY.length());
                return URI.create(line.substring(READY.length(), end < 0 ? line.length() : end));
            }
            seen.append(line).append('\n');
        }
        throw new IOException("The server ended before it was ready: " + seen);
    }

    private static void ask(URI address, List<String> paths)
            throws IOException, InterruptedException {
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (String path : paths) {
                HttpRequest request =
                        HttpRequest.newBuilder(address.resolve(path))
                                .timeout(ANSWER_AT_MOST)
                                .build();
                client.send(request, HttpResponse.BodyHandlers.discarding());
            }
        }
    }

    /// Kills a server that hangs, which also ends the wait for its output.
    private static void endLate(Process server) {
        try {
            if (!server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
