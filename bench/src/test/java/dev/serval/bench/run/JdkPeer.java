package dev.serval.bench.run;

import com.sun.net.httpserver.HttpServer;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.util.Optional;

/// The JDK's small server in the test's process, which is never missing. Its process tree is that
/// of the test.
record JdkPeer(String name, boolean lies) implements Peer {
    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public String version() {
        return "of the JDK";
    }

    @Override
    public boolean java() {
        return true;
    }

    @Override
    public String configuration() {
        return "none";
    }

    @Override
    public RunningPeer start(Stage stage) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        for (Site.Page page : stage.site().pages().values()) {
            byte[] content =
                    Files.readAllBytes(stage.site().root().resolve(page.path().substring(1)));
            content[content.length - 1] ^= (byte) (lies ? 1 : 0);
            server.createContext(
                    page.path(),
                    exchange -> {
                        exchange.sendResponseHeaders(200, content.length);
                        exchange.getResponseBody().write(content);
                        exchange.close();
                    });
        }
        server.start();
        return new RunningPeer(
                name,
                server.getAddress().getPort(),
                ProcessHandle.current().pid(),
                () -> server.stop(0));
    }
}
