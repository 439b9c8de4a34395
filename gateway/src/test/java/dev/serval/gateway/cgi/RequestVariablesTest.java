package dev.serval.gateway.cgi;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.CodecKey;
import dev.serval.handler.ConnectionFacts;
import dev.serval.http.HeadCopy;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http1.RequestParser;
import dev.serval.policy.Limits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestVariablesTest {
    private record Facts(SocketAddress local, SocketAddress peer, boolean secure)
            implements ConnectionFacts {
        @Override
        public long id() {
            return 1;
        }
    }

    /// What a trusted proxy tells.
    private record Told(ConnectionFacts direct, boolean secure, @Nullable String forwardedHost)
            implements ConnectionFacts {
        @Override
        public long id() {
            return direct.id();
        }

        @Override
        public SocketAddress local() {
            return direct.local();
        }

        @Override
        public SocketAddress peer() {
            return direct.peer();
        }
    }

    private static final Facts PLAIN =
            new Facts(
                    new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 8080),
                    new InetSocketAddress("10.255.0.7", 40_001),
                    false);

    @Test
    void describesTheRequest() {
        Map<String, String> variables =
                variables(
                        "POST /a%20b/./c?x=%41&y HTTP/1.1\nHost: h.example:99\nContent-Type: t/u\n",
                        42);
        assertThat(variables)
                .containsEntry("CONTENT_LENGTH", "42")
                .containsEntry("CONTENT_TYPE", "t/u")
                .containsEntry("GATEWAY_INTERFACE", "CGI/1.1")
                .containsEntry("SERVER_SOFTWARE", "Serval")
                .containsEntry("SERVER_PROTOCOL", "HTTP/1.1")
                .containsEntry("REQUEST_METHOD", "POST")
                .containsEntry("QUERY_STRING", "x=%41&y")
                .containsEntry("REQUEST_URI", "/a%20b/./c?x=%41&y")
                .containsEntry("REQUEST_SCHEME", "http")
                .containsEntry("REMOTE_ADDR", "10.255.0.7")
                .containsEntry("REMOTE_PORT", "40001")
                .containsEntry("SERVER_ADDR", "127.0.0.1")
                .containsEntry("SERVER_PORT", "8080")
                .containsEntry("SERVER_NAME", "h.example")
                .containsEntry("HTTP_HOST", "h.example:99")
                .doesNotContainKey("HTTP_CONTENT_TYPE")
                .doesNotContainKey("HTTPS");
        assertThat(variables.keySet().iterator().next()).isEqualTo("CONTENT_LENGTH");
    }

    @Test
    void hasTheTargetThatTheClientSentAndTheUser() {
        RequestHead sent = head("GET /a%20b?x=1 HTTP/1.1\nHost: h\nAuthorization: Basic eDp5\n");
        RequestHead copy =
                requireNonNull(
                        HeadCopy.of(sent).target("/index.php", "q=2").user("j\u00f6").make());

        assertThat(variables(copy, 0, PLAIN))
                .containsEntry("REQUEST_URI", "/a%20b?x=1")
                .containsEntry("QUERY_STRING", "q=2")
                .containsEntry("REMOTE_USER", "j\u00c3\u00b6") // UTF-8
                .containsEntry("AUTH_TYPE", "Basic")
                .doesNotContainKey("HTTP_AUTHORIZATION");
        assertThat(variables(sent, 0, PLAIN))
                .containsKey("HTTP_AUTHORIZATION")
                .doesNotContainKeys("REMOTE_USER", "AUTH_TYPE");
    }

    @Test
    void hasEmptyQueryAndTypeWithoutThem() {
        assertThat(variables("GET / HTTP/1.0\n", 0))
                .containsEntry("QUERY_STRING", "")
                .containsEntry("CONTENT_TYPE", "")
                .containsEntry("CONTENT_LENGTH", "0")
                .containsEntry("SERVER_PROTOCOL", "HTTP/1.0")
                .containsEntry("SERVER_NAME", "127.0.0.1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 80})
    void joinsRepeatedFields(int others) {
        StringBuilder between = new StringBuilder();
        for (int i = 0; i < others; i++) {
            between.append("X-Other-").append(i).append(": o\n");
        }
        assertThat(
                        variables(
                                "GET / HTTP/1.1\nHost: h\nX-A: 1\nAccept: a\nx-a: 2\nCookie: c=1\n"
                                        + between
                                        + "Accept: b\nCookie: d=2\nX-A: 3\n",
                                0))
                .containsEntry("HTTP_X_A", "1, 2, 3")
                .containsEntry("HTTP_ACCEPT", "a, b")
                .containsEntry("HTTP_COOKIE", "c=1; d=2");
    }

    @Test
    void dropsFieldsThatWouldForgeVariables() {
        Map<String, String> variables =
                variables(
                        "GET / HTTP/1.1\nHost: h\nProxy: http://evil\nPROXY: x\nX_Forwarded_For: 1\n"
                                + "Transfer-Encoding: chunked\nProxy-x: kept\n"
                                + "Content_Length: 9\nContent.Type: x\nContent-Type: a/b\n"
                                + "n".repeat(257)
                                + ": long\n",
                        3);
        assertThat(variables)
                .doesNotContainKey("HTTP_PROXY")
                .doesNotContainKey("HTTP_X_FORWARDED_FOR")
                .doesNotContainKey("HTTP_TRANSFER_ENCODING")
                .doesNotContainKey("HTTP_CONTENT_LENGTH")
                .doesNotContainKey("HTTP_CONTENT_TYPE")
                .doesNotContainKey("HTTP_CONTENT.TYPE")
                .containsEntry("CONTENT_TYPE", "a/b")
                .containsEntry("HTTP_PROXY_X", "kept")
                .containsEntry("CONTENT_LENGTH", "3");
        assertThat(variables.keySet()).noneMatch(name -> name.length() > 261);
    }

    /// An application would take them for the word of a proxy.
    @Test
    void fieldsThatTellTheClientComeOnlyFromTrustedProxies() {
        String head =
                """
                GET / HTTP/1.1
                Host: h
                Forwarded: for=1.2.3.4
                X-Forwarded-For: 1.2.3.4
                X-Forwarded-Host: evil
                X-Forwarded-Proto: https
                X-forwarded-PORT: 1
                X-Real-IP: 1.2.3.4
                X-Forward: own
                """;
        String[] names = {
            "HTTP_FORWARDED",
            "HTTP_X_FORWARDED_FOR",
            "HTTP_X_FORWARDED_HOST",
            "HTTP_X_FORWARDED_PROTO",
            "HTTP_X_FORWARDED_PORT",
            "HTTP_X_REAL_IP"
        };
        assertThat(variables(head, 0))
                .doesNotContainKeys(names)
                .containsEntry("HTTP_X_FORWARD", "own");
        assertThat(variables(head, 0, new Told(PLAIN, true, null))).containsKeys(names);
    }

    @Test
    void usesTheAuthorityOfAnAbsoluteForm() {
        assertThat(variables("GET http://real:81/p?q HTTP/1.1\nHost: other\n", 0))
                .containsEntry("HTTP_HOST", "real:81")
                .containsEntry("SERVER_NAME", "real")
                .containsEntry("REQUEST_URI", "/p?q");
        assertThat(variables("GET http://real?q HTTP/1.1\nHost: other\n", 0))
                .containsEntry("REQUEST_URI", "/?q")
                .containsEntry("QUERY_STRING", "q");
    }

    @Test
    void namesTheHostThatATrustedProxyTells() {
        Told told = new Told(PLAIN, true, "shop.example:8443");
        assertThat(variables("GET / HTTP/1.1\nHost: inner\n", 0, told))
                .containsEntry("SERVER_NAME", "shop.example")
                .containsEntry("SERVER_PORT", "8443")
                .containsEntry("REQUEST_SCHEME", "https")
                .containsEntry("HTTP_HOST", "inner");
    }

    @Test
    void hasThePortOfTheAddressThatTheClientOfATrustedProxySees() {
        String head = "GET / HTTP/1.1\nHost: www.example\n";
        assertThat(variables(head, 0, new Told(PLAIN, true, null)))
                .containsEntry("SERVER_PORT", "443");
        assertThat(variables(head, 0, new Told(PLAIN, false, null)))
                .containsEntry("SERVER_PORT", "80");
        assertThat(variables(head, 0, new Told(PLAIN, true, "[2001:db8::1]")))
                .containsEntry("SERVER_NAME", "[2001:db8::1]")
                .containsEntry("SERVER_PORT", "443");
        assertThat(variables(head, 0, PLAIN)).containsEntry("SERVER_PORT", "8080");
    }

    @Test
    void keepsBracketsOfIpv6() {
        Facts six =
                new Facts(
                        new InetSocketAddress(InetAddress.ofLiteral("::1"), 443),
                        new InetSocketAddress(InetAddress.ofLiteral("2001:db8::7"), 5),
                        true);
        Map<String, String> variables = variables("GET / HTTP/1.1\nHost: [2001:db8::1]\n", 0, six);
        assertThat(variables)
                .containsEntry("SERVER_NAME", "[2001:db8::1]")
                .containsEntry("REMOTE_ADDR", "2001:db8:0:0:0:0:0:7")
                .containsEntry("HTTPS", "on")
                .containsEntry("REQUEST_SCHEME", "https");
    }

    @Test
    void hasNoAddressForUnixDomainSocket() {
        Facts unix =
                new Facts(
                        UnixDomainSocketAddress.of("/run/a"),
                        UnixDomainSocketAddress.of(""),
                        false);
        assertThat(variables("GET / HTTP/1.1\nHost: h\n", 0, unix))
                .containsEntry("REMOTE_ADDR", "")
                .containsEntry("SERVER_PORT", "80");
    }

    private static Map<String, String> variables(String head, long contentLength) {
        return variables(head, contentLength, PLAIN);
    }

    private static Map<String, String> variables(String head, long length, ConnectionFacts facts) {
        return variables(head(head), length, facts);
    }

    private static Map<String, String> variables(
            RequestHead head, long length, ConnectionFacts facts) {
        VariableBuffer out = new VariableBuffer(VariableForm.NUL_PAIRS);
        RequestVariables.write(out, head, facts, length);
        String[] parts =
                new String(out.array(), 0, out.length(), StandardCharsets.ISO_8859_1)
                        .split("\0", -1);
        Map<String, String> variables = new LinkedHashMap<>();
        for (int i = 0; i + 1 < parts.length; i += 2) {
            assertThat(variables.put(parts[i], parts[i + 1])).as(parts[i]).isNull();
        }
        return variables;
    }

    private static RequestHead head(String lines) {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        RequestParser parser = new RequestParser(Limits.Heads.DEFAULT, Set.of());
        byte[] bytes = Cuts.bytes((lines + "\n").replace("\n", "\r\n"));
        assertThat(parser.parse(bytes, 0, bytes.length, 0, writer))
                .as(() -> String.valueOf(parser.error()))
                .isPositive();
        return writer.head();
    }
}
