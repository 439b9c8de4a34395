package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A program of package `bare`, started with the JDK that runs the suite.
public final class BarePeer implements Peer {
    private final String name;
    private final Class<?> program;

    /// Makes a peer of this name. The arguments of `program` are a folder and a port.
    public BarePeer(String name, Class<?> program) {
        this.name = name;
        this.program = program;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public String version() {
        return "this build";
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName(),
                        stage.site().root().toString(),
                        String.valueOf(port));
        return stage.launch(name, port, stage.cpus().onServer(command));
    }
}
