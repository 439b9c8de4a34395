package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// h2o with one thread, over HTTP/1.1.
public final class H2oPeer implements Peer {
    @Override
    public String name() {
        return "h2o";
    }

    @Override
    public Optional<String> missing() {
        return Programs.find("h2o").isPresent()
                ? Optional.empty()
                : Optional.of("h2o is not installed: apt-get install h2o");
    }

    @Override
    public String version() {
        return Programs.firstLine(List.of(program(), "--version"));
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        Path own = stage.folderFor(name());
        Path file = own.resolve("h2o.yaml");
        Files.writeString(file, configuration(own, stage.site().root(), port));
        List<String> command = List.of(program(), "-m", "worker", "-c", file.toString());
        return stage.launch(name(), port, stage.cpus().onServer(command));
    }

    private static String program() {
        return Programs.find("h2o").orElseThrow().toString();
    }

    /// Returns the configuration. If root starts h2o, it needs a `user`; see [NginxPeer] for why
    /// the user stays root.
    private static String configuration(Path own, Path root, int port) {
        return """
        listen: {host: 127.0.0.1, port: %2$d}
        %4$s
        num-threads: 1
        max-connections: 16000
        pid-file: %1$s/h2o.pid
        error-log: %1$s/error.log
        hosts:
          default:
            paths:
              /:
                file.dir: %3$s
        """
                .formatted(own, port, root, isRoot() ? "user: root" : "");
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }
}
