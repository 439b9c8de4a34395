package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks methods that [Method] does not name: which handlers receive them, and what the others
/// answer (RFC 9110 §9.1, §15.6.2).
final class OtherMethodsTest {
    private static final String TAIL = " HTTP/1.1\r\nHost: a\r\n\r\n";

    private static void name(Exchange x) {
        Answers.say(x, x.request().method() + " is " + x.request().methodText());
    }

    private static MemoryServer routed(Handler... chain) {
        return MemoryServer.of(new Router(RouteTable.builder().mount("/dav", chain).build()));
    }

    @ParameterizedTest
    @CsvSource({
        "PROPFIND, OTHER is PROPFIND",
        "get, OTHER is get",
        "OTHER, OTHER is OTHER",
        "GET, GET is GET"
    })
    void handlerThatTakesThemGetsTheMethodAsSent(String method, String answer) {
        try (MemoryServer server = routed(Handler.ofEveryMethod(OtherMethodsTest::name))) {
            assertThat(server.ask(server.connect(), method + " /dav/x" + TAIL))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\n" + answer);
        }
    }

    @Test
    void chainSkipsHandlersThatDoNotTakeThem() {
        Handler passes = Handler.ofEveryMethod(Exchange::pass);
        Handler last = Handler.ofEveryMethod(OtherMethodsTest::name);
        try (MemoryServer server = routed(Answers.greeting(), passes, Answers.greeting(), last)) {
            assertThat(server.ask(server.connect(), "PROPFIND /dav" + TAIL))
                    .endsWith("OTHER is PROPFIND");
            assertThat(server.ask(server.connect(), "GET /dav" + TAIL)).endsWith("hello");
        }
    }

    @ParameterizedTest
    @CsvSource({"/dav, 501", "/dav/x, 501", "/none, 501"})
    void answers501WithoutAHandlerThatTakesThem(String path, int status) {
        Handler passes = Handler.ofEveryMethod(Exchange::pass);
        try (MemoryServer server = routed(Answers.greeting(), passes)) {
            MemoryPeer client = server.connect();
            for (int i = 0; i < 2; i++) { // the connection is kept
                assertThat(server.ask(client, "PROPFIND " + path + TAIL))
                        .startsWith("HTTP/1.1 " + status + " ");
            }
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isZero();
            assertThat(server.count(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    /// A handler that does not take TRACE would take it for GET, and might send it back.
    @Test
    void traceGoesOnlyToHandlersThatTakeIt() {
        Handler knows =
                new Handler() {
                    @Override
                    public boolean takesTrace() {
                        return true;
                    }

                    @Override
                    public void handle(Exchange x) {
                        x.pass();
                    }
                };
        String trace = "TRACE /dav/x" + TAIL;
        try (MemoryServer server = routed(knows, Answers.greeting())) {
            assertThat(server.ask(server.connect(), trace))
                    .startsWith("HTTP/1.1 405 ")
                    .contains("\r\nAllow: GET, HEAD, POST, ");
            assertThat(server.ask(server.connect(), "TRACE /none" + TAIL))
                    .startsWith("HTTP/1.1 404 ");
        }
        try (MemoryServer server = routed(knows)) {
            assertThat(server.ask(server.connect(), trace)).startsWith("HTTP/1.1 404 ");
        }
        try (MemoryServer server = routed(Handler.ofEveryMethod(OtherMethodsTest::name))) {
            assertThat(server.ask(server.connect(), trace)).startsWith("HTTP/1.1 405 ");
        }
    }

    @Test
    void contentOfARefusedMethodIsNotTheNextRequest() {
        String inner = "GET /dav HTTP/1.1\r\nHost: a\r\n\r\n";
        try (MemoryServer server = routed(Answers.greeting())) {
            String answer =
                    server.ask(
                            server.connect(),
                            "BREW /dav HTTP/1.1\r\nHost: a\r\nContent-Length: "
                                    + inner.length()
                                    + "\r\n\r\n"
                                    + inner
                                    + "GET /none"
                                    + TAIL);
            assertThat(answer).startsWith("HTTP/1.1 501 ").contains("HTTP/1.1 404 ");
            assertThat(answer).doesNotContain("hello");
        }
    }

    @Test
    void methodTextIsValidAsLongAsTheRequest() {
        AtomicReference<String> seen = new AtomicReference<>();
        Task task =
                () ->
                        x -> {
                            seen.set(x.request().methodText());
                            Answers.say(x, "done");
                        };
        Handler later = Handler.ofEveryMethod(x -> x.run(ExecutorKind.DISK, task));
        try (MemoryServer server = routed(later)) {
            MemoryPeer client = server.connect();
            client.send("MKCOL /dav" + TAIL);
            server.run();
            server.work();
            assertThat(client.takeText()).endsWith("done");
            assertThat(seen).hasValue("MKCOL");
        }
    }

    @ParameterizedTest
    @CsvSource({"8192, 200", "8193, 414"})
    void requestLineLimitBoundsTheirLength(int bytes, int status) {
        String line = "M".repeat(bytes - " /dav HTTP/1.1".length()) + " /dav HTTP/1.1";
        try (MemoryServer server = routed(Handler.ofEveryMethod(OtherMethodsTest::name))) {
            assertThat(server.ask(server.connect(), line + "\r\nHost: a\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void countsRequestsByRouteAndRefusalsByReason() {
        try (MemoryServer server = routed(Answers.greeting())) {
            server.ask(server.connect(), "GET /dav/x" + TAIL);
            server.ask(server.connect(), "BREW /dav" + TAIL);
            server.ask(server.connect(), "GET /none" + TAIL);
            server.ask(server.connect(), "G(T /dav" + TAIL);
            assertThat(server.counts(LabelledCounter.REQUESTS_BY_ROUTE))
                    .containsOnlyKeys("/dav")
                    .containsEntry("/dav", 2L);
            assertThat(server.counts(LabelledCounter.REFUSALS))
                    .containsOnlyKeys("the method is not a token")
                    .containsEntry("the method is not a token", 1L);
        }
    }
}
