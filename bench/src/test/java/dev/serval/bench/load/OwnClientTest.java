package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.peer.Site;
import dev.serval.bench.report.Gate;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnClientTest {
    private static final String RIGHT = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final int SECONDS = 2;

    @Test
    void sendsExactNumberOfRequestsPerConnection() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT)) {
            Client.Tally tally = run(server, load(3, 5, 1));
            assertThat(tally.errors()).isZero();
            assertThat(tally.requests()).isGreaterThan(10);
            assertThat(tally.contentBytes()).isEqualTo(tally.requests() * 5);
            assertThat(server.closedAfter()).isNotEmpty().containsOnly(5);
        }
    }

    @Test
    void pipelinesOnKeptConnections() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT)) {
            Client.Tally tally = run(server, load(1, 0, 64));
            assertThat(tally.errors()).isZero();
            assertThat(tally.requests()).isGreaterThan(64);
            assertThat(server.closedAfter()).isEmpty();
        }
    }

    @Test
    void countsWrongAnswersAndStopsAfterMany() throws IOException {
        String wrong = RIGHT.replace("200", "500");
        try (ScriptedServer server = new ScriptedServer(wrong)) {
            Client.Tally tally = run(server, load(2, 0, 1));
            assertThat(tally.requests()).isZero();
            assertThat(tally.errors()).isBetween(100L, 110L);
        }
    }

    private static Client.Tally run(ScriptedServer server, Cell.Load load) throws IOException {
        Site.Page page = new Site.Page("/x", 5, "");
        return new OwnClient().run(new Client.Target(server.port(), page), load, SECONDS);
    }

    private static Cell.Load load(int connections, int requestsPerConnection, int pipeline) {
        return new Cell.Load(
                "x",
                "x",
                "x",
                connections,
                requestsPerConnection,
                pipeline,
                Cell.ClientKind.OWN,
                Cell.HeadKind.BROWSER,
                List.of(),
                new Gate(1, 1, 0));
    }
}
