package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A server that forwards every request to another process: to an nginx that serves the files, or
/// to a php-fpm whose script prints them. Each gateway has an upstream of its own, on the client's
/// CPUs, with the same configuration. Only the gateway's CPU time is measured.
///
/// @param gateway Serval, or a server that a file describes
/// @param behind nginx that serves files, or php-fpm
public record GatewayPeer(Peer gateway, FilePeer behind) implements Peer {
    private static final String SCRIPT = "/index.php";

    /// As many as clients. nginx would open more, and those that find no child wait until another is
    /// closed.
    private static final int PHP_CONNECTIONS = 16;

    /// What runs behind a gateway.
    ///
    /// @param address of the HTTP server, or the path of the socket
    /// @param scripts folder with the script, or null before an HTTP server
    private record Behind(String address, @Nullable Path scripts, Runnable stopping) {}

    /// Starts the gateway in front of what was started behind it.
    private RunningPeer start(Stage stage, Behind started) throws IOException {
        int port = stage.freePort();
        if (gateway instanceof FilePeer file) {
            return file.start(stage, port, values(started));
        }
        List<String> command = ((ServalPeer) gateway).command(stage, mounted(started), port);
        return stage.launch(name(), port, stage.cpus().onServer(command));
    }

    private static Mounted mounted(Behind started) {
        @Nullable Path scripts = started.scripts();
        return scripts == null
                ? Mounted.proxy(started.address())
                : Mounted.fastcgi(Path.of(started.address()), scripts, SCRIPT, PHP_CONNECTIONS);
    }

    private static Map<String, String> values(Behind started) {
        @Nullable Path scripts = started.scripts();
        return scripts == null
                ? Map.of("upstream", started.address())
                : Map.of("socket", started.address(), "scripts", scripts.toString());
    }

    @Override
    public String name() {
        return gateway.name();
    }

    @Override
    public Optional<String> missing() {
        return gateway.missing().or(behind::missing);
    }

    @Override
    public String version() {
        return gateway.version();
    }

    @Override
    public boolean java() {
        return gateway.java();
    }

    @Override
    public String configuration() {
        return "%s\nBehind it: %s\n%s"
                .formatted(gateway.configuration(), behind.name(), behind.configuration());
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        Behind started = behind.role() == Role.SCRIPTS ? startPhp(stage) : startHttp(stage);
        try {
            RunningPeer running = start(stage, started);
            return new RunningPeer(
                    name(),
                    running.port(),
                    running.pid(),
                    () -> {
                        running.close();
                        started.stopping().run();
                    });
        } catch (IOException | RuntimeException e) {
            started.stopping().run();
            throw e;
        }
    }

    private Behind startHttp(Stage stage) throws IOException {
        Cpus cpus = stage.cpus();
        Stage beside = stage.on(new Cpus(cpus.all(), cpus.client(), cpus.client(), cpus.pinned()));
        RunningPeer running =
                behind.named(name() + "-upstream").start(beside.silent().speaking(Protocol.HTTP));
        return new Behind("127.0.0.1:" + running.port(), null, running::close);
    }

    private Behind startPhp(Stage stage) throws IOException {
        FilePeer own = behind.named(name() + "-php");
        Path folder = stage.folderFor(own.name());
        Path socket = folder.resolve("php.sock");
        List<String> command = own.command(stage, 0, Map.of("socket", socket.toString()));
        Process process =
                stage.launch(
                        own.name(), stage.cpus().onClient(command), () -> Files.exists(socket));
        return new Behind(socket.toString(), folder, () -> stage.children().stop(process));
    }
}
