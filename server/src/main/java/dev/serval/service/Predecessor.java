package dev.serval.service;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.serval.HandOver;
import dev.serval.ListeningSocket;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The process that this one succeeds ([Upgrade]). It waits with its listening sockets while this one
/// starts. Used by the main thread.
public final class Predecessor implements AutoCloseable {
    /// The variable that names the file by which the sockets are handed over.
    static final String VARIABLE = "SERVAL_HAND_OVER";

    /// How long applications wait for sessions that the predecessor has not stored yet.
    public static final Duration SESSIONS_MAX = Duration.ofMinutes(2);

    private static final Duration TAKE_MAX = Duration.ofSeconds(60);

    private final Path file;
    private @Nullable HandOver handOver;
    private volatile boolean over;

    private Predecessor(Path file) {
        this.file = file;
    }

    /// Returns the predecessor that has started this process; null if none has.
    public static @Nullable Predecessor of(Map<String, String> environment) {
        @Nullable String named = environment.get(VARIABLE);
        return named == null || named.isEmpty() ? null : new Predecessor(Path.of(named));
    }

    /// Returns the file in which a successor says why it does not start.
    static Path report(Path file) {
        return file.resolveSibling(file.getFileName() + ".report");
    }

    /// Returns a stream for errors that also tells them to the predecessor, until [#confirm].
    public PrintStream errors(PrintStream err) {
        OutputStream both =
                new OutputStream() {
                    @Override
                    public void write(int b) {
                        write(new byte[] {(byte) b}, 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) {
                        err.write(bytes, from, length);
                        err.flush();
                        if (!over) {
                            tell(bytes, from, length);
                        }
                    }
                };
        return new PrintStream(both, true, UTF_8);
    }

    private void tell(byte[] bytes, int from, int length) {
        try (OutputStream out =
                Files.newOutputStream(
                        report(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            out.write(bytes, from, length);
        } catch (IOException e) {
            over = true; // the predecessor knows the exit code
        }
    }

    /// Takes its sockets.
    ///
    /// @throws IOException if it does not give them
    List<ListeningSocket> take() throws IOException {
        HandOver taken = HandOver.take(file, TAKE_MAX);
        handOver = taken;
        return taken.sockets();
    }

    /// Tells it that this process accepts from all of its sockets. It stops accepting then.
    ///
    /// @throws IOException if it has gone, or does not want a successor any more
    public void confirm() throws IOException {
        over = true;
        if (handOver != null) {
            handOver.confirm();
        }
    }

    /// Ends the connection to it.
    @Override
    public void close() {
        if (handOver != null) {
            handOver.close();
            handOver = null;
        }
    }
}
