package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.file.CacheRule;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.ErrorDocument;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.handler.RequestCount;
import dev.serval.handler.RequestRate;
import dev.serval.http.FieldChanges;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.route.RouteTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ErrorDocumentTest {
    private static final ErrorDocument PAGE =
            new ErrorDocument.Page("text/html", "own page".getBytes(StandardCharsets.US_ASCII));

    private static final Handler REFUSES =
            Handler.ofEveryMethod(x ->
                    x.refuse(
                            Status.METHOD_NOT_ALLOWED,
                            Fields.of(FieldName.ALLOW, "GET"),
                            "secret"));

    private static MountSettings errors(Map<Integer, ErrorDocument> documents) {
        return MountSettings.NONE.with(draft -> draft.errors = documents);
    }

    private static RouteTable.Builder site(Map<Integer, ErrorDocument> documents, Handler... all) {
        return RouteTable.builder().mount(RouteTable.DEFAULT_HOST, "/", errors(documents), all);
    }

    @Test
    void sendsThePageWithStatusAndFieldsOfTheError() {
        try (MemoryServer server = Rules.of(site(Map.of(405, PAGE), REFUSES))) {
            assertThat(Rules.answer(server, "GET /a"))
                    .startsWith("HTTP/1.1 405 ")
                    .contains(
                            "\r\nAllow: GET\r\n",
                            "\r\nContent-Type: text/html\r\n",
                            "\r\nContent-Length: 8\r\n")
                    .endsWith("\r\n\r\nown page");
            assertThat(Rules.answer(server, "HEAD /a")).endsWith("\r\n\r\n");
        }
    }

    @Test
    void sendsThePageAlsoIfTheServerEndsTheExchange() {
        Handler late = x -> x.run(ExecutorKind.BLOCKING, () -> same -> Rules.text(same, "late"));
        MountSettings settings =
                errors(Map.of(503, PAGE)).with(draft -> draft.exchangeNanos = 1_000_000_000L);
        try (MemoryServer server = Rules.with(settings, late)) {
            MemoryPeer client = server.connect();
            server.ask(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            server.pass(Duration.ofSeconds(2));
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ").endsWith("own page");
        }
    }

    @Test
    void routesErrorsToAPath() {
        Handler page =
                x -> {
                    assertThat(x.request().contentLength()).isZero();
                    assertThat(x.request().fields().contains(FieldName.IF_NONE_MATCH)).isFalse();
                    assertThat(x.request().fields().contains(FieldName.RANGE)).isFalse();
                    assertThat(x.content().read(ByteBuffer.allocate(9))).isEqualTo(-1);
                    Rules.text(
                            x,
                            x.request().method()
                                    + " "
                                    + x.request().target().text()
                                    + " of "
                                    + x.request().received().target().text());
                };
        RouteTable.Builder table =
                site(Map.of(405, new ErrorDocument.Internal("/errors/ 405")), REFUSES)
                        .mount("/errors", page);
        try (MemoryServer server = Rules.of(table)) {
            assertThat(
                            Rules.answer(
                                    server,
                                    "POST /a?b",
                                    "If-None-Match: *",
                                    "Range: bytes=0-1",
                                    "Content-Length: 0"))
                    .startsWith("HTTP/1.1 405 ")
                    .contains("\r\nAllow: GET\r\n")
                    .endsWith("GET /errors/%20405 of /a?b");
            assertThat(server.log().getLast()).startsWith("POST /a?b 405 ");
            MemoryPeer client = server.connect();
            assertThat(
                            server.ask(
                                    client,
                                    "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
                                            + "GET /errors/x HTTP/1.1\r\nHost: h\r\n\r\n"))
                    .contains("GET /errors/%20405 of /a")
                    .contains("HTTP/1.1 200 ")
                    .endsWith("GET /errors/x of /errors/x");
        }
    }

    @Test
    void forgetsWhatTheFirstHandlerWaitsFor() {
        AtomicInteger aborted = new AtomicInteger();
        Handler refuses =
                x -> {
                    x.onAbort(aborted::incrementAndGet);
                    REFUSES.handle(x);
                };
        Handler late =
                x -> x.run(ExecutorKind.BLOCKING, () -> same -> Rules.text(same, "late page"));
        RouteTable.Builder table =
                site(Map.of(405, new ErrorDocument.Internal("/errors")), refuses)
                        .mount("/errors", late);
        try (MemoryServer server = Rules.of(table)) {
            MemoryPeer gone = server.connect();
            server.ask(gone, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            gone.reset();
            server.run();
            assertThat(aborted).hasValue(0);
            server.work();
            MemoryPeer client = server.connect();
            server.ask(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            server.work();
            assertThat(client.takeText()).startsWith("HTTP/1.1 405 ").endsWith("late page");
        }
    }

    @Test
    void sendsTheServersPageIfThePathFails() {
        for (String path : List.of("/errors", "/a", "/none")) {
            RouteTable.Builder table =
                    site(Map.of(405, new ErrorDocument.Internal(path)), REFUSES)
                            .mount("/errors", REFUSES)
                            .mount("/none", x -> x.pass());
            try (MemoryServer server = Rules.of(table)) {
                assertThat(Rules.answer(server, "GET /"))
                        .as(path)
                        .startsWith("HTTP/1.1 405 ")
                        .contains("\r\nAllow: GET\r\n", "<h1>405 Method Not Allowed</h1>")
                        .doesNotContain("secret");
            }
        }
    }

    @Test
    void asksForThePageOnce() {
        AtomicInteger calls = new AtomicInteger();
        Handler counts =
                x -> {
                    calls.incrementAndGet();
                    REFUSES.handle(x);
                };
        RouteTable.Builder table = site(Map.of(405, new ErrorDocument.Internal("/page")), counts);
        try (MemoryServer server = Rules.of(table)) {
            assertThat(Rules.status(server, "GET /")).isEqualTo("405");
            assertThat(calls).hasValue(2);
        }
    }

    @Test
    void changesTheFieldsOfThePage() {
        FieldChanges changes =
                new FieldChanges(List.of(FieldChanges.Change.set("X-A", "b").toAll()));
        MountSettings settings = errors(Map.of(404, PAGE)).with(draft -> draft.fields = changes);
        try (MemoryServer server = Rules.with(settings, x -> x.pass())) {
            assertThat(Rules.answer(server, "GET /"))
                    .startsWith("HTTP/1.1 404 ")
                    .contains("\r\nX-A: b\r\n")
                    .endsWith("own page");
        }
    }

    @Test
    void readsAPage(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("404.html"), "<p>\u00fc");
        assertThat(ErrorDocument.read(file)).isInstanceOf(ErrorDocument.Page.class);
        Path large = folder.resolve("large.html");
        Files.write(large, new byte[ErrorDocument.PAGE_MAX_BYTES]);
        assertThat(ErrorDocument.read(large)).isInstanceOf(ErrorDocument.Page.class);
        Files.write(large, new byte[ErrorDocument.PAGE_MAX_BYTES + 1]);
        assertThatThrownBy(() -> ErrorDocument.read(large))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it must have at most 1048576");
    }

    @Test
    void refusesWhatIsNoErrorAndNoPath() {
        assertThatIllegalArgumentException().isThrownBy(() -> errors(Map.of(200, PAGE)));
        assertThatIllegalArgumentException().isThrownBy(() -> errors(Map.of(600, PAGE)));
        for (String path : List.of("404.html", "//x", "/../x", "/.git")) {
            assertThatIllegalArgumentException().isThrownBy(() -> new ErrorDocument.Internal(path));
        }
    }

    /// The page of an error is part of the request that it answers.
    @Test
    void pageDoesNotCountAsARequest() {
        ErrorDocument page = new ErrorDocument.Internal("/page");
        MountSettings settings =
                errors(Map.of(405, page, 429, page, 503, page))
                        .with(draft -> {
                            draft.rate = new RequestRate(1, 1_000_000_000, 1, 64, _ -> false);
                            draft.requests = new RequestCount(1);
                        });
        List<Exchange> held = new ArrayList<>();
        Handler site =
                x -> {
                    switch (x.request().target().text()) {
                        case "/page" -> Rules.text(x, "own page");
                        case "/held" -> held.add(x);
                        default -> REFUSES.handle(x);
                    }
                };
        try (MemoryServer server = Rules.with(settings, site)) {
            assertThat(Rules.answer(server, "GET /a")).startsWith("HTTP/1.1 405 ").endsWith("page");
            assertThat(Rules.answer(server, "GET /a")).startsWith("HTTP/1.1 429 ").endsWith("page");
            assertThat(server.count(Counter.REQUESTS_REFUSED_RATE)).isEqualTo(1);
            server.pass(Duration.ofSeconds(1));
            MemoryPeer client = server.connect();
            server.ask(client, "GET /held HTTP/1.1\r\nHost: h\r\n\r\n");
            server.pass(Duration.ofSeconds(1));
            assertThat(Rules.answer(server, "GET /a")).startsWith("HTTP/1.1 503 ").endsWith("page");
            assertThat(server.count(Counter.REQUESTS_REFUSED_LIMIT)).isEqualTo(1);
            Rules.text(held.getFirst(), "held");
            server.run();
        }
    }

    /// A cache would keep the error for as long as the file.
    @Test
    void fileIsNotCachedAsAnError(@TempDir Path root) throws IOException {
        Files.writeString(root.resolve("error.html"), "own page");
        FileOptions options =
                FileOptions.DEFAULT.with(draft ->
                        draft.cacheRules =
                                List.of(CacheRule.ofTypes(List.of("text/html"), "max-age=9")));
        RouteTable.Builder table =
                site(Map.of(405, new ErrorDocument.Internal("/files/error.html")), REFUSES)
                        .mount("/files", FileHandler.of(root, options));
        try (MemoryServer server = Rules.of(table)) {
            MemoryPeer client = server.connect();
            server.ask(client, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
            server.work();
            assertThat(client.takeText())
                    .startsWith("HTTP/1.1 405 ")
                    .endsWith("own page")
                    .doesNotContain("Cache-Control");
            // From the cache at once, or after a look at the disk.
            String atOnce = server.ask(client, "GET /files/error.html HTTP/1.1\r\nHost: h\r\n\r\n");
            server.work();
            assertThat(atOnce + client.takeText()).contains("\r\nCache-Control: max-age=9\r\n");
        }
    }

    /// Otherwise any number of pages could run at the same time.
    @Test
    void requestStillCountsWhileItsPageRuns() {
        MountSettings settings =
                errors(Map.of(405, new ErrorDocument.Internal("/page")))
                        .with(draft -> draft.requests = new RequestCount(1));
        List<Exchange> held = new ArrayList<>();
        Handler site =
                x -> {
                    if (x.request().target().text().equals("/page")) {
                        held.add(x);
                    } else {
                        REFUSES.handle(x);
                    }
                };
        try (MemoryServer server = Rules.with(settings, site)) {
            MemoryPeer first = server.connect();
            server.ask(first, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(held).hasSize(1);
            assertThat(Rules.answer(server, "GET /a")).startsWith("HTTP/1.1 503 ");
            Rules.text(held.getFirst(), "own page");
            server.run();
            assertThat(first.takeText()).startsWith("HTTP/1.1 405 ").endsWith("own page");
            MemoryPeer next = server.connect();
            server.ask(next, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(held).hasSize(2);
            Rules.text(held.getLast(), "own page");
            server.run();
        }
    }
}
