package dev.serval.testkit.process;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The HAProxy of Debian's package, with one listener and one server behind it. A test is skipped if the
/// package is missing.
public final class Haproxy implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/haproxy");
    private static final int ATTEMPTS_MAX = 5;

    private final TempTree tree = TempTree.create();
    private int port;
    private final Process process;

    /// @param mode of the listener, with further lines of its section
    /// @param server the port of the server behind it
    /// @param options of HAProxy's `server`, such as `send-proxy-v2`
    public Haproxy(String mode, int server, String options) {
        assumeTrue(Files.isExecutable(PROGRAM), "needs haproxy (Debian package haproxy)");
        @Nullable Process started = null;
        for (int i = 0; i < ATTEMPTS_MAX && started == null; i++) { // another one may take its port
            this.port = FreePort.find();
            started = launch(mode, server, options);
        }
        if (started == null) {
            throw new AssertionError("HAProxy has ended");
        }
        process = started;
    }

    private @Nullable Process launch(String mode, int to, String options) {
        Path file =
                tree.file(
                        "haproxy.cfg",
                        """
                        global
                            maxconn 200
                        defaults
                            timeout connect 10s
                            timeout client 60s
                            timeout server 120s
                        listen clients
                            mode %s
                            bind 127.0.0.1:%d
                            server one 127.0.0.1:%d %s
                        """
                                .formatted(mode, port, to, options));
        try {
            Process started =
                    new ProcessBuilder(PROGRAM.toString(), "-db", "-f", file.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(tree.path("out.log").toFile())
                            .start();
            Await.until("HAProxy listens", () -> answers() || !started.isAlive());
            return started.isAlive() ? started : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the port of the listener.
    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        Process _ = process.onExit().join();
        tree.close();
    }
}
