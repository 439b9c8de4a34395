package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
        /// php-fpm on a Unix-domain socket.
        PHP
    }

    /// More than connections, because a connection occupies one even while it is idle.
    private static final int PHP_CHILDREN = 20;

    /// As many as clients. nginx would open more, and those that find no child wait until another is
    /// closed.
    private static final int PHP_CONNECTIONS = 16;

    private static final int KEPT = 64;

    private static final String BUFFERS =
            "proxy_buffer_size 32k; proxy_buffers 16 32k; proxy_busy_buffers_size 256k;\n";

    private final String name;
    private final Program program;
    private final Upstream upstream;
    private final ServalPeer serval;

    /// Makes a peer.
    ///
    /// @param serval how Serval is started
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
        if (Programs.find("nginx").isEmpty()) {
            return Optional.of("nginx is not installed: apt-get install nginx-light");
        }
        if (program == Program.HAPROXY && Programs.find("haproxy").isEmpty()) {
            return Optional.of("HAProxy is not installed: apt-get install haproxy");
        }
        if (upstream == Upstream.PHP && Programs.find("php-fpm8.2").isEmpty()) {
            return Optional.of("php-fpm is not installed: apt-get install php8.2-fpm");
        }
        return program == Program.SERVAL ? serval.missing() : Optional.empty();
    }

    @Override
    public String version() {
        return switch (program) {
            case SERVAL -> serval.version();
            case NGINX, NGINX_BUFFERS -> Programs.firstLine(List.of(found("nginx"), "-v"));
            case HAPROXY -> Programs.firstLine(List.of(found("haproxy"), "-v"));
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
        Stage beside = stage.on(besides(stage.cpus()));
        RunningPeer behind = new NginxPeer(name + "-upstream", true).start(beside);
        int port = stage.freePort();
        String address = "127.0.0.1:" + behind.port();
        Path own = stage.folderFor(name);
        List<String> command =
                switch (program) {
                    case SERVAL -> serval(port, "/=http://" + address);
                    case NGINX -> nginx(own, port, httpLocation(), httpUpstream(address));
                    case NGINX_BUFFERS ->
                            nginx(own, port, BUFFERS + httpLocation(), httpUpstream(address));
                    case HAPROXY -> haproxy(own, port, address);
                };
        return both(stage, port, command, behind::close);
    }

    private RunningPeer beforePhp(Stage stage) throws IOException {
        Path own = stage.folderFor(name);
        Path socket = own.resolve("php.sock");
        Path scripts = Files.createDirectories(own.resolve("scripts"));
        Files.writeString(
                scripts.resolve("index.php"),
                "<?php header('Content-Type: application/octet-stream');"
                        + " readfile('"
                        + stage.site().root()
                        + "/' . basename(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)));");
        Path configuration = own.resolve("fpm.conf");
        Files.writeString(configuration, fpm(own, socket));
        List<String> fpm =
                List.of(found("php-fpm8.2"), "-R", "-F", "-n", "-y", configuration.toString());
        Process process =
                stage.children()
                        .start(
                                new ProcessBuilder(stage.cpus().onClient(fpm))
                                        .redirectErrorStream(true)
                                        .redirectOutput(own.resolve("fpm.log").toFile()));
        int port = stage.freePort();
        List<String> command =
                program == Program.SERVAL
                        ? serval(
                                port,
                                "/=fastcgi://unix:"
                                        + socket
                                        + "?root="
                                        + scripts
                                        + "&fallback=/index.php&keep=yes&connections="
                                        + PHP_CONNECTIONS)
                        : nginx(own, port, phpLocation(scripts), phpUpstream(socket));
        return both(stage, port, command, () -> stage.children().stop(process));
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

    private static Cpus besides(Cpus cpus) {
        return new Cpus(cpus.all(), cpus.client(), cpus.client(), cpus.pinned());
    }

    private List<String> serval(int port, String mount) {
        List<String> command = new ArrayList<>(serval.java());
        command.addAll(List.of("run", mount, "--port", String.valueOf(port)));
        return command;
    }

    private static List<String> nginx(Path own, int port, String location, String upstream)
            throws IOException {
        Path file = own.resolve("nginx.conf");
        Files.writeString(
                file,
                """
                daemon off;
                user root;
                worker_processes 1;
                worker_rlimit_nofile 16384;
                pid %1$s/nginx.pid;
                error_log %1$s/error.log warn;
                events { worker_connections 16000; }
                http {
                    access_log off;
                    keepalive_requests 1000000000;
                    keepalive_timeout 75s;
                    client_body_temp_path %1$s/body;
                    proxy_temp_path %1$s/proxy;
                    fastcgi_temp_path %1$s/fastcgi;
                    uwsgi_temp_path %1$s/uwsgi;
                    scgi_temp_path %1$s/scgi;
                    upstream behind { %4$s }
                    server {
                        listen 127.0.0.1:%2$d;
                        location / { %3$s }
                    }
                }
                """
                        .formatted(own, port, location, upstream));
        return List.of(found("nginx"), "-p", own.toString(), "-c", file.toString());
    }

    /// Sets the fields that Serval also sends.
    private static String httpLocation() {
        return """
        proxy_pass http://behind;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Host $host;
        proxy_set_header X-Forwarded-Proto $scheme;
        """;
    }

    private static String httpUpstream(String address) {
        return "server " + address + "; keepalive " + KEPT + "; keepalive_requests 1000000000;";
    }

    private static String phpLocation(Path scripts) {
        return """
        fastcgi_pass behind;
        fastcgi_keep_conn on;
        fastcgi_param SCRIPT_FILENAME %1$s/index.php;
        fastcgi_param SCRIPT_NAME /index.php;
        fastcgi_param DOCUMENT_ROOT %1$s;
        fastcgi_param DOCUMENT_URI $document_uri;
        fastcgi_param REQUEST_URI $request_uri;
        fastcgi_param QUERY_STRING $query_string;
        fastcgi_param REQUEST_METHOD $request_method;
        fastcgi_param CONTENT_TYPE $content_type;
        fastcgi_param CONTENT_LENGTH $content_length;
        fastcgi_param GATEWAY_INTERFACE CGI/1.1;
        fastcgi_param SERVER_SOFTWARE nginx;
        fastcgi_param SERVER_PROTOCOL $server_protocol;
        fastcgi_param REQUEST_SCHEME $scheme;
        fastcgi_param REMOTE_ADDR $remote_addr;
        fastcgi_param REMOTE_PORT $remote_port;
        fastcgi_param SERVER_ADDR $server_addr;
        fastcgi_param SERVER_PORT $server_port;
        fastcgi_param SERVER_NAME $server_name;
        fastcgi_param REDIRECT_STATUS 200;
        """
                .formatted(scripts);
    }

    private static String phpUpstream(Path socket) {
        return "server unix:"
                + socket
                + "; keepalive "
                + PHP_CONNECTIONS
                + "; keepalive_requests 1000000000;";
    }

    private static String fpm(Path own, Path socket) {
        return """
        [global]
        error_log = %1$s/fpm-error.log
        daemonize = no
        [www]
        user = root
        group = root
        listen = %2$s
        listen.backlog = 1024
        pm = static
        pm.max_children = %3$d
        """
                .formatted(own, socket, PHP_CHILDREN);
    }

    private static List<String> haproxy(Path own, int port, String address) throws IOException {
        Path file = own.resolve("haproxy.cfg");
        Files.writeString(
                file,
                """
                global
                    nbthread 1
                    maxconn 4000
                defaults
                    mode http
                    option forwardfor
                    timeout connect 5s
                    timeout client 75s
                    timeout server 60s
                    timeout http-keep-alive 75s
                    http-reuse always
                listen gateway
                    bind 127.0.0.1:%d
                    server behind %s
                """
                        .formatted(port, address));
        return List.of(found("haproxy"), "-db", "-f", file.toString());
    }

    private static String found(String program) {
        return Programs.find(program).orElseThrow().toString();
    }
}
