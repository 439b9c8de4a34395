package dev.serval.bench.peer;

import dev.serval.bench.hello.HelloServer;
import dev.serval.bench.hello.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The engine with a handler that says hello in one way. Class path and JVM options are the same
/// for all ways. The options are those of the measured prototype.
public final class HelloPeer implements Peer {
    private static final List<String> JVM_OPTIONS =
            List.of(
                    "-XX:+UseSerialGC",
                    "-Xms256m",
                    "-Xmx256m",
                    "--enable-native-access=ALL-UNNAMED",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-opens=java.base/java.io=ALL-UNNAMED");

    private final Way way;
    private final List<String> jvmOptions;
    private final int loops;
    private final boolean preemptions;

    /// Makes a peer with one preempted loop and additional JVM options.
    public HelloPeer(Way way, List<String> jvmOptions) {
        this(way, jvmOptions, 1, true);
    }

    private HelloPeer(Way way, List<String> jvmOptions, int loops, boolean preemptions) {
        this.way = way;
        this.jvmOptions = List.copyOf(jvmOptions);
        this.loops = loops;
        this.preemptions = preemptions;
    }

    /// Returns this peer with another number of loops.
    public HelloPeer withLoops(int other) {
        return new HelloPeer(way, jvmOptions, other, preemptions);
    }

    /// Returns this peer without preempted loops, so that application code may keep a loop's
    /// thread.
    public HelloPeer withoutPreempt() {
        return new HelloPeer(way, jvmOptions, loops, false);
    }

    @Override
    public String name() {
        return way.name().toLowerCase(Locale.ROOT)
                + (loops == 1 ? "" : "-" + loops + "-loops")
                + (preemptions ? "" : "-no-preempt");
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
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(HelloServer.class.getName());
        command.addAll(List.of(stage.site().root().toString(), String.valueOf(port)));
        command.addAll(List.of(way.name(), String.valueOf(loops), String.valueOf(preemptions)));
        return stage.launch(name(), port, stage.cpus().onServer(command));
    }
}
