package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks requests that the connection answers itself, and the forms of a target (RFC 9110 §9,
/// RFC 9112 §3.2).
final class MethodsTest {
    @ParameterizedTest
    @CsvSource({
        "TRACE / HTTP/1.1, 405",
        "CONNECT a:80 HTTP/1.1, 405",
        "BREW / HTTP/1.1, 501",
        "get / HTTP/1.1, 501",
        "GET / HTTP/2.0, 505",
        "GET / HTTP/1.x, 400",
        "GET * HTTP/1.1, 400",
        "OPTIONS * HTTP/1.1, 204",
        "OPTIONS http://a HTTP/1.1, 204",
        "OPTIONS http://a/ HTTP/1.1, 200",
        "OPTIONS http://a?b HTTP/1.1, 200",
        "OPTIONS / HTTP/1.1, 200",
        "GET http://a/x HTTP/1.1, 200",
        "GET https://a/x HTTP/1.1, 421",
        "OPTIONS HTTPS://a HTTP/1.1, 421",
        "GET  / HTTP/1.1, 400"
    })
    void answersTheRequestLine(String line, int status) {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            String answer = server.ask(server.connect(), line + "\r\nHost: a\r\n\r\n");
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            if (line.startsWith("CONNECT")) {
                assertThat(answer).contains("\r\nAllow: \r\n");
            } else if (status == 405 || status == 204) {
                assertThat(answer).contains("\r\nAllow: GET, HEAD, POST");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HEAD /%00 HTTP/1.1|Host: a||', 400",
        "'HEAD / HTTP/1.1||', 400",
        "'|HEAD / HTTP/1.1|Host: a|X y: z||', 400",
        "'HEAD / HTTP/1.1|Host: a|Expect: x||', 417",
        "'HEAD / HTTP/3.0|Host: a||', 505"
    })
    void refusalOfAHeadRequestHasNoContent(String request, int status) {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            String text = request.replace("|", "\r\n");
            String answer = server.ask(server.connect(), text);
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            assertThat(answer.indexOf("\r\n\r\n")).isEqualTo(answer.length() - 4);
            String got = server.ask(server.connect(), text.replace("HEAD", "GET"));
            assertThat(got).startsWith(answer).hasSizeGreaterThan(answer.length());
        }
    }

    @Test
    void optionsOfTheServerHasNoContentAndKeepsTheConnection() {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            String ask = "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n";
            String answer = server.ask(client, ask);
            assertThat(answer).endsWith("\r\n\r\n").doesNotContain("Content-Length", "close");
            assertThat(server.ask(client, ask)).isEqualTo(answer);
        }
    }

    /// What follows may be the bytes of a tunnel (RFC 9110 §9.3.6).
    @Test
    void connectEndsTheConnection() {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            String request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
            String answer =
                    server.ask(client, "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n" + request);
            assertThat(answer).startsWith("HTTP/1.1 405 ").contains("\r\nConnection: close\r\n");
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
            client.end();
            server.run();
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"8192, 200", "8193, 414"})
    void requestLineHasALimit(int bytes, int status) {
        String line = "GET /" + "x".repeat(bytes - 14) + " HTTP/1.1";
        assertThat(line).hasSize(bytes);
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            assertThat(server.ask(server.connect(), line + "\r\nHost: a\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 200", "101, 431"})
    void fieldsHaveALimit(int fields, int status) {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            String text = "GET / HTTP/1.1\r\nHost: a\r\n" + "A: b\r\n".repeat(fields - 1) + "\r\n";
            assertThat(server.ask(server.connect(), text)).startsWith("HTTP/1.1 " + status + " ");
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isEqualTo(status == 200 ? 0 : 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"32768, 200", "32769, 431"})
    void headHasALimit(int bytes, int status) {
        String start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
        String text = start + "x".repeat(bytes - start.length() - 4) + "\r\n\r\n";
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            assertThat(server.ask(server.connect(), text)).startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void endlessHeadIsReadOnlyToItsLimit() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.pieces(1000);
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(100_000));
            int read = 100_000;
            while (client.length() == 0) {
                server.turn();
                read = 100_000 - client.unread();
            }
            assertThat(client.takeText()).startsWith("HTTP/1.1 431 ");
            assertThat(read).isLessThan(35_000);
        }
    }
}
