package dev.serval.soak.subject;

import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The server as a user starts it, by the launcher of a source tree and on every CPU.
public record LauncherPeer(Path launcher, List<String> jvmOptions) implements Peer {

    @Override
    public String name() {
        return ServalPeer.NAME;
    }

    @Override
    public Optional<String> missing() {
        return Files.isExecutable(launcher)
                ? Optional.empty()
                : Optional.of(
                        launcher.toAbsolutePath() + " is missing: give the path of a launcher");
    }

    @Override
    public String version() {
        return Programs.firstLine(List.of(launcher.toAbsolutePath().toString(), "--version"));
    }

    @Override
    public String configuration() {
        return "command: " + String.join(" ", command()) + " run ${root} --port ${port}\n";
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> command = new ArrayList<>(command());
        command.addAll(List.of("run", stage.site().root().toString()));
        command.addAll(List.of("--port", String.valueOf(port)));
        return stage.launch(name(), port, stage.cpus().anywhere(command));
    }

    /// Returns the command before `run`. The launcher reads the JVM and its options from the
    /// environment. It becomes the server by exec, so the process ID stays the same.
    public List<String> command() {
        return List.of(
                "env",
                "JAVA_OPTS=" + String.join(" ", jvmOptions),
                "JAVA_HOME=" + System.getProperty("java.home"),
                launcher.toAbsolutePath().toString());
    }
}
