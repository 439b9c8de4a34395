package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A server that forwards every request to another process: to an nginx that serves the files, or
/// to a php-fpm whose script prints them. Each gateway has an upstream of its own, on the client's
/// CPUs, with the same configuration. Only the gateway's CPU time is measured.
public final class GatewayPeer implements Peer {

    /// The gateway's program.
    public enum Program {
        /// The server of this repository.
        SERVAL,
        /// nginx with kept connections to its upstream.
        NGINX,
        /// The same with buffers for whole answers. Without them it writes long answers to files, if
        /// the client does not take them at once; but short answers cost less.
        NGINX_BUFFERS,
        /// HAProxy with one thread; it cannot run PHP.
        HAPROXY
    }

    /// What is behind the gateway.
    public enum Upstream {
        /// An HTTP server.
        HTTP,
        /// php-fpm on a Unix-domain socket. It has 20 children, more than there are connections,
        /// because a connection occupies one even while it is idle.
        PHP
    }

    /// As many as clients. nginx would open more, and those that find no child wait until another is
    /// closed.
    private static final int PHP_CONNECTIONS = 16;

    private static final int HTTP_CONNECTIONS = 64;
    private static final String BUFFERS =
            "proxy_buffer_size 32k; proxy_buffers 16 32k; proxy_busy_buffers_size 256k;\n";

    private final String name;
    private final Program program;
    private final Upstream upstream;
    private final ServalPeer serval;

    public GatewayPeer(String name, Program program, Upstream upstream, ServalPeer serval) {
        this.name = name;
        this.program = program;
        this.upstream = upstream;
        this.serval = serval;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> missing() {
        return Software.NGINX
                .missing()
                .or(() -> upstream == Upstream.PHP ? Software.PHP.missing() : Optional.empty())
                .or(() ->
                        switch (program) {
                            case SERVAL -> serval.missing();
                            case NGINX, NGINX_BUFFERS -> Optional.empty();
                            case HAPROXY -> Software.HAPROXY.missing();
                        });
    }

    @Override
    public String version() {
        return switch (program) {
            case SERVAL -> serval.version();
            case NGINX, NGINX_BUFFERS -> Software.NGINX.version();
            case HAPROXY -> Software.HAPROXY.version();
        };
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        return switch (upstream) {
            case HTTP -> beforeHttp(stage);
            case PHP -> beforePhp(stage);
        };
    }

    private RunningPeer beforeHttp(Stage stage) throws IOException {
        Cpus cpus = stage.cpus();
        Stage beside = stage.on(new Cpus(cpus.all(), cpus.client(), cpus.client(), cpus.pinned()));
        RunningPeer behind = SystemPeer.nginx(name + "-upstream", true).start(beside);
        int port = stage.freePort();
        String address = "127.0.0.1:" + behind.port();
        // The location sets the fields that Serval also sends.
        String location = Software.text("location-http.conf", Map.of());
        Path own = stage.folderFor(name);
        List<String> command =
                switch (program) {
                    case SERVAL -> serval.command(stage, Mounted.proxy(address), port);
                    case NGINX -> nginx(own, port, location, address, HTTP_CONNECTIONS);
                    case NGINX_BUFFERS ->
                            nginx(own, port, BUFFERS + location, address, HTTP_CONNECTIONS);
                    case HAPROXY ->
                            Software.HAPROXY.command(
                                    own,
                                    "haproxy.cfg",
                                    Map.of("port", String.valueOf(port), "upstream", address));
                };
        return both(stage, port, command, behind::close);
    }

    private RunningPeer beforePhp(Stage stage) throws IOException {
        Path own = stage.folderFor(name);
        Path socket = own.resolve("php.sock");
        Path scripts = Files.createDirectories(own.resolve("scripts"));
        Files.writeString(
                scripts.resolve("index.php"),
                Software.text("index.php", Map.of("root", stage.site().root().toString())));
        List<String> fpm =
                Software.PHP.command(own, "fpm.conf", Map.of("socket", socket.toString()));
        Process process = stage.start(own.resolve("fpm.log"), stage.cpus().onClient(fpm));
        int port = stage.freePort();
        List<String> command;
        if (program == Program.SERVAL) {
            Mounted php = Mounted.fastcgi(socket, scripts, "/index.php", PHP_CONNECTIONS);
            command = serval.command(stage, php, port);
        } else {
            String location =
                    Software.text("location-php.conf", Map.of("scripts", scripts.toString()));
            command = nginx(own, port, location, "unix:" + socket, PHP_CONNECTIONS);
        }
        return both(stage, port, command, () -> stage.children().stop(process));
    }

    private static List<String> nginx(
            Path own, int port, String location, String upstream, int connections)
            throws IOException {
        String behind =
                "server %s; keepalive %d; keepalive_requests 1000000000;"
                        .formatted(upstream, connections);
        return Software.NGINX.command(
                own,
                "nginx-gateway.conf",
                Map.of("port", String.valueOf(port), "location", location, "upstream", behind));
    }

    private RunningPeer both(Stage stage, int port, List<String> command, Runnable behind)
            throws IOException {
        try {
            RunningPeer gateway = stage.launch(name, port, stage.cpus().onServer(command));
            return new RunningPeer(
                    name,
                    port,
                    gateway.pid(),
                    () -> {
                        gateway.close();
                        behind.run();
                    });
        } catch (IOException | RuntimeException e) {
            behind.run();
            throw e;
        }
    }
}
