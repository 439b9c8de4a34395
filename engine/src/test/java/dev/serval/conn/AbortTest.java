package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.Connection;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Ends an exchange from either side in any state. Everything lent must be returned, and the
/// handler's abort callback must run once. The leak check at each server's end is half of this
/// test.
final class AbortTest {
    private static final List<String> SEEN = new ArrayList<>();
    private static final ResponseHead OPEN =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);

    /// A state of an exchange: the handler that brings it there, and the bytes to send.
    record State(String name, Handler handler, String request, boolean handlerAborts) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// A way to end the exchange.
    record End(String name, BiConsumer<MemoryServer, MemoryPeer> action) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> statesAndEnds() {
        String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n";
        List<State> states =
                List.of(
                        new State("nothing sent", x -> {}, "", false),
                        new State("half a head", x -> {}, "GET / HT", false),
                        new State("idle", Answers.greeting(), GET, false),
                        new State("held", AbortTest::watch, GET, true),
                        new State("held, one more after it", AbortTest::watch, GET + GET, true),
                        new State("waits for content", AbortTest::reading, post + "\r\n", true),
                        new State("half the content", AbortTest::reading, post + "\r\nabc", true),
                        new State(
                                "owes 100",
                                AbortTest::watch,
                                post + "Expect: 100-continue\r\n\r\n",
                                true),
                        new State("drops content", Answers.greeting(), post + "\r\nabc", false),
                        new State("head sent", AbortTest::started, GET, true),
                        new State("waits for room", AbortTest::writing, GET, true),
                        new State("ended, not yet sent", AbortTest::unsent, GET, false),
                        new State("at BLOCKING", AbortTest::blocking, GET, true),
                        new State("lingers", x -> {}, "GET / HTTP/1.1\r\n\r\nmore", false),
                        new State("tunnel", AbortTest::tunnel, GET, true));
        List<End> ends =
                List.of(
                        new End("client resets", (_, client) -> client.reset()),
                        new End("client ends", (_, client) -> client.end()),
                        new End(
                                "server drains",
                                (server, _) -> server.net().forEach(Connection::drain)),
                        new End(
                                "server aborts",
                                (server, _) -> server.net().forEach(Connection::abort)));
        return states.stream().flatMap(s -> ends.stream().map(e -> Arguments.of(s, e)));
    }

    @ParameterizedTest
    @MethodSource("statesAndEnds")
    void endsCleanly(State state, End end) {
        SEEN.clear();
        try (MemoryServer server = MemoryServer.of(state.handler)) {
            MemoryPeer client = server.connect();
            client.window(50_000);
            client.send(state.request);
            server.run();
            end.action.accept(server, client);
            server.run();
            boolean atOnce = end.name.equals("client resets") || end.name.equals("server aborts");
            if (atOnce) {
                assertThat(client.isClosed()).isTrue();
                assertThat(SEEN.contains("aborted")).isEqualTo(state.handlerAborts);
            }
            server.work();
        }
        assertThat(SEEN.stream().filter("aborted"::equals).count())
                .isLessThanOrEqualTo(1)
                .isGreaterThanOrEqualTo(state.handlerAborts ? 1 : 0);
        assertThat(SEEN.stream().filter("lent"::equals).count())
                .isEqualTo(SEEN.stream().filter("free"::equals).count());
    }

    private static void watch(Exchange x) {
        x.onAbort(() -> SEEN.add("aborted"));
    }

    private static void reading(Exchange x) {
        watch(x);
        Answers.counting(SEEN).handle(x);
    }

    /// The system may still hold bytes of earlier answers, which a reset would drop.
    @Test
    void exchangeThatEndsWithItsClientIsClosedWithoutAReset() {
        Handler waits =
                x -> {
                    EngineExchange.of(x).endsWithClient();
                    x.onAbort(() -> SEEN.add("gone"));
                };
        SEEN.clear();
        try (MemoryServer server = MemoryServer.of(waits)) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            client.end();
            server.run();
            assertThat(SEEN).containsExactly("gone");
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
            assertThat(server.count(Counter.PEERS_GONE)).isEqualTo(1);
        }
    }

    private static void started(Exchange x) {
        watch(x);
        x.response().head(OPEN);
        x.response().write(lent(10));
    }

    private static void writing(Exchange x) {
        started(x);
        x.response().write(lent(200_000));
        x.response().write(lent(100));
        x.response().onWritable(() -> SEEN.add("writable"));
    }

    private static void unsent(Exchange x) {
        watch(x);
        x.response().send(new ResponseHead(Status.OK, Fields.EMPTY, 200_000), lent(200_000));
    }

    private static void blocking(Exchange x) {
        watch(x);
        x.run(ExecutorKind.BLOCKING, () -> _ -> SEEN.add("went on"));
    }

    private static void tunnel(Exchange x) {
        watch(x);
        var duplex =
                x.upgrade(
                        new ResponseHead(
                                Status.SWITCHING_PROTOCOLS,
                                new Fields().add("Upgrade", "x"),
                                ResponseHead.UNKNOWN_LENGTH));
        duplex.write(lent(200_000));
        duplex.onReadable(() -> SEEN.add("readable"));
    }

    private static Body lent(int bytes) {
        SEEN.add("lent");
        return new Body.Bytes(ByteBuffer.allocate(bytes), () -> SEEN.add("free"));
    }
}
