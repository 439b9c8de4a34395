package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.peer.Protocol;
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
    void eachConnectionRequestsItsOwnPage() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT)) {
            Client.Target target =
                    new Client.Target(
                            server.port(),
                            Protocol.HTTP,
                            List.of(
                                    new Site.Page("/a", 5, ""),
                                    new Site.Page("/b", 5, ""),
                                    new Site.Page("/c", 5, "")),
                            null);
            OwnClient.Course course = new OwnClient().course(target, load(6, 1, 1), SECONDS);
            assertThat(course.tally().errors()).isZero();
            assertThat(course.tally().contentBytes()).isEqualTo(course.tally().requests() * 5);
            assertThat(server.paths()).containsExactlyInAnyOrder("/a", "/b", "/c");
            assertThat(course.perSecond()).hasSize(SECONDS).allMatch(count -> count > 0);
            assertThat(course.perSecond().stream().mapToLong(Long::longValue).sum())
                    .isLessThanOrEqualTo(course.tally().requests());
        }
    }

    @Test
    void answerOfAnotherPageIsWrong() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT)) {
            Client.Target target =
                    new Client.Target(
                            server.port(),
                            Protocol.HTTP,
                            List.of(new Site.Page("/a", 5, ""), new Site.Page("/b", 6, "")),
                            null);
            Client.Tally tally = new OwnClient().run(target, load(2, 1, 1), SECONDS);
            assertThat(tally.errors()).isPositive();
            assertThat(tally.requests()).isPositive();
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
                List.of(),
                connections,
                requestsPerConnection,
                pipeline,
                Cell.ClientKind.OWN,
                Cell.HeadKind.BROWSER,
                List.of(),
                new Gate(1, 1, 0),
                List.of());
    }
}
