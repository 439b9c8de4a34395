package dev.serval.bench.peer;

import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// The server of this repository, run by the JDK that runs the suite.
///
/// @param configuration the text of a configuration file with `${port}`, `${tls}` and `${mount}`, or
///     null if the command line says what is served
public record ServalPeer(
        Path jar,
        List<String> jvmOptions,
        String name,
        List<String> runOptions,
        @Nullable String configuration)
        implements Peer {
    /// The name of the peer that runs this build.
    public static final String NAME = "serval";

    /// The name of the peer that runs this build as a gateway beside servers of files.
    public static final String GATEWAY = "serval-proxy";

    private static final String CONFIGURATION = "serval.toml";
    private static final String TLS = "${tls}";
    private static final String LOG = "--access-log ${log},common";
    private static final String MAIN_CLASS = "dev.serval.server.Main";

    /// Makes a peer for the built jar with these JVM options.
    public ServalPeer(Path jar, List<String> jvmOptions) {
        this(jar, jvmOptions, NAME, List.of(), null);
    }

    /// Returns this peer under another name, with these options of `serval run`.
    public ServalPeer named(String other, List<String> moreRunOptions) {
        return new ServalPeer(jar, jvmOptions, other, moreRunOptions, configuration);
    }

    /// Returns this peer with additional JVM options.
    public ServalPeer with(List<String> moreJvmOptions) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.addAll(moreJvmOptions);
        return new ServalPeer(jar, more, name, runOptions, configuration);
    }

    /// Returns this peer started by a configuration file.
    ///
    /// @param text has `${port}`, `${mount}`, and `${tls}` in its listener if it is for cells with TLS;
    ///     null for the command line
    public ServalPeer configured(@Nullable String text) {
        return new ServalPeer(jar, jvmOptions, name, runOptions, text);
    }

    /// Returns whether a configuration file says what is served.
    public boolean isConfigured() {
        return configuration != null;
    }

    /// Returns the configuration that comes with the suite, whose rules every request passes.
    public static String rules() {
        return Resources.text(ServalPeer.class, "serval.toml");
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
        BenchFailure.require(Files.isRegularFile(jar), "there is no file " + jar);
        BenchFailure.require(
                attribute(Attributes.Name.MAIN_CLASS).equals(MAIN_CLASS),
                jar + " is not a jar of the server: give a copy of server/target/serval.jar");
    }

    @Override
    public String version() {
        String version = attribute(Attributes.Name.IMPLEMENTATION_VERSION);
        return configuration == null ? version : version + " with a configuration file";
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

    @Override
    public String configuration() {
        List<String> words = new ArrayList<>(List.of("java"));
        words.addAll(jvmOptions);
        words.addAll(List.of("-jar", jar.toString(), "run"));
        words.addAll(
                configuration == null
                        ? List.of("${root}", "--port", "${port}")
                        : List.of("--config", CONFIGURATION));
        words.addAll(runOptions);
        String command =
                "command: " + String.join(" ", words) + "\nwith an access log: " + LOG + "\n";
        return configuration == null
                ? command + "over TLS: --tls ${certificate},${key}\n"
                : command + "\n" + CONFIGURATION + ":\n" + configuration;
    }

    /// Returns the command that serves the document root of a stage.
    public List<String> command(Stage stage, int port) throws IOException {
        return command(arguments(stage, Mounted.application(stage.site().root()), port));
    }

    private List<String> command(List<String> arguments) {
        List<String> command = JavaCommand.of(jvmOptions, List.of("-jar", jar.toString()));
        command.addAll(arguments);
        return command;
    }

    /// Returns the command that serves a mount.
    List<String> command(Stage stage, Mounted mounted, int port) throws IOException {
        return command(arguments(stage, mounted, port));
    }

    /// Returns the command of the launcher in the current folder, with its usual options, that serves
    /// the document root of a stage.
    public List<String> launcher(Stage stage, int port) throws IOException {
        List<String> command = new ArrayList<>(List.of("./serval"));
        command.addAll(arguments(stage, port));
        return command;
    }

    /// Returns the arguments of the launcher or the jar that serve the document root of a stage.
    public List<String> arguments(Stage stage, int port) throws IOException {
        return arguments(stage, Mounted.application(stage.site().root()), port);
    }

    /// Writes the configuration, if there is one, and returns `run` with its arguments.
    private List<String> arguments(Stage stage, Mounted mounted, int port) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run"));
        String text = configuration;
        boolean tls = stage.protocol().tls();
        if (text == null) {
            arguments.addAll(List.of(mounted.argument(), "--port", String.valueOf(port)));
            if (tls) {
                TestKeys keys = TestKeys.local();
                arguments.addAll(List.of("--tls", keys.certificate() + "," + keys.key()));
            }
        } else {
            BenchFailure.require(
                    !tls || text.contains(TLS),
                    "the configuration has no "
                            + TLS
                            + " in its [[listener]]: use cells without TLS");
            String all =
                    text.replace("${port}", String.valueOf(port))
                            .replace(TLS, tls ? keys(TestKeys.local()) : "")
                            .replace("${mount}", mounted.keys());
            Path file = stage.folderFor(name).resolve(CONFIGURATION);
            arguments.addAll(List.of("--config", Files.writeString(file, all).toString()));
        }
        if (stage.log()) {
            Path log = stage.folderFor(name).resolve(Stage.ACCESS_LOG);
            arguments.addAll(List.of("--access-log", log + ",common"));
        }
        arguments.addAll(runOptions);
        return arguments;
    }

    private static String keys(TestKeys keys) {
        return "tls.certificate = \"%s\"\ntls.key = \"%s\""
                .formatted(keys.certificate(), keys.key());
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        return stage.launch(name, port, stage.cpus().onServer(command(stage, port)));
    }

    /// Starts the server as a user does, on every CPU.
    public RunningPeer startAnywhere(Stage stage) throws IOException {
        int port = stage.freePort();
        return stage.launch(name, port, stage.cpus().anywhere(command(stage, port)));
    }
}
