package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.FakeClock;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The format `json`, and the phases of an exchange in it and in patterns.
final class JsonFormatTest {
    private static final String PHASES =
            "%{accept-time}x %{head-time}x %{queue-time}x %{handler-time}x %{write-time}x"
                    + " %{total-time}x";

    @TempDir private Path folder;

    private static void head(Exchange x) {
        x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 5));
    }

    private static void end(Exchange x) {
        x.response().write(Body.Bytes.of(new byte[5]));
        x.response().end(Fields.EMPTY);
    }

    private static void answer(Exchange x) {
        head(x);
        end(x);
    }

    @Test
    void writesAllThatIsKnown() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "json", JsonFormatTest::answer)) {
            String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
            String request =
                    "GET /a\"?b HTTP/1.1\r\nHost: a.example:80\r\nReferer: \"r\\\r\nUser-Agent: é\t\r\n"
                            + "traceparent: 00-"
                            + trace
                            + "-00f067aa0ba902b7-01\r\n\r\n";
            // A quote in a path is refused, so this one has none.
            String answer = server.ask(request.replace("/a\"", "/a"));
            assertThat(server.lines())
                    .containsExactly(
                            "{\"time\":\"2026-01-01T00:00:00.000000Z\",\"client\":\"127.0.0.1\","
                                    + "\"user\":null,\"method\":\"GET\",\"host\":\"a.example:80\","
                                    + "\"target\":\"/a?b\",\"version\":\"HTTP/1.1\",\"status\":200,"
                                    + "\"bytes\":5,\"received\":"
                                    + (request.length() - 1)
                                    + ",\"sent\":"
                                    + answer.length()
                                    + ",\"total_us\":0,\"accept_us\":0,\"head_us\":0,\"queue_us\":0,"
                                    + "\"handler_us\":0,\"write_us\":0,\"fault\":null,"
                                    + "\"upstream\":null,\"upstream_us\":null,\"trace\":\""
                                    + trace
                                    + "\",\"referrer\":\"\\\"r\\\\\",\"agent\":\"\\u00E9\"}");
        }
    }

    @Test
    void writesNullForWhatIsNotKnown() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "json", JsonFormatTest::answer)) {
            server.ask("GET / HT");
            server.server().pass(Duration.ofSeconds(11));
            assertThat(server.lines().getFirst())
                    .contains("\"method\":null,\"host\":null,\"target\":null,\"version\":null")
                    .contains("\"status\":408")
                    .contains("\"referrer\":null,\"agent\":null");
        }
    }

    @Test
    void namesTheReasonOfAnEarlyEnd() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%{fault}x", x -> x.onAbort(() -> {}))) {
            MemoryPeer client = server.client("192.0.2.1");
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            client.reset();
            server.server().run();
            assertThat(server.lines()).containsExactly("PEER_GONE");
        }
    }

    @Test
    void phasesAddUp() throws IOException {
        try (LoggedServer server =
                LoggedServer.of(
                        folder,
                        PHASES,
                        x -> x.run(ExecutorKind.BLOCKING, () -> JsonFormatTest::slowly))) {
            MemoryPeer client = server.client("192.0.2.1");
            server.server().pass(Duration.ofMillis(100)); // accepted
            client.send("GET / HT");
            server.server().run();
            server.server().pass(Duration.ofMillis(200)); // head
            client.send("TP/1.1\r\nHost: a\r\n\r\n");
            server.server().run();
            server.server().pass(Duration.ofMillis(400)); // waits for a thread
            server.server().work();
            server.server().pass(Duration.ofMillis(800)); // handler
            Writer.head.run();
            server.server().pass(Duration.ofMillis(1600)); // write
            Writer.end.run();
            server.server().run();
            assertThat(server.lines())
                    .containsExactly("100000 200000 400000 800000 1600000 3000000");
        }
    }

    private static void slowly(Exchange x) {
        x.onAbort(() -> {});
        Writer.head = () -> head(x);
        Writer.end = () -> end(x);
    }

    /// What the test lets the handler do later.
    private static final class Writer {
        static Runnable head = () -> {};
        static Runnable end = () -> {};
    }

    /// Returns the line of an exchange whose handler takes 3 ms to its head and 4 ms to its end, within
    /// one turn of the loop.
    private String lineOfOneTurn(String format) throws IOException {
        List<FakeClock> clock = new ArrayList<>();
        try (LoggedServer server =
                LoggedServer.of(
                        folder,
                        format,
                        x -> {
                            clock.getFirst().advance(Duration.ofMillis(3));
                            head(x);
                            clock.getFirst().advance(Duration.ofMillis(4));
                            end(x);
                        })) {
            clock.add(server.server().clock());
            return server.logged("GET / HTTP/1.1").getLast();
        }
    }

    @Test
    void phasesWithinATurnAreMeasured() throws IOException {
        assertThat(lineOfOneTurn("%{handler-time}x %{write-time}x %D")).isEqualTo("3000 4000 7000");
    }

    @Test
    void clockIsReadOnlyIfALogNeedsIt() throws IOException {
        String[] times = lineOfOneTurn("%{begin:usec}t %{end:usec}t").split(" ", -1);
        assertThat(times[1]).isEqualTo(times[0]);
    }

    @Test
    void laterRequestsOfAConnectionHaveNoAccept() throws IOException {
        String format = "%{accept-time}x %{head-time}x";
        try (LoggedServer server = LoggedServer.of(folder, format, JsonFormatTest::answer)) {
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            server.server().pass(Duration.ofSeconds(1));
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(server.lines()).containsExactly("0 0", "- 0");
        }
    }

    @Test
    void upstreamsAreNamedWithTheirTime() throws IOException {
        String format = "%{upstream}x %{upstream-time}x %{queue-time}x";
        List<EngineExchange> running = new ArrayList<>();
        try (LoggedServer server =
                LoggedServer.of(
                        folder,
                        format,
                        x -> {
                            x.onAbort(() -> {});
                            running.add(EngineExchange.of(x));
                        })) {
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            EngineExchange x = running.getFirst();
            x.notes().waits();
            server.server().pass(Duration.ofMillis(300));
            x.notes().waited();
            x.notes().asks("10.0.0.1:80");
            server.server().pass(Duration.ofMillis(100));
            x.notes().asks("10.0.0.2:80");
            server.server().pass(Duration.ofMillis(500));
            x.notes().leftUpstream();
            server.server().pass(Duration.ofMillis(700));
            answer(x);
            server.server().run();
            server.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            answer(running.getLast());
            server.server().run();
            assertThat(server.lines()).containsExactly("10.0.0.2:80 600000 300000", "- - 0");
        }
    }
}
