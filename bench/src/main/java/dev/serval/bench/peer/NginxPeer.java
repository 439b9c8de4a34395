package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// nginx with one worker and its file cache on. Small files are cheaper without sendfile (and
/// tcp_nopush, which depends on it), so both settings are measured.
public final class NginxPeer implements Peer {
    private final String name;
    private final boolean sendfile;

    /// Makes a peer with one of the settings, under its own name.
    public NginxPeer(String name, boolean sendfile) {
        this.name = name;
        this.sendfile = sendfile;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> missing() {
        return Programs.find("nginx").isPresent()
                ? Optional.empty()
                : Optional.of("nginx is not installed: apt-get install nginx-light");
    }

    @Override
    public String version() {
        return Programs.firstLine(List.of(program(), "-v"));
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        Path own = stage.folderFor(name);
        Path file = own.resolve("nginx.conf");
        Files.writeString(file, configuration(own, stage.site().root(), port));
        List<String> command = List.of(program(), "-p", own.toString(), "-c", file.toString());
        return stage.launch(name, port, stage.cpus().onServer(command));
    }

    private static String program() {
        return Programs.find("nginx").orElseThrow().toString();
    }

    /// Returns the configuration. If root starts nginx, the worker would change to an account whose
    /// name depends on the distribution. The worker stays root, since it only reads files made for
    /// it.
    private String configuration(Path own, Path root, int port) {
        String onOff = sendfile ? "on" : "off";
        return """
        daemon off;
        user root;
        worker_processes 1;
        worker_rlimit_nofile 16384;
        pid %1$s/nginx.pid;
        error_log %1$s/error.log warn;
        events {
            worker_connections 16000;
        }
        http {
            access_log off;
            sendfile %2$s;
            tcp_nopush %2$s;
            open_file_cache max=1000 inactive=60s;
            keepalive_requests 1000000000;
            keepalive_timeout 75s;
            client_body_temp_path %1$s/body;
            proxy_temp_path %1$s/proxy;
            fastcgi_temp_path %1$s/fastcgi;
            uwsgi_temp_path %1$s/uwsgi;
            scgi_temp_path %1$s/scgi;
            server {
                listen 127.0.0.1:%3$d;
                root %4$s;
            }
        }
        """
                .formatted(own, onOff, port, root);
    }
}
