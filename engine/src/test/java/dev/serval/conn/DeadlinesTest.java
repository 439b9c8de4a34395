package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that every wait for the client has a deadline, and that other waits do not count against
/// it.
final class DeadlinesTest {
    private final List<String> seen = new ArrayList<>();

    @Test
    void silentConnectionIsClosed() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.pass(Duration.ofMillis(9_900));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofMillis(200));
            assertThat(client.isClosed()).isTrue();
            assertThat(client.length()).isZero();
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1000, 9_000})
    void drippingHeadTimesOut(int everyMillis) {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send(HEAD_WITHOUT_END);
            drip(server, client, everyMillis, 9_900);
            assertThat(client.length()).isZero();
            drip(server, client, everyMillis, 300);
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ").contains("Connection: close");
            assertThat(client.sawEnd()).isTrue();
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void firstHeadIsTimedFromTheAccept() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.pass(Duration.ofSeconds(9));
            client.send(HEAD_WITHOUT_END);
            server.pass(Duration.ofMillis(900));
            assertThat(client.length()).isZero();
            server.pass(Duration.ofMillis(200));
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 9_000})
    void secondHeadIsTimedFromItsFirstByte(int everyMillis) {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            server.pass(Duration.ofSeconds(30)); // idle time does not count
            client.send(HEAD_WITHOUT_END);
            drip(server, client, everyMillis, 9_900);
            assertThat(client.length()).isZero();
            drip(server, client, everyMillis, 300);
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void headThatArrivesInTimeIsServed() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            for (int i = 0; i < GET.length(); i++) {
                client.send(GET.substring(i, i + 1));
                server.pass(Duration.ofMillis(300));
            }
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
        }
    }

    private static final String HEAD_WITHOUT_END = "GET / HTTP/1.1\r\nHost: a\r\nX: ";

    /// Sends one byte of an endless head every `everyMillis` milliseconds.
    private static void drip(MemoryServer server, MemoryPeer client, int everyMillis, int millis) {
        for (int passed = 0; passed < millis; passed += everyMillis) {
            server.pass(Duration.ofMillis(Math.min(everyMillis, millis - passed)));
            if (!client.isClosed() && client.length() == 0) {
                client.send("x");
            }
        }
    }

    @Test
    void missingContentTimesOutAfterItsGrace() {
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
            MemoryPeer client = server.connect();
            server.ask(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n");
            server.pass(Duration.ofMillis(4_900));
            assertThat(client.length()).isZero();
            server.pass(Duration.ofMillis(1_200));
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ").contains("Connection: close");
            assertThat(seen).containsExactly("FAILED 0");
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @Test
    void missingContentThatNoHandlerReadsEndsTheConnection() {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            String post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n";
            assertThat(server.ask(client, post)).startsWith("HTTP/1.1 200 ");
            server.pass(Duration.ofMillis(4_900));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofMillis(1_200));
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
        }
    }

    @Test
    void contentAtTheMinimumRateIsRead() {
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
            MemoryPeer client = server.connect();
            server.ask(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 24000\r\n\r\n");
            for (int second = 0; second < 100; second++) {
                client.send(new byte[240]);
                server.pass(Duration.ofSeconds(1));
            }
            assertThat(client.takeText()).endsWith("24000 bytes");
        }
    }

    @Test
    void contentBelowTheMinimumRateTimesOut() {
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
            MemoryPeer client = server.connect();
            server.ask(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 24000\r\n\r\n");
            int second = 0;
            while (client.length() == 0 && second < 100) {
                client.send(new byte[120]);
                server.pass(Duration.ofSeconds(1));
                second++;
            }
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ");
            assertThat(second).isBetween(9, 13); // 120 t < 240 (t - 5) from t = 10 on
        }
    }

    @Test
    void timeWithoutAReadDoesNotCount() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = MemoryServer.of(x -> hold(x, held))) {
            MemoryPeer client = server.connect();
            server.ask(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n");
            server.pass(Duration.ofMinutes(10));
            assertThat(client.isClosed()).isFalse();
            assertThat(client.length()).isZero();

            Answers.counting(seen).handle(held.getFirst());
            server.pass(Duration.ofSeconds(3));
            client.send("abc");
            server.run();
            assertThat(client.takeText()).endsWith("3 bytes");
        }
    }

    @Test
    void readerBelowTheMinimumRateIsDropped() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(1 << 20)))) {
            MemoryPeer client = server.connect();
            client.window(100);
            client.send(GET);
            server.run();
            int second = 0;
            while (!client.isClosed() && second < 100) {
                server.pass(Duration.ofSeconds(1));
                client.window(100);
                second++;
            }
            assertThat(second).isBetween(8, 12);
            assertThat(client.sawReset()).isTrue();
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    @Test
    void fastResponseGivesNoCreditForTheNext() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(1 << 20)))) {
            MemoryPeer client = server.connect();
            client.window(500_000); // less than the response, so that its pace is counted
            client.send(GET);
            server.run();
            client.window(Long.MAX_VALUE);
            server.run();
            assertThat(client.takeText().length()).isGreaterThan(1 << 20);
            client.window(0);
            server.ask(client, GET);
            int second = 0;
            while (!client.isClosed() && second < 100) {
                server.pass(Duration.ofSeconds(1));
                client.window(100);
                second++;
            }
            assertThat(second).isBetween(5, 12);
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    @Test
    void readerAtTheMinimumRateIsServed() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(50_000)))) {
            MemoryPeer client = server.connect();
            client.window(300);
            client.send(GET);
            server.run();
            for (int second = 0; second < 180; second++) {
                server.pass(Duration.ofSeconds(1));
                client.window(300);
            }
            server.run();
            assertThat(client.takeText()).endsWith("x".repeat(50_000));
            assertThat(client.isClosed()).isFalse();
        }
    }

    @Test
    void readerThatStallsIsDropped() {
        try (MemoryServer server = MemoryServer.of(x -> Answers.say(x, "x".repeat(1 << 20)))) {
            MemoryPeer client = server.connect();
            client.window(500_000); // as a kernel's buffer does
            client.send(GET);
            server.pass(Duration.ofSeconds(29));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofSeconds(2));
            assertThat(client.sawReset()).isTrue();
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    /// As with server-sent events: a response that sends rarely is not closed while the client
    /// reads it.
    @Test
    void responseWithNothingToSendIsNotSlow() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = MemoryServer.of(x -> hold(x, held))) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            Exchange x = held.getFirst();
            x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, -1));
            for (int i = 0; i < 10; i++) {
                x.response().write(new Body.Bytes(ByteBuffer.wrap(new byte[] {'.'}), null));
                server.pass(Duration.ofMinutes(5));
            }
            x.response().end(Fields.EMPTY);
            server.run();
            assertThat(Answers.parse(client.takeText()).getFirst().content())
                    .isEqualTo("..........");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void exchangeAfterItsDeadlineIsAborted(boolean headSent) {
        long limit = Duration.ofSeconds(20).toNanos();
        Limits limits = Limits.DEFAULT.with(draft -> draft.pace.exchangeNanos = limit);
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(
                        x -> {
                            assertThat(x.deadlineNanos())
                                    .isEqualTo(EngineExchange.of(x).nowNanos() + limit);
                            x.onAbort(() -> seen.add("aborted"));
                            if (headSent) {
                                x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 10));
                            }
                            held.add(x);
                        },
                        limits)) {
            MemoryPeer client = server.connect();
            server.ask(client, GET + GET);
            client.clear();
            server.pass(Duration.ofMillis(19_900));
            assertThat(seen).isEmpty();
            server.pass(Duration.ofMillis(300));
            assertThat(seen).containsExactly("aborted");
            assertThat(server.count(Counter.EXCHANGE_TIMEOUTS)).isEqualTo(1);
            if (headSent) {
                assertThat(client.sawReset()).isTrue();
            } else {
                assertThat(client.takeText())
                        .startsWith("HTTP/1.1 503 ")
                        .contains("\r\nRetry-After: 1\r\n", "\r\nConnection: close\r\n");
            }
            // The handler that held the exchange answers late, but that must not answer another
            // request.
            held.getFirst()
                    .response()
                    .send(new ResponseHead(Status.OK, Fields.EMPTY, 0), Body.Empty.EMPTY);
            server.pass(Duration.ofMinutes(2));
            assertThat(client.length()).isZero();
            assertThat(held).hasSize(1);
            assertThat(server.count(Counter.EXCHANGE_TIMEOUTS)).isEqualTo(1);
        }
    }

    /// Each wait is timed from its own start, even if the previous wait was long.
    @Test
    void exchangeIsTimedFromTheEndOfItsHead() {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.exchangeNanos = Duration.ofSeconds(5).toNanos());
        try (MemoryServer server = MemoryServer.of(x -> hold(x, new ArrayList<>()), limits)) {
            MemoryPeer client = server.connect();
            client.send("GET / HT");
            server.pass(Duration.ofSeconds(4));
            client.send("TP/1.1\r\nHost: a\r\n\r\n");
            server.run();
            server.pass(Duration.ofMillis(4_900));
            assertThat(seen).isEmpty();
            server.pass(Duration.ofMillis(200));
            assertThat(seen).containsExactly("aborted");
        }
    }

    @Test
    void connectionIsIdleFromTheEndOfItsExchange() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = MemoryServer.of(x -> hold(x, held))) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            server.pass(Duration.ofSeconds(60));
            Answers.say(held.getFirst(), "late");
            server.run();
            server.pass(Duration.ofMillis(74_900));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofMillis(200));
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void lingerIsTimedFromTheAnswer() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send("GET / HT");
            server.pass(Duration.ofSeconds(4));
            client.send("TP/9.1\r\n\r\n");
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 505 ");
            server.pass(Duration.ofMillis(1_900));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofMillis(200));
            assertThat(client.isClosed()).isTrue();
        }
    }

    private void hold(Exchange x, List<Exchange> held) {
        x.onAbort(() -> seen.add("aborted"));
        held.add(x);
    }

    @Test
    void faultsHaveAnAnswer() {
        for (Fault why : Fault.values()) {
            try (MemoryServer server = MemoryServer.of(x -> x.response().abort(why))) {
                MemoryPeer client = server.connect();
                String answer = server.ask(client, GET);
                int status = Answers.parse(answer).getFirst().status();
                assertThat(status).as(why.name()).isIn(400, 408, 413, 500, 503);
                assertThat(answer.contains("Retry-After")).isEqualTo(status == 503);
            }
        }
    }
}
