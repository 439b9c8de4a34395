package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that pipelined requests are answered in order (RFC 9112 §9.3.2), with the answers of a
/// turn in one write. A client must not be able to make the memory for them grow.
final class PipelineTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 255, 256, 257, 1000, 3000})
    void answersInOrder(int requests) {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            client.send(numbered(requests));
            server.run();
            assertNumbered(client.takeText(), requests);
            assertThat(client.isClosed()).isFalse();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(requests);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 100, 4096})
    void answersInOrderAtAnyCut(int piece) {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            client.pieces(piece);
            client.send(numbered(300));
            server.run();
            assertNumbered(client.takeText(), 300);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1000})
    void answersInOrderAtAnyWindow(int window) {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(numbered(200));
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 50_000 && client.unread() + all.length() >= 0; i++) {
                client.window(window);
                server.turn();
                all.append(client.takeText());
            }
            client.window(Long.MAX_VALUE);
            server.run();
            assertNumbered(all + client.takeText(), 200);
        }
    }

    @ParameterizedTest
    @CsvSource({"3, /0 /1 /2 /other", "4, /0 /1 /2 /other /3", "7, /0 /1 /2 /other /3 /4 /5 /6"})
    void othersGetTheirTurnAfterTheQuota(int requests, String order) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.requestsPerTurnMax = 3);
        List<String> seen = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(
                        x -> {
                            seen.add(x.request().target().text());
                            Answers.target().handle(x);
                        },
                        limits)) {
            MemoryPeer client = server.connect();
            MemoryPeer other = server.connect();
            client.send(numbered(requests));
            other.send("GET /other HTTP/1.1\r\nHost: a\r\n\r\n");
            server.run();
            assertThat(seen).containsExactly(order.split(" "));
            assertNumbered(client.takeText(), requests);
        }
    }

    @Test
    void sendsATurnsAnswersInOneWrite() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send(GET.repeat(64));
            server.turn();
            assertThat(Answers.parse(client.takeText())).hasSize(64);
            assertThat(client.writes()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 257, 600, 2000})
    void answersAllRequestsOfAHalfClosedClient(int requests) {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            client.send(numbered(requests));
            client.end();
            server.run();
            assertNumbered(client.takeText(), requests);
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isZero();
        }
    }

    @Test
    void fastRequestsWaitForASlowOne() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    if (x.request().target().text().equals("/2")) {
                        held.add(x);
                    } else {
                        Answers.say(x, x.request().target().text());
                    }
                })) {
            MemoryPeer client = server.connect();
            client.send(numbered(5));
            server.run();
            assertNumbered(client.text(), 2);

            Answers.say(held.getFirst(), "/2");
            server.net().loop().execute(() -> {});
            server.run();
            assertNumbered(client.takeText(), 5);
        }
    }

    @Test
    void nextHandlerIsNotCalledWithinCallsOfThePrevious() {
        List<String> order = new ArrayList<>();
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    order.add("begin " + x.request().target().text());
                    if (held.isEmpty()) {
                        held.add(x);
                    } else {
                        Answers.say(x, "");
                    }
                })) {
            MemoryPeer client = server.connect();
            client.send(numbered(2));
            server.run();
            server.net()
                    .loop()
                    .execute(() -> {
                        Answers.say(held.getFirst(), "");
                        order.add("said /0");
                    });
            server.run();
            assertThat(order).containsExactly("begin /0", "said /0", "begin /1");
        }
    }

    @Test
    void stopsReadingAFloodWhoseAnswersAreNotRead() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(1000)))) {
            MemoryPeer client = server.connect();
            client.window(0);
            byte[] flood = Answers.bytes(GET.repeat(100_000));
            client.send(flood);
            server.run();
            int taken = flood.length - client.unread();
            assertThat(taken).isLessThan(200_000);
            assertThat(server.net().pool().lent()).isLessThan(30);

            client.window(Long.MAX_VALUE);
            for (int i = 0; i < 10_000 && client.unread() > 0; i++) {
                server.turn();
                client.clear();
            }
            server.run();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(100_000);
        }
    }

    /// Small answers that the client reads at once: the quota of requests per turn bounds the
    /// input.
    @Test
    void floodWhoseAnswersAreReadDoesNotGrowTheInput() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send(GET.repeat(50_000));
            long answered = 0;
            for (int i = 0; i < 10_000 && client.unread() > 0; i++) {
                int unread = client.unread();
                long before = server.count(Counter.REQUESTS);
                server.turn();
                client.clear();
                answered += server.count(Counter.REQUESTS) - before;
                long waiting = 50_000L * GET.length() - client.unread() - answered * GET.length();
                assertThat(waiting).as("bytes in the input").isLessThanOrEqualTo(2 * 65_536);
                assertThat(client.unread()).isLessThanOrEqualTo(unread);
            }
            server.run();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(50_000);
        }
    }

    @Test
    void requestsThatWaitForRoomDoNotTimeOut() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(10_000)))) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(GET.repeat(50));
            int seconds = 0;
            while (client.length() < 500_000 && seconds++ < 200) {
                server.pass(Duration.ofSeconds(1));
                client.window(5000);
            }
            client.window(Long.MAX_VALUE);
            server.run();
            assertThat(Answers.parse(client.takeText()))
                    .hasSize(50)
                    .allMatch(answer -> answer.status() == 200);
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isZero();
        }
    }

    /// Each answer takes longer than a head or an idle connection may.
    @Test
    void clientThatIsHeldBackIsNotIdle() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(100_000)))) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(GET.repeat(4));
            for (int seconds = 0; seconds < 400; seconds++) {
                server.pass(Duration.ofSeconds(1));
                client.window(1000);
            }
            client.window(Long.MAX_VALUE);
            server.run();
            assertThat(Answers.parse(client.takeText()))
                    .hasSize(4)
                    .allMatch(answer -> answer.status() == 200);
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isZero();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isZero();
        }
    }

    @Test
    void nothingAfterARefusedRequestIsAnswered() {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            client.send(numbered(2) + "GET / HTTP/1.1\r\nHost : a\r\n\r\n" + numbered(2));
            server.run();
            List<Answers.Answer> answers = Answers.parse(client.takeText());
            assertThat(answers).extracting(Answers.Answer::status).containsExactly(200, 200, 400);
            assertThat(answers.getLast().has("Connection: close")).isTrue();
            assertThat(server.log()).containsExactly("GET /0 200 2", "GET /1 200 2", "- 400");
            client.send(GET);
            server.run();
            assertThat(client.length()).isZero();
        }
    }

    private static String numbered(int requests) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            text.append("GET /").append(i).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
        }
        return text.toString();
    }

    private static void assertNumbered(String text, int requests) {
        List<Answers.Answer> answers = Answers.parse(text);
        assertThat(answers).hasSize(requests);
        for (int i = 0; i < requests; i++) {
            assertThat(answers.get(i).content()).isEqualTo("/" + i);
        }
    }
}
