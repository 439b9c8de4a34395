package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.process.ProcessTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The nginx of Debian's package as an upstream on a free port, with a folder of its own. The test
/// is skipped if the package is missing.
final class Nginx implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/sbin/nginx");
    private static final int ATTEMPTS_MAX = 5;

    private final TempTree tree;
    private final boolean tls;
    private int port;
    private Process process;

    private Nginx(TempTree tree, String server, boolean tls) {
        this.tree = tree;
        this.tls = tls;
        // Another process may take a free port before nginx does.
        @Nullable Process started = null;
        for (int i = 0; i < ATTEMPTS_MAX && started == null; i++) {
            this.port = FreePort.find();
            configure(server);
            started = launch();
        }
        this.process = running(started);
    }

    private void configure(String server) {
        boolean root = System.getProperty("user.name").equals("root");
        tree.file(
                "nginx.conf",
                """
                daemon off;
                %4$s
                pid %1$s/nginx.pid;
                error_log %1$s/error.log;
                worker_processes 1;
                events { worker_connections 512; }
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  server {
                    listen 127.0.0.1:%2$d%5$s;
                    root %1$s/www;
                    %3$s
                  }
                }
                """
                        .formatted(
                                tree.root(),
                                port,
                                server,
                                root ? "user root;" : "",
                                tls ? " ssl" : ""));
    }

    /// @param server more lines of its server block
    static Nginx start(TempTree tree, String server) {
        assumeThat(PROGRAM)
                .as("needs nginx (Debian package nginx-light)")
                .matches(Files::isExecutable);
        return new Nginx(tree, server, false);
    }

    /// Starts a server as [#start] does, which speaks TLS.
    static Nginx startTls(TempTree tree, String server, TestKeys keys) {
        assumeThat(PROGRAM)
                .as("needs nginx (Debian package nginx-light)")
                .matches(Files::isExecutable);
        String certificate =
                "ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate " + keys.certificate() + ";";
        String key = " ssl_certificate_key " + keys.key() + "; ";
        return new Nginx(tree, certificate + key + server, true);
    }

    /// Starts the process. Returns null if it has ended: its port was taken, for example.
    private @Nullable Process launch() {
        try {
            Process started =
                    new ProcessBuilder(
                                    PROGRAM.toString(),
                                    "-e",
                                    tree.root().resolve("error.log").toString(),
                                    "-c",
                                    tree.root().resolve("nginx.conf").toString())
                            .redirectErrorStream(true)
                            .redirectOutput(tree.root().resolve("out.log").toFile())
                            .start();
            Await.until(
                    "nginx listens and has its worker",
                    () -> (answers() && started.children().count() > 0) || !started.isAlive());
            return started.isAlive() ? started : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process running(@Nullable Process started) {
        if (started == null) {
            throw new AssertionError("nginx has ended: " + text("out.log") + text("error.log"));
        }
        return started;
    }

    private String text(String name) {
        try {
            Path file = tree.root().resolve(name);
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /// Kills it with its workers, which would keep the port.
    void kill() {
        ProcessTree.kill(process);
    }

    void restart() {
        kill();
        @Nullable Process started = null;
        for (int i = 0; i < ATTEMPTS_MAX && started == null; i++) {
            started = launch();
        }
        process = running(started);
    }

    @Override
    public void close() {
        kill();
    }
}
