package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The server as a user starts it, by the launcher of a source tree and on every CPU.
public final class LauncherPeer implements Peer {
    private final Path launcher;
    private final List<String> jvmOptions;

    /// Makes a peer with this launcher and additional JVM options.
    public LauncherPeer(Path launcher, List<String> jvmOptions) {
        this.launcher = launcher.toAbsolutePath();
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    @Override
    public String name() {
        return "serval";
    }

    @Override
    public Optional<String> missing() {
        return Files.isExecutable(launcher)
                ? Optional.empty()
                : Optional.of(launcher + " is missing: give the path of a launcher");
    }

    @Override
    public String version() {
        return Programs.firstLine(List.of(launcher.toString(), "--version"));
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> command = new ArrayList<>(command(launcher, jvmOptions));
        command.addAll(ServalPeer.run(stage.site().root(), port));
        return stage.launch(name(), port, stage.cpus().anywhere(command));
    }

    /// Returns the command before `run`. The launcher reads the JVM and its options from the
    /// environment. It becomes the server by exec, so the process ID stays the same.
    public static List<String> command(Path launcher, List<String> jvmOptions) {
        return List.of(
                "env",
                "JAVA_OPTS=" + String.join(" ", jvmOptions),
                "JAVA_HOME=" + System.getProperty("java.home"),
                launcher.toAbsolutePath().toString());
    }
}
