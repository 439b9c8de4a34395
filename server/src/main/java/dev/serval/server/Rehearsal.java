package dev.serval.server;

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

/// Runs a server once while the JVM records what it loads and links, so that a cache made of that
/// speeds up every later start (`-XX:AOTCacheOutput`): waits for its ready line, asks for some paths,
/// stops it. The launcher starts this program after a build. Used by the main thread.
public final class Rehearsal {
    private static final int PATIENCE_SECONDS = 60;
    private static final Duration ANSWER_AT_MOST = Duration.ofSeconds(5);
    private static final String READY = "Ready: ";

    private Rehearsal() {}

    /// Rehearses with a server of its own; fails if that does not get ready, answer and stop as it
    /// should, since its cache may be of no use then.
    ///
    /// @param arguments paths to ask for, `--`, and the command that starts the server
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> all = Arrays.asList(arguments);
        int mark = all.indexOf("--");
        play(all.subList(mark + 1, all.size()), all.subList(0, mark));
    }

    /// Plays it.
    ///
    /// @param command that starts the server
    /// @param paths relative to the first address that it says it is ready at
    /// @throws IOException if it does not go as it should, with what the server said
    static void play(List<String> command, List<String> paths)
            throws IOException, InterruptedException {
        Process server = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread.ofPlatform().daemon().start(() -> endLate(server));
        try (BufferedReader out = server.inputReader(StandardCharsets.UTF_8)) {
            ask(ready(out), paths);
            server.toHandle().destroy(); // SIGTERM; the process's own method closes its output, too
            String rest = String.join("\n", out.readAllLines());
            if (server.waitFor() != 0) {
                throw new IOException("The server ended with " + server.exitValue() + ": " + rest);
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

    /// A server that hangs ends here, and with it what waits for its output.
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
