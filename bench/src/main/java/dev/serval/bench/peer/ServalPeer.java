package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/// The server of this repository, run by the JDK that runs the suite.
public record ServalPeer(Path jar, List<String> jvmOptions, String name, List<String> runOptions)
        implements Peer {

    /// The name of the peer that runs this build.
    public static final String NAME = "serval";

    private static final String MAIN_CLASS = "dev.serval.server.Main";

    /// Makes a peer for the built jar with these JVM options.
    public ServalPeer(Path jar, List<String> jvmOptions) {
        this(jar, jvmOptions, NAME, List.of());
    }

    /// Returns this peer under another name, with these options of `serval run`.
    public ServalPeer named(String other, List<String> moreRunOptions) {
        return new ServalPeer(jar, jvmOptions, other, moreRunOptions);
    }

    /// Returns this peer with an additional JVM option.
    public ServalPeer with(String jvmOption) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.add(jvmOption);
        return new ServalPeer(jar, more, name, runOptions);
    }

    @Override
    public Optional<String> missing() {
        return Files.isRegularFile(jar)
                ? Optional.empty()
                : Optional.of(jar + " is missing: build it with ./serval verify or mvn package");
    }

    /// Throws if the jar is not one of this server.
    ///
    /// @throws BenchFailure says what is wrong with the file
    public void requireServer() {
        if (!Files.isRegularFile(jar)) {
            throw new BenchFailure("there is no file " + jar);
        }
        if (!attribute(Attributes.Name.MAIN_CLASS).equals(MAIN_CLASS)) {
            throw new BenchFailure(
                    jar + " is not a jar of the server: give a copy of server/target/serval.jar");
        }
    }

    @Override
    public String version() {
        return attribute(Attributes.Name.IMPLEMENTATION_VERSION);
    }

    private String attribute(Attributes.Name attribute) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String value =
                    manifest == null ? null : manifest.getMainAttributes().getValue(attribute);
            return value == null ? "unknown" : value;
        } catch (IOException e) {
            return "unknown";
        }
    }

    /// Returns the command that serves a folder.
    public List<String> command(Path root, int port) {
        return run(List.of(root.toString()), port);
    }

    /// Returns the command that serves these mounts.
    List<String> run(List<String> mounts, int port) {
        List<String> command = JavaCommand.of(jvmOptions, List.of("-jar", jar.toString()), "run");
        command.addAll(mounts);
        command.addAll(List.of("--port", String.valueOf(port)));
        command.addAll(runOptions);
        return command;
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> command = command(stage.site().root(), port);
        return stage.launch(name, port, stage.cpus().onServer(command));
    }

    /// Starts the server as a user does, on every CPU.
    public RunningPeer startAnywhere(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> command = command(stage.site().root(), port);
        return stage.launch(name, port, stage.cpus().anywhere(command));
    }
}
