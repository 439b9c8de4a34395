package dev.serval.conformance.tck;

import dev.serval.Serval;
import dev.serval.policy.AddressRange;
import dev.serval.policy.TrustedProxies;
import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Serval behind a HAProxy, which takes the requests of the suite by HTTP/1.1 and passes them on by
/// HTTP/2, as the suite's clients speak HTTP/1.1 only.
public final class ServalHttp2Server extends ServalServer {
    private static final Path PROGRAM = Path.of("/usr/sbin/haproxy"); // Debian package haproxy
    private static final String CONFIGURATION =
            """
            global
                maxconn 200
            defaults
                mode http
                timeout connect 10s
                timeout client 5s
                timeout server 120s
                option http-no-delay
            listen suite
                bind 127.0.0.1:%d
                http-request set-header X-Forwarded-Proto http
                server serval 127.0.0.1:%d proto h2
            """;

    private final TempTree files = TempTree.create();
    private @Nullable Process process;

    /// Creates a server that has not started.
    public ServalHttp2Server() {}

    /// Trusts the HAProxy, which states `:scheme` https, but tells in a field what its clients use.
    @Override
    protected void prepare(Serval.Builder builder) {
        builder.trustedProxies(new TrustedProxies(List.of(AddressRange.of("127.0.0.1"))));
    }

    @Override
    public InetSocketAddress start() throws Exception {
        int port = FreePort.find();
        String text = CONFIGURATION.formatted(port, super.start().getPort());
        Process started =
                new ProcessBuilder(
                                PROGRAM.toString(),
                                "-db",
                                "-f",
                                files.file("haproxy.cfg", text).toString())
                        .redirectErrorStream(true)
                        .redirectOutput(files.path("haproxy.log").toFile())
                        .start();
        process = started;
        Await.until("HAProxy listens", () -> answers(port) || !started.isAlive());
        if (!started.isAlive()) {
            throw new IOException("HAProxy has ended with " + started.exitValue());
        }
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void stop() throws Exception {
        @Nullable Process running = process;
        if (running != null) {
            running.destroyForcibly();
            Process _ = running.onExit().join();
        }
        super.stop();
        files.close();
    }
}
