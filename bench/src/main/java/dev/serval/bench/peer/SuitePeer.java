package dev.serval.bench.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A server that is a program of the suite.
///
/// @param program a class with a `main`, whose first arguments are a folder and a port
public record SuitePeer(String name, Class<?> program, List<String> jvmOptions, List<String> more)
        implements Peer {

    /// Makes a peer without more arguments.
    public SuitePeer(String name, Class<?> program) {
        this(name, program, List.of("--enable-native-access=ALL-UNNAMED"), List.of());
    }

    @Override
    public boolean java() {
        return !name.equals("floor");
    }

    @Override
    public String version() {
        return "this build";
    }

    @Override
    public String configuration() {
        List<String> words = new ArrayList<>(List.of("java"));
        words.addAll(jvmOptions);
        words.addAll(List.of(program.getName(), "${root}", "${port}"));
        words.addAll(more);
        return "A program of the suite.\n\ncommand: " + String.join(" ", words) + "\n";
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        Object[] arguments =
                Stream.concat(Stream.of(stage.site().root(), port), more.stream()).toArray();
        List<String> command = JavaCommand.of(jvmOptions, JavaCommand.suite(program), arguments);
        return stage.launch(name, port, stage.cpus().onServer(command));
    }
}
