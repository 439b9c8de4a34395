package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.conn.MemoryServer;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.ErrorDocument;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.handler.RequestCount;
import dev.serval.handler.Source;
import dev.serval.http.FieldChanges;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.route.RouteTable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Checks what the settings of a mount do to its exchanges.
final class MountSettingsTest {
    private static final Handler LATE =
            x -> x.run(ExecutorKind.BLOCKING, () -> same -> Rules.text(same, "late"));

    /// Answers with the number of bytes of the content, or not at all.
    private static final Handler COUNTS = x -> count(EngineExchange.of(x), 0);

    private static void count(EngineExchange x, long before) {
        long sum = before;
        ByteBuffer room = ByteBuffer.allocate(16);
        int n = x.content().read(room);
        while (n > 0) {
            sum += n;
            room.clear();
            n = x.content().read(room);
        }
        if (n == Source.END) {
            Rules.text(x, "bytes: " + sum);
        } else if (n == 0) {
            long soFar = sum;
            x.content().onReadable(() -> count(x, soFar));
        }
    }

    private static MountSettings limit(long bytes) {
        return MountSettings.NONE.with(draft -> draft.contentMaxBytes = bytes);
    }

    @Test
    void limitsContentOfKnownLength() {
        try (MemoryServer server = Rules.with(limit(10), COUNTS)) {
            assertThat(post(server, "Content-Length: 10\r\n\r\n0123456789")).endsWith("bytes: 10");
            assertThat(post(server, "Content-Length: 11\r\n\r\n01234567890"))
                    .startsWith("HTTP/1.1 413 ");
            assertThat(post(server, "Content-Length: 11\r\nExpect: 100-continue\r\n\r\n"))
                    .startsWith("HTTP/1.1 413 ");
        }
    }

