package dev.serval.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Finds the server of this user that runs with a configuration file, by asking each. The name of its
/// socket does not tell: the addresses in the file may have changed since its start, and another server
/// may have them. Used by the main thread of a client.
public final class ServerSearch {
    private static final List<String> QUESTION = List.of(Commands.CONFIGURATION);
    private static final long ANSWER_MAX_MILLIS = 5_000;

    private final ControlFolder folder;
    private final long answerMaxMillis;
    private final List<String> others = new ArrayList<>();

    /// Creates a search.
    public ServerSearch(ControlFolder folder) {
        this(folder, ANSWER_MAX_MILLIS);
    }

    /// Creates a search with another limit for the time that a server may take to answer.
    ServerSearch(ControlFolder folder, long answerMaxMillis) {
        this.folder = folder;
        this.answerMaxMillis = answerMaxMillis;
    }

    /// Returns the socket of the server that runs with a file; null if there is none.
    ///
    /// @param configuration its absolute path
    /// @throws IOException if the folder of sockets cannot be used
    public @Nullable Path serverOf(Path configuration) throws IOException {
        for (Path socket : folder.sockets()) {
            if (!ControlServer.answers(socket)) {
                continue;
            }
            @Nullable String file = configurationOf(socket);
            if (file != null && isSame(file, configuration)) {
                return socket;
            }
            others.add(ControlFolder.name(socket) + " (" + text(file) + ")");
        }
        return null;
    }

    /// Returns the servers that were found to run with other files.
    List<String> others() {
        return List.copyOf(others);
    }

    /// Returns the configuration file of a server; empty if it has none, and null if it does not say so
    /// in time.
    private @Nullable String configurationOf(Path socket) {
        CompletableFuture<@Nullable String> asked =
                CompletableFuture.supplyAsync(() -> ask(socket), Thread::startVirtualThread);
        return asked.completeOnTimeout(null, answerMaxMillis, TimeUnit.MILLISECONDS).join();
    }

    private static @Nullable String ask(Path socket) {
        StringBuilder file = new StringBuilder();
        try {
            int exitCode = ControlClient.send(socket, QUESTION, file::append, _ -> {});
            return exitCode == 0 ? file.toString() : null;
        } catch (IOException e) { // such as of a server that ends now
            return null;
        }
    }

    /// A file that a link leads to is the same.
    private static boolean isSame(String file, Path configuration) {
        try {
            Path other = Path.of(file);
            return other.equals(configuration) || Files.isSameFile(other, configuration);
        } catch (IOException | InvalidPathException e) { // such as for one that is missing
            return false;
        }
    }

    private static String text(@Nullable String file) {
        if (file == null) {
            return "does not say its configuration";
        }
        return file.isEmpty() ? "without a configuration" : file;
    }
}
