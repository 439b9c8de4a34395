package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Site;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class IdleConnectionsTest {
    @Test
    void missesThoseThatTheServerCloses() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, 2);
                    exchange.getResponseBody().write(new byte[2]);
                    exchange.close();
                });
        server.start();
        Client.Target target =
                new Client.Target(server.getAddress().getPort(), new Site.Page("/", 2, ""));
        try (IdleConnections idle = IdleConnections.open(target, 3)) {
            idle.requireAll();
            server.stop(0);
            while (idle.closed() < 3) {
                Thread.onSpinWait(); // until the last close has arrived
            }
            assertThatThrownBy(idle::requireAll)
                    .isInstanceOf(BenchFailure.class)
                    .hasMessage("3 idle connections were closed");
        }
    }
}