    /// A mount may allow more or less than its listener; the others have the limit of that.
    @Test
    void hasItsOwnLimitOfContentInPlaceOfThatOfTheListener() {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.content.maxBytes = 10;
                    draft.content.mountMaxBytes = 20;
                });
        RouteTable.Builder table =
                RouteTable.builder()
                        .mount(RouteTable.DEFAULT_HOST, "/large", limit(20), COUNTS)
                        .mount(RouteTable.DEFAULT_HOST, "/larger", limit(30), COUNTS)
                        .mount(RouteTable.DEFAULT_HOST, "/small", limit(5), COUNTS)
                        .mount("/plain", COUNTS)
                        .mount("/blind", x -> Rules.text(x, "unread"));
        try (MemoryServer server = Rules.of(table, limits)) {
            for (boolean chunked : new boolean[] {false, true}) {
                assertThat(sent(server, "/large", 20, chunked)).endsWith("bytes: 20");
                assertThat(sent(server, "/large", 21, chunked)).startsWith("HTTP/1.1 413 ");
                assertThat(sent(server, "/larger", 20, chunked)).endsWith("bytes: 20");
                assertThat(sent(server, "/larger", 21, chunked)).startsWith("HTTP/1.1 413 ");
                assertThat(sent(server, "/small", 5, chunked)).endsWith("bytes: 5");
                assertThat(sent(server, "/small", 6, chunked)).startsWith("HTTP/1.1 413 ");
                assertThat(sent(server, "/plain", 10, chunked)).endsWith("bytes: 10");
                assertThat(sent(server, "/plain", 11, chunked)).startsWith("HTTP/1.1 413 ");
            }
            assertThat(sent(server, "/blind", 11, false)).startsWith("HTTP/1.1 413 ");
        }
        try (MemoryServer server = MemoryServer.of(COUNTS, limits)) {
            assertThat(sent(server, "/", 10, false)).as("no route").endsWith("bytes: 10");
            assertThat(sent(server, "/", 11, false)).startsWith("HTTP/1.1 413 ");
        }
    }

    private static String sent(MemoryServer server, String path, int bytes, boolean chunked) {
        String content = "x".repeat(bytes);
        String framed =
                chunked
                        ? "Transfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(bytes)
                                + "\r\n"
                                + content
                                + "\r\n0\r\n\r\n"
                        : "Content-Length: " + bytes + "\r\n\r\n" + content;
        return server.ask(server.connect(), "POST " + path + " HTTP/1.1\r\nHost: h\r\n" + framed);
    }

    /// The page of an error has no content, so no limit of content is past there.
    @Test
    void pageOfAnErrorIsNotRefusedForTheContentOfItsRequest() {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.content.maxBytes = 10;
                    draft.content.mountMaxBytes = 20;
                });
        MountSettings large =
                limit(20)
                        .with(draft ->
                                draft.errors = Map.of(404, new ErrorDocument.Internal("/page")));
        RouteTable.Builder table =
                RouteTable.builder()
                        .mount(RouteTable.DEFAULT_HOST, "/large", large, x -> x.pass())
                        .mount("/page", Rules.says("page"));
        try (MemoryServer server = Rules.of(table, limits)) {
            assertThat(sent(server, "/large", 20, false))
                    .startsWith("HTTP/1.1 404 ")
                    .contains("page");
        }
    }

    @Test
    void limitsChunkedContent() {
        try (MemoryServer server = Rules.with(limit(10), COUNTS)) {
            String chunked = "Transfer-Encoding: chunked\r\n\r\n";
            assertThat(post(server, chunked + "a\r\n0123456789\r\n0\r\n\r\n"))
                    .endsWith("bytes: 10");
            MemoryPeer client = server.connect();
            String head = "POST / HTTP/1.1\r\nHost: h\r\n" + chunked;
            assertThat(server.ask(client, head + "8\r\n01234567\r\n")).isEmpty();
            assertThat(server.ask(client, "3\r\n012\r\n"))
                    .startsWith("HTTP/1.1 413 ")
                    .contains("\r\nConnection: close\r\n");
            assertThat(server.ask(client, "0\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n")).isEmpty();
        }
    }

    @Test
    void limitsTheTimeOfARequest() {
        MountSettings short2 =
                MountSettings.NONE.with(draft -> draft.exchangeNanos = 2_000_000_000L);
        try (MemoryServer server = Rules.with(short2, LATE)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n")).isEmpty();
            server.pass(Duration.ofMillis(1_900));
            assertThat(client.takeText()).isEmpty();
            server.pass(Duration.ofMillis(200));
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ");
            assertThat(server.count(Counter.EXCHANGE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void hasItsOwnMinimumRate() {
        MountSettings fast = MountSettings.NONE.with(draft -> draft.minBytesPerSecond = 10_000);
        for (boolean own : new boolean[] {true, false}) {
            try (MemoryServer server = own ? Rules.with(fast, COUNTS) : Rules.at("/", COUNTS)) {
                MemoryPeer client = server.connect();
                server.ask(client, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999\r\n\r\n");
                for (int second = 0; second < 9; second++) {
                    client.send("x".repeat(1_000));
                    server.pass(Duration.ofSeconds(1));
                }
                assertThat(client.takeText().startsWith("HTTP/1.1 408 ")).isEqualTo(own);
                assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(own ? 1 : 0);
            }
        }
    }

    @Test
    void limitsTheRequestsInProgress() {
        RequestCount count = new RequestCount(2);
        MountSettings two = MountSettings.NONE.with(draft -> draft.requests = count);
        RouteTable.Builder table =
                RouteTable.builder()
                        .mount(RouteTable.DEFAULT_HOST, "/", two, LATE)
                        .mount("/other", Rules.says("other"));
        try (MemoryServer server = Rules.of(table)) {
            MemoryPeer first = server.connect();
            MemoryPeer second = server.connect();
            first.send("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n");
            second.send("GET /2 HTTP/1.1\r\nHost: h\r\n\r\n");
            server.run();
            assertThat(count.running()).isEqualTo(2);
            assertThat(Rules.answer(server, "GET /3"))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("\r\nRetry-After: 1\r\n");
            assertThat(server.count(Counter.REQUESTS_REFUSED_LIMIT)).isEqualTo(1);
            assertThat(Rules.status(server, "GET /other")).isEqualTo("200");

            second.reset();
            server.run();
            assertThat(count.running()).as("its task still runs").isEqualTo(2);
            server.work();

            assertThat(first.takeText()).endsWith("late");
            assertThat(count.running()).isZero();
        }
    }

    @Test
    void changesTheFieldsOfAnswersAndIfAskedOfErrors() {
        FieldChanges changes =
                new FieldChanges(
                        List.of(
                                FieldChanges.Change.set("X-Own", "a"),
                                FieldChanges.Change.set("X-Always", "b").toAll()));
        MountSettings settings = MountSettings.NONE.with(draft -> draft.fields = changes);
        Handler adds =
                x -> {
                    EngineExchange.of(x)
                            .addFields(Fields.of(FieldName.VARY, "Cookie").add("X-Own", "handler"));
                    x.pass();
                };
        try (MemoryServer server = Rules.with(settings, adds, says200At("/a"))) {
            assertThat(Rules.answer(server, "GET /a"))
                    .contains("\r\nX-Own: a\r\n", "\r\nX-Always: b\r\n", "\r\nVary: Cookie\r\n")
                    .doesNotContain("X-Own: handler");
            assertThat(Rules.answer(server, "GET /none"))
                    .startsWith("HTTP/1.1 404 ")
                    .contains("\r\nX-Always: b\r\n")
                    .doesNotContain("X-Own: a");
        }
    }

    private static Handler says200At(String path) {
        return x -> {
            if (x.request().target().path().text().equals(path)) {
                Rules.text(x, "ok");
            } else {
                x.pass();
            }
        };
    }

    @Test
    void refusesNegativeNumbers() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> limit(-1))
                .withMessage("contentMaxBytes of a mount must be 0 or more, but is -1");
        assertThatIllegalArgumentException().isThrownBy(() -> new RequestCount(0));
    }

    private static String post(MemoryServer server, String rest) {
        return server.ask(server.connect(), "POST / HTTP/1.1\r\nHost: h\r\n" + rest);
    }
}
