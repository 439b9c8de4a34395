package dev.serval.bench.peer;

import dev.serval.bench.hello.HelloServer;
import dev.serval.bench.hello.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The engine with a handler that says hello in one way. Class path and JVM options are the same
/// for all ways. The options are those of the measured prototype.
///
/// @param jvmOptions more options of the JVM
/// @param preempts whether loops are preempted; otherwise application code may keep a loop's thread
public record HelloPeer(Way way, List<String> jvmOptions, int loops, boolean preempts)
        implements Peer {
    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-Xms256m",
                    "-Xmx256m",
                    "--enable-native-access=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-opens=java.base/java.io=ALL-UNNAMED");

    /// Makes a peer with one preempted loop.
    public HelloPeer(Way way, List<String> jvmOptions) {
        this(way, jvmOptions, 1, true);
    }

    /// Returns this peer with another number of loops.
    public HelloPeer withLoops(int other) {
        return new HelloPeer(way, jvmOptions, other, preempts);
    }

    /// Returns this peer without preempted loops.
    public HelloPeer withoutPreempt() {
        return new HelloPeer(way, jvmOptions, loops, false);
    }

    @Override
    public String name() {
        return way.name().toLowerCase(Locale.ROOT)
                + (loops == 1 ? "" : "-" + loops + "-loops")
                + (preempts ? "" : "-no-preempt");
    }

    private List<String> options() {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.addAll(jvmOptions);
        return options;
    }

    /// Returns what follows folder and port.
    private List<String> arguments() {
        return List.of(way.name(), String.valueOf(loops), String.valueOf(preempts));
    }

    @Override
    public String version() {
        return "this build";
    }

    @Override
    public String configuration() {
        List<String> words = new ArrayList<>(List.of("java"));
        words.addAll(options());
        words.addAll(List.of(HelloServer.class.getName(), "${root}", "${port}"));
        words.addAll(arguments());
        return "A program of the suite.\n\ncommand: " + String.join(" ", words) + "\n";
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> program = JavaCommand.suite(HelloServer.class);
        List<String> command = JavaCommand.of(options(), program, stage.site().root(), port);
        command.addAll(arguments());
        return stage.launch(name(), port, stage.cpus().onServer(command));
    }
}
