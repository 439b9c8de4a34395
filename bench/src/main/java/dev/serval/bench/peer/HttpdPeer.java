package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Apache httpd with the event module. It has one process, because it gets one CPU. That process
/// has as many threads as sixteen processes have by default. With fewer threads than connections it
/// closes kept connections under load, and clients count these as errors.
public final class HttpdPeer implements Peer {
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");

    @Override
    public String name() {
        return "httpd";
    }

    @Override
    public Optional<String> missing() {
        boolean there = Programs.find("apache2").isPresent() && Files.isDirectory(MODULES);
        return there
                ? Optional.empty()
                : Optional.of("Apache httpd is not installed: apt-get install apache2-bin");
    }

    @Override
    public String version() {
        return Programs.firstLine(List.of(program(), "-v"));
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        Path own = stage.folderFor(name());
        Path file = own.resolve("httpd.conf");
        Files.writeString(file, configuration(own, stage.site().root(), port));
        List<String> command =
                List.of(program(), "-d", own.toString(), "-f", file.toString(), "-D", "FOREGROUND");
        return stage.launch(name(), port, stage.cpus().onServer(command));
    }

    private static String program() {
        return Programs.find("apache2").orElseThrow().toString();
    }

    private static String configuration(Path own, Path root, int port) {
        return """
        ServerRoot %1$s
        ServerName 127.0.0.1
        Listen 127.0.0.1:%2$d
        PidFile %1$s/httpd.pid
        DefaultRuntimeDir %1$s
        ErrorLog %1$s/error.log
        LoadModule mpm_event_module %4$s/mod_mpm_event.so
        LoadModule authz_core_module %4$s/mod_authz_core.so
        User www-data
        Group www-data
        StartServers 1
        ServerLimit 1
        ThreadLimit 400
        ThreadsPerChild 400
        MaxRequestWorkers 400
        AsyncRequestWorkerFactor 200
        KeepAlive On
        KeepAliveTimeout 75
        MaxKeepAliveRequests 0
        EnableSendfile On
        DocumentRoot %3$s
        <Directory %3$s>
            Require all granted
            AllowOverride None
            Options None
        </Directory>
        """
                .formatted(own, port, root, MODULES);
    }
}
