package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks where a server listens, and which handler answers there.
class ListenersTest {
    @Test
    void startFailsWithTheAddressOfAPortInUse() {
        try (Served first = answering("first")) {
            int port = first.port();
            assertThatThrownBy(() ->
                            Serval.builder()
                                    .loops(2)
                                    .listen(port)
                                    .mount("/", x -> Answers.text(x, "second"))
                                    .start())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(":" + port);
            assertThat(ask(first, "first.test")).isEqualTo("first");
        }
    }

    @Test
    void portIsFreeAfterTheServerStopped() {
        int port;
        try (Served first = answering("first")) {
            port = first.port();
            assertThat(ask(first, "a")).isEqualTo("first");
        }
        try (Served second =
                Served.bare(b -> b.listen(port).mount("/", x -> Answers.text(x, "second")))) {
            assertThat(ask(second, "a")).isEqualTo("second");
        }
    }

    @Test
    void everyLoopAnswersAtThePort() {
        try (Served server =
                Served.with(b -> b.loops(3).mount("/", x -> Answers.text(x, "text")))) {
            for (int i = 0; i < 50; i++) {
                assertThat(ask(server, "a")).isEqualTo("text");
            }
        }
    }

    @Test
    void answersAtAUnixDomainSocket() {
        try (TempTree tree = TempTree.create()) {
            var address = UnixDomainSocketAddress.of(tree.path("socket"));
            try (Served server =
                            Served.bare(b ->
                                    b.listen(address).mount("/", x -> Answers.text(x, "unix")));
                    RawClient client = RawClient.connect(address)) {
                assertThat(client.exchange(Requests.get("/")).text()).isEqualTo("unix");
                assertThat(client.exchange(Requests.get("/")).text()).isEqualTo("unix");
                assertThat(server.address()).isEqualTo(address);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "exact.test, exact",
        "EXACT.test, exact",
        "exact.test:8080, exact",
        "exact.test., exact",
        "a.suffix.test, suffix",
        "a.b.suffix.test, suffix",
        "suffix.test, default",
        "notsuffix.test, default",
        "special.suffix.test, special",
        "other.test, default",
        "127.0.0.1, default",
        "[::1]:80, default"
    })
    void hostSelectsTheHandler(String host, String handler) {
        try (Served server =
                Served.with(b ->
                        b.mount("/", x -> Answers.text(x, "default"))
                                .host("exact.test", "/", x -> Answers.text(x, "exact"))
                                .host("*.suffix.test", "/", x -> Answers.text(x, "suffix"))
                                .host(
                                        "special.suffix.test",
                                        "/",
                                        x -> Answers.text(x, "special")))) {
            assertThat(ask(server, host)).isEqualTo(handler);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/, root",
        "/x, root",
        "/a, a",
        "/a/, a",
        "/a/x, a",
        "/ab, root",
        "/a/b, ab",
        "/a/b/c, ab",
        "/a/./b, ab",
        "/a/bc, a"
    })
    void longestPrefixSelectsTheHandler(String path, String handler) {
        try (Served server =
                        Served.with(b ->
                                b.mount("/a", x -> Answers.text(x, "a"))
                                        .mount("/", x -> Answers.text(x, "root"))
                                        .mount("/a/b", x -> Answers.text(x, "ab")));
                RawClient client = server.connect()) {
            assertThat(client.exchange(Requests.get(path)).text()).isEqualTo(handler);
        }
    }

    @Test
    void nextHandlerOfAChainAnswersPassedExchange() {
        try (Served server =
                        Served.with(
                                b -> b.mount("/", x -> x.pass(), x -> Answers.text(x, "second")));
                RawClient client = server.connect()) {
            assertThat(client.exchange(Requests.get("/")).text()).isEqualTo("second");
        }
    }

    private static String ask(Served server, String host) {
        try (RawClient client = server.connect()) {
            return client.exchange("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n").text();
        }
    }

    private static Served answering(String text) {
        return Served.with(b -> b.mount("/", x -> Answers.text(x, text)));
    }
}
