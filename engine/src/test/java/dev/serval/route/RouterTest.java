package dev.serval.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Route;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks which mount a request enters: by its host, then by the longest prefix of whole path
/// segments.
final class RouterTest {
    private static final RouteTable HOSTS =
            RouteTable.builder()
                    .mount("/", says("default"))
                    .mount("/app", says("default app"))
                    .mount("/app/deep", says("default deep"))
                    .mount("/ü", says("default ü"))
                    .mount("www.example.org", "/", says("www"))
                    .mount("*.example.org", "/", says("any"))
                    .mount("*.deep.example.org", "/", says("any deep"))
                    .mount("[::1]", "/", says("v6"))
                    .mount("10.0.0.1", "/", says("v4"))
                    .mount("only.test", "/app", says("only app"))
                    .mount("host8", "/", says("host8"))
                    .build();

    @ParameterizedTest
    @CsvSource({
        "www.example.org, www",
        "WWW.Example.ORG, www",
        "www.example.org:8080, www",
        "www.example.org., www",
        "www.example.org.:80, www",
        "a.example.org, any",
        "a.b.example.org:1, any",
        "A.EXAMPLE.ORG, any",
        "x.deep.example.org, any deep",
        "deep.example.org, any",
        "example.org, default",
        "badexample.org, default",
        "xwww.example.org, any",
        "[::1], v6",
        "[::1]:8080, v6",
        "[::2], default",
        "10.0.0.1, v4",
        "10.0.0.1:80, v4",
        "110.0.0.1, default",
        "host8, host8",
        "host8:9, host8",
        "host, default"
    })
    void choosesTheHost(String host, String mount) {
        assertThat(answer("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n")).isEqualTo(mount);
    }

    @ParameterizedTest
    @CsvSource({
        "/, default",
        "/x, default",
        "/app, default app",
        "/app/, default app",
        "/app/x, default app",
        "/app?q, default app",
        "/apple, default",
        "/App, default",
        "/app/deep, default deep",
        "/app/deeper, default app",
        "/app/deep/er, default deep",
        "/app/x/../deep/y, default deep",
        "/%61pp/x, default app",
        "/%C3%BC/x, default ü"
    })
    void choosesTheLongestPrefixOfWholeSegments(String path, String mount) {
        assertThat(answer("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo(mount);
    }

    @Test
    void settingsThatSetNothingAreNone() {
        MountSettings some = MountSettings.NONE.with(draft -> draft.contentMaxBytes = 1);
        MountSettings nothing = some.with(draft -> draft.contentMaxBytes = 0);
        List<Handler> chain = List.of(Exchange::pass);
        assertThat(new Route("/", chain, new Mapping("/"), some).settings()).isSameAs(some);
        assertThat(new Route("/", chain, new Mapping("/"), nothing).settings()).isNull();
    }

    @Test
    void targetsAuthorityOverridesHost() {
        assertThat(answer("GET http://www.example.org:80/ HTTP/1.1\r\nHost: a\r\n\r\n"))
                .isEqualTo("www");
    }

    @Test
    void defaultHostAnswersRequestWithoutHost() {
        assertThat(answer("GET / HTTP/1.0\r\n\r\n")).isEqualTo("default");
    }

    @Test
    void matchedHostDoesNotFallBackToTheDefault() {
        assertThat(answer("GET /other HTTP/1.1\r\nHost: only.test\r\n\r\n"))
                .contains("404 Not Found");
        assertThat(answer("GET /app HTTP/1.1\r\nHost: only.test\r\n\r\n")).isEqualTo("only app");
    }

    @Test
    void swappedTableAnswersTheNextRequest() {
        Router router = new Router(RouteTable.builder().mount("/", says("old")).build());
        try (MemoryServer server = MemoryServer.of(router)) {
            MemoryPeer client = server.connect();
            String request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
            assertThat(server.ask(client, request)).endsWith("old");
            router.swap(RouteTable.builder().mount("/", says("new")).build());
            assertThat(server.ask(client, request)).endsWith("new");
            router.swap(RouteTable.builder().build());
            assertThat(server.ask(client, request)).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void refusesTwoMountsAtOnePrefix() {
        RouteTable.Builder builder = RouteTable.builder().mount("/a", says(""));
        assertThatThrownBy(() -> builder.mount("/a", says("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/a");
        builder.mount("x.org", "/a", says(""));
        assertThatThrownBy(() -> builder.mount("X.org", "/a", says("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x.org");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a/", "//", "/a//b"})
    void refusesMalformedPrefixes(String prefix) {
        assertThatThrownBy(() -> RouteTable.builder().mount(prefix, says("")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a:80", "http://a", "a/b", "*a", "*.", "a..b", "-a", "a b", "**"})
    void refusesMalformedHosts(String host) {
        assertThatThrownBy(() -> RouteTable.builder().mount(host, "/", says("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + host + "\"");
    }

    private static String answer(String request) {
        try (MemoryServer server = MemoryServer.of(new Router(HOSTS))) {
            String answer = server.ask(server.connect(), request);
            if (!answer.startsWith("HTTP/1.1 200 ")) {
                return answer;
            }
            String content = answer.substring(answer.indexOf("\r\n\r\n") + 4);
            return new String(
                    content.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }
    }

    private static Handler says(String what) {
        byte[] bytes = what.getBytes(StandardCharsets.UTF_8);
        ResponseHead head = new ResponseHead(Status.OK, Fields.EMPTY, bytes.length);
        return x -> x.response().send(head, Body.Bytes.of(bytes));
    }
}
