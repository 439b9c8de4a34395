package dev.serval.bench.run;

import dev.serval.bench.peer.JavaCommand;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The server of this build, started from the class path of the tests in place of its jar.
record OwnPeer() implements Peer {
    private static final ServalPeer SERVAL = new ServalPeer(Path.of("serval.jar"), List.of());

    @Override
    public String name() {
        return ServalPeer.NAME;
    }

    @Override
    public String version() {
        return "this build";
    }

    @Override
    public String configuration() {
        return SERVAL.configuration();
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        int port = stage.freePort();
        List<String> words = SERVAL.command(stage, port);
        String classes =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> program = List.of("-cp", classes, "dev.serval.server.Main");
        Object[] arguments = words.subList(words.indexOf("run"), words.size()).toArray();
        return stage.launch(name(), port, JavaCommand.of(List.of(), program, arguments));
    }
}
