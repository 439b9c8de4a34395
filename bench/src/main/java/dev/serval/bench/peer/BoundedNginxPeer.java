package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// nginx with the limits of our server: one worker for each CPU, and the same number of
/// connections, timeouts, head sizes and number of ranges.
public final class BoundedNginxPeer implements Peer {
    @Override
    public String name() {
        return "nginx";
    }

    @Override
    public Optional<String> missing() {
        return new NginxPeer(name(), true).missing();
    }

    @Override
    public String version() {
        return new NginxPeer(name(), true).version();
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        Path own = stage.folderFor(name());
        Path file = own.resolve("nginx.conf");
        int workers = stage.cpus().all().size();
        Files.writeString(file, configuration(own, stage.site().root(), port, workers));
        String program = Programs.find("nginx").orElseThrow().toString();
        List<String> command = List.of(program, "-p", own.toString(), "-c", file.toString());
        return stage.launch(name(), port, stage.cpus().anywhere(command));
    }

    /// Returns the configuration. Four buffers of 8 KiB hold a head of 32 KiB. A missing file is
    /// not logged, because our server does not log it either.
    private static String configuration(Path own, Path root, int port, int workers) {
        return """
        daemon off;
        user root;
        worker_processes %4$d;
        worker_rlimit_nofile 20000;
        pid %1$s/nginx.pid;
        error_log %1$s/error.log crit;
        events {
            worker_connections 19500;
        }
        http {
            access_log off;
            log_not_found off;
            sendfile on;
            tcp_nopush on;
            open_file_cache max=16384 inactive=60s;
            open_file_cache_errors on;
            client_header_timeout 10s;
            client_body_timeout 10s;
            client_header_buffer_size 1k;
            large_client_header_buffers 4 8k;
            client_max_body_size 10m;
            send_timeout 30s;
            keepalive_timeout 75s;
            keepalive_requests 1000000000;
            max_ranges 16;
            client_body_temp_path %1$s/body;
            proxy_temp_path %1$s/proxy;
            fastcgi_temp_path %1$s/fastcgi;
            uwsgi_temp_path %1$s/uwsgi;
            scgi_temp_path %1$s/scgi;
            server {
                listen 127.0.0.1:%3$d reuseport backlog=4096;
                root %2$s;
            }
        }
        """
                .formatted(own, root, port, workers);
    }
}
