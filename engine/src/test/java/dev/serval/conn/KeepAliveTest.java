package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.Deadline;
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

/// Checks how long a connection stays open (RFC 9112 §9.3, §9.6).
final class KeepAliveTest {
    @Test
    void servesRequestAfterRequest() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            for (int i = 0; i < 3; i++) {
                assertThat(server.ask(client, GET))
                        .isEqualTo(
                                """
                                HTTP/1.1 200 OK\r
                                Content-Length: 5\r
                                Date: Thu, 01 Jan 2026 00:00:00 GMT\r
                                \r
                                hello\
                                """);
            }
            assertThat(client.isClosed()).isFalse();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(3);
            assertThat(server.count(Counter.RESPONSES_2XX)).isEqualTo(3);
            assertThat(server.log()).hasSize(3).containsOnly("GET / 200 5");
        }
    }

    @Test
    void writesTheDateOfTheSecond() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.pass(Duration.ofMillis(900));
            assertThat(server.ask(client, GET)).contains("\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT");
            server.pass(Duration.ofMillis(100));
            assertThat(server.ask(client, GET)).contains("\r\nDate: Thu, 01 Jan 2026 00:00:01 GMT");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, , true, ''",
        "HTTP/1.1, keep-alive, true, ''",
        "HTTP/1.1, close, false, 'Connection: close'",
        "HTTP/1.1, 'foo, Close', false, 'Connection: close'",
        "HTTP/1.0, , false, 'Connection: close'",
        "HTTP/1.0, keep-alive, true, 'Connection: keep-alive'",
        "HTTP/1.0, 'keep-alive, close', false, 'Connection: close'"
    })
    void keepsAliveOnlyIfBothAgree(String version, String option, boolean lives, String sent) {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            String field = option == null ? "" : "Connection: " + option + "\r\n";
            String answer =
                    server.ask(client, "GET / " + version + "\r\nHost: a\r\n" + field + "\r\n");
            assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nhello");
            assertThat(client.isClosed()).isEqualTo(!lives);
            assertThat(client.sawReset()).isFalse();
            if (sent.isEmpty()) {
                assertThat(answer).doesNotContain("Connection:");
            } else {
                assertThat(answer).contains("\r\n" + sent + "\r\n");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"close, true", "'foo, Close', true", "keep-alive, false", "closed, false"})
    void closesIfTheHandlerSaysSo(String option, boolean closes) {
        Handler handler =
                x ->
                        x.response()
                                .send(
                                        new ResponseHead(
                                                Status.OK,
                                                Fields.of(FieldName.CONNECTION, option),
                                                0),
                                        Body.Empty.EMPTY);
        try (MemoryServer server = MemoryServer.of(handler)) {
            MemoryPeer client = server.connect();
            List<Answers.Answer> answers = Answers.parse(server.ask(client, GET));
            assertThat(client.sawEnd()).isEqualTo(closes);
            assertThat(answers.getFirst().fields())
                    .filteredOn(field -> field.name().equals("Connection"))
                    .hasSize(1);
        }
    }

    @Test
    void closesAfterTheLimitOfRequests() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.requestsPerConnectionMax = 3);
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), limits)) {
            MemoryPeer client = server.connect();
            client.send(GET.repeat(5));
            server.run();
            List<Answers.Answer> answers = Answers.parse(client.takeText());
            assertThat(answers).hasSize(3);
            assertThat(answers.get(1).has("Connection: close")).isFalse();
            assertThat(answers.get(2).has("Connection: close")).isTrue();
        }
    }

    /// The client cannot know that this request is the last, so it may have sent the next one
    /// already.
    @Test
    void clientCanReadTheLastAnswerWhileItSends() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.requestsPerConnectionMax = 1);
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), limits)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).contains("Connection: close");
            assertThat(client.sawEnd()).isTrue();
            client.send(GET);
            server.run();
            assertThat(client.sawReset()).isFalse();
            client.end();
            server.run();
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
        }
    }

    @Test
    void closesIdleConnections() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            server.pass(Duration.ofMillis(74_900));
            server.ask(client, GET);
            server.pass(Duration.ofMillis(74_900));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofMillis(300));
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void sendingConnectionIsNotIdle() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(100_000)))) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(GET);
            for (int i = 0; i < 100; i++) {
                server.pass(Duration.ofSeconds(1));
                client.window(1000);
            }
            server.run();
            assertThat(client.isClosed()).isFalse();
            assertThat(client.length()).isGreaterThanOrEqualTo(99_000);
            client.window(Long.MAX_VALUE);
            server.run();
            server.pass(Duration.ofSeconds(74));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofSeconds(2));
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void halfClosedClientIsAnsweredThenClosed() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send(GET.repeat(3));
            client.end();
            server.run();
            assertThat(Answers.parse(client.takeText())).hasSize(3);
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
        }
    }

    /// Some clients send a line end after the content of a request (RFC 9112 §2.2). Such a client is idle.
    @Test
    void lineEndAfterContentBeginsNoRequest() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).endsWith("hello");
            client.send("\r\n");
            server.pass(Duration.ofSeconds(30));
            assertThat(client.isClosed()).isFalse();
            assertThat(server.net().loop().timers().untilNext(server.now()))
                    .as("the time to the next look at the connection")
                    .isGreaterThan(1_000_000_000L);
            client.send(GET.substring(0, 5));
            server.pass(Duration.ofSeconds(9));
            assertThat(server.ask(client, GET.substring(5))).endsWith("hello");
            client.send("\r\n");
            server.pass(Duration.ofSeconds(74));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofSeconds(2));
            assertThat(client.takeText()).isEmpty();
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isZero();
        }
    }

    /// The first request of a connection has its time from the start, whatever precedes it.
    @Test
    void lineEndBeforeTheFirstRequestPutsNothingOff() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send("\r\n");
            server.pass(Duration.ofSeconds(11));
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ");
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    /// Some clients send a line end after the content of a request (RFC 9112 §2.2).
    @ParameterizedTest
    @CsvSource({"'\r\n', ''", "'\r', 400", "'\r\nG', 400", "'G', 400"})
    void lineEndBeforeTheEndIsNoRequest(String bytes, String status) {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            client.send(bytes);
            client.end();
            server.run();
            String answer = client.takeText();
            assertThat(answer.isEmpty() ? "" : answer.substring(9, 12)).isEqualTo(status);
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isEqualTo(status.isEmpty() ? 0 : 1);
        }
    }

    @Test
    void drainClosesIdleConnectionsAndFinishesRequests() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    if (x.request().target().text().equals("/slow")) {
                        x.onAbort(() -> {});
                        held.add(x);
                    } else {
                        Answers.say(x, "fast");
                    }
                })) {
            MemoryPeer idle = server.connect();
            server.ask(idle, GET);
            MemoryPeer busy = server.connect();
            server.ask(busy, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            MemoryPeer fresh = server.connect();

            MemoryPeer late = server.connect();
            server.ask(late, GET);

            server.drain();
            assertThat(server.ask(late, GET)).contains("\r\nConnection: close\r\n");
            assertThat(server.ask(fresh, GET)).contains("\r\nConnection: close\r\n");
            assertThat(idle.isClosed()).isFalse();
            server.pass(Duration.ofSeconds(1));
            assertThat(idle.isClosed()).isTrue();
            assertThat(busy.isClosed()).isFalse();

            Answers.say(held.getFirst(), "slow");
            server.run();
            assertThat(busy.takeText()).contains("\r\nConnection: close\r\n").endsWith("slow");
            busy.end();
            server.run();
            assertThat(busy.isClosed()).isTrue();
            assertThat(busy.sawReset()).isFalse();
        }
    }

    @Test
    void drainAcceptsALastRequestInTime() {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.lastRequestNanos = Duration.ofSeconds(3).toNanos());
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), limits)) {
            MemoryPeer asks = server.connect();
            server.ask(asks, GET);
            MemoryPeer idle = server.connect();
            server.ask(idle, GET);
            idle.send("\r\n"); // begins no request
            server.pass(Duration.ofSeconds(2));
            server.drain();
            server.pass(Duration.ofMillis(2_900));
            assertThat(idle.isClosed()).isFalse();
            assertThat(server.ask(asks, GET)).contains("\r\nConnection: close\r\n");
            server.pass(Duration.ofMillis(300));
            assertThat(idle.isClosed()).isTrue();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isZero();
        }
    }

    /// A request that arrives after the loop has looked for input, and before its time is over.
    @ParameterizedTest
    @ValueSource(strings = {"idle", "draining", "new"})
    void requestThatComesJustInTimeIsServed(String state) {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            if (state.equals("new")) {
                server.run();
            } else {
                server.ask(client, GET);
                client.clear();
            }
            Limits.Paces pace = Limits.DEFAULT.pace();
            long wait =
                    switch (state) {
                        case "idle" -> pace.idleNanos();
                        case "new" -> pace.headNanos();
                        default -> pace.lastRequestNanos();
                    };
            if (state.equals("draining")) {
                server.drain();
            }
            server.pass(Duration.ofNanos(wait).minusMillis(100));
            Deadline late = new Deadline(() -> client.send(GET));
            server.net().loop().timers().set(late, server.now() + 50_000_000);
            server.advance(150_000_000);
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("hello");
            assertThat(client.sawReset()).isFalse();
        }
    }

    /// Its last bytes come after the loop has looked for input. Otherwise one byte each time would prolong
    /// the wait for ever.
    @Test
    void headThatGrowsJustInTimeIsLate() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, GET.substring(0, 10));
            server.pass(Duration.ofNanos(Limits.DEFAULT.pace().headNanos()).minusMillis(100));
            Deadline late = new Deadline(() -> client.send(GET.substring(10)));
            server.net().loop().timers().set(late, server.now() + 50_000_000);
            server.advance(150_000_000);
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ");
        }
    }

    /// A request that arrives in the turn that closes its connection is lost. So few may be closed in one.
    @Test
    void drainDoesNotCloseAllIdleConnectionsInOneTurn() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            List<MemoryPeer> idle = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                MemoryPeer client = server.connect();
                server.ask(client, GET);
                idle.add(client);
            }
            server.drain();
            server.run();
            long closed = 0;
            for (int tenth = 0; tenth < 12; tenth++) {
                server.pass(Duration.ofMillis(100));
                long now = idle.stream().filter(MemoryPeer::isClosed).count();
                assertThat(now - closed).isLessThan(60);
                closed = now;
            }
            assertThat(closed).isEqualTo(200);
        }
    }
}
