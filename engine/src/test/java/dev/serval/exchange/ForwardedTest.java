package dev.serval.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Body;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.AddressRange;
import dev.serval.policy.TrustedProxies;
import dev.serval.policy.TrustedProxies.Convention;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What handlers see of a client behind trusted proxies. Here 10.0.0.0/8 and 2001:db8::/32 are
/// trusted, and 10.0.0.1 is the peer. Each row has the fields, and the address, scheme and host.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class ForwardedTest {
    private static final TrustedProxies TRUSTED =
            new TrustedProxies(
                    List.of(AddressRange.of("10.0.0.0/8"), AddressRange.of("2001:db8::/32")));

    private static final String OWN = "10.0.0.1 1 http null";

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '`',
            value = {
                "X-Forwarded-For: 9.9.9.9 > 9.9.9.9 0 http null",
                "X-Forwarded-For: 9.9.9.9:77 > 9.9.9.9 77 http null",
                "X-Forwarded-For: 2002::9 > 2002:0:0:0:0:0:0:9 0 http null",
                "X-Forwarded-For: [2002::9] > 2002:0:0:0:0:0:0:9 0 http null",
                "X-Forwarded-For: [2002::9]:77 > 2002:0:0:0:0:0:0:9 77 http null",
                "X-Forwarded-For: 8.8.8.8, 9.9.9.9 > 9.9.9.9 0 http null",
                "X-Forwarded-For: 8.8.8.8, 9.9.9.9, 10.3.3.3 > 9.9.9.9 0 http null",
                "X-Forwarded-For: 9.9.9.9, 10.3.3.3 , , 2001:db8::1 > 9.9.9.9 0 http null",
                "X-Forwarded-For: 10.9.9.9, 10.3.3.3 > 10.9.9.9 0 http null",
                "X-Forwarded-For: evil\", 9.9.9.9 > 9.9.9.9 0 http null",
                "X-Forwarded-For: 8.8.8.8 | X-Forwarded-For: 9.9.9.9 > 9.9.9.9 0 http null",
                "X-Forwarded-For: 9.9.9.9 | X-Forwarded-Proto: https > 9.9.9.9 0 https null",
                "X-Forwarded-Proto: HTTPS > 10.0.0.1 1 https null",
                "X-Forwarded-Proto: wss > 10.0.0.1 1 https null",
                "X-Forwarded-Proto: ws > 10.0.0.1 1 http null",
                "X-Forwarded-Proto: https, http > 10.0.0.1 1 http null",
                "X-Forwarded-For: 9.9.9.9, 10.3.3.3 | X-Forwarded-Proto: https, http"
                        + " > 9.9.9.9 0 https null",
                "X-Forwarded-For: 9.9.9.9, 10.3.3.3 | X-Forwarded-Proto: https"
                        + " > 9.9.9.9 0 https null",
                "X-Forwarded-Host: shop.example > 10.0.0.1 1 http shop.example",
                "X-Forwarded-Host: evil, shop.example:81 > 10.0.0.1 1 http shop.example:81",
                "X-Forwarded-Host: shop.example | X-Forwarded-Port: 81"
                        + " > 10.0.0.1 1 http shop.example:81",
                "X-Forwarded-Host: shop.example:80 | X-Forwarded-Port: 81"
                        + " > 10.0.0.1 1 http shop.example:80",
                "X-Forwarded-Port: 81 > 10.0.0.1 1 http a:81",
            })
    void readsXForwarded(String fields, String seen) {
        assertThat(seen(TRUSTED, fields)).isEqualTo(seen);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            quoteCharacter = '`',
            value = {
                "Forwarded: for=9.9.9.9 > 9.9.9.9 0 http null",
                "Forwarded: For=\"9.9.9.9:77\" > 9.9.9.9 77 http null",
                "Forwarded: for=\"[2002::9]:77\" > 2002:0:0:0:0:0:0:9 77 http null",
                "Forwarded: for=\"[2002::9]:_x\" > 2002:0:0:0:0:0:0:9 0 http null",
                "Forwarded: for=9.9.9.9;proto=https;host=shop.example;by=_me"
                        + " > 9.9.9.9 0 https shop.example",
                "Forwarded: for=9.9.9.9; proto=https ;host=\"shop.example:81\""
                        + " > 9.9.9.9 0 https shop.example:81",
                "Forwarded: for=8.8.8.8;proto=https, for=9.9.9.9 > 9.9.9.9 0 http null",
                "Forwarded: for=9.9.9.9;proto=https, for=10.3.3.3;proto=http"
                        + " > 9.9.9.9 0 https null",
                "Forwarded: for=9.9.9.9;proto=https | Forwarded: for=10.3.3.3"
                        + " > 9.9.9.9 0 https null",
                "Forwarded: for=10.9.9.9;host=h, for=10.3.3.3 > 10.9.9.9 0 http h",
                "Forwarded: for=\", for=9.9.9.9 > 9.9.9.9 0 http null",
                "Forwarded: for=8.8.8.8;x=\"\\\", for=9.9.9.9 > 9.9.9.9 0 http null",
                "Forwarded: for=9.9.9.9;x=\"a,b\\\",;c\";proto=https > 9.9.9.9 0 https null",
                "Forwarded: for=unknown;proto=https > 10.0.0.1 1 https null",
                "Forwarded: for=_secret;host=h > 10.0.0.1 1 http h",
                "Forwarded: proto=https > 10.0.0.1 1 https null",
            })
    void readsForwarded(String fields, String seen) {
        assertThat(seen(TRUSTED, fields)).isEqualTo(seen);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For: unknown",
                "X-Forwarded-For: 9.9.9.9, evil",
                "X-Forwarded-For: 9.9.9.9, evil, 10.3.3.3",
                "X-Forwarded-For: 9.9.9.9:",
                "X-Forwarded-For: 9.9.9.9:99999",
                "X-Forwarded-For: 9.9.9",
                "X-Forwarded-For: [2002::9",
                "X-Forwarded-For: [2002::9]x",
                "X-Forwarded-For: ,",
                "X-Forwarded-Proto: ftp",
                "X-Forwarded-Host: <script>",
                "X-Forwarded-Host: user@h",
                "X-Forwarded-Port: 0",
                "X-Forwarded-Port: x",
                "Forwarded: for",
                "Forwarded: for=",
                "Forwarded: =9.9.9.9",
                "Forwarded: for=;proto=https",
                "Forwarded: for=9.9.9.9;for=8.8.8.8",
                "Forwarded: for=9.9.9.9 proto=https",
                "Forwarded: for=9.9.9.9;x=\"",
                "Forwarded: for=\"9.9.9.9",
                "Forwarded: for=9.9.9.9, for=",
                "Forwarded: ,",
            })
    void ignoresWhatIsMalformed(String fields) {
        assertThat(seen(TRUSTED, fields)).isEqualTo(OWN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "EITHER > 9.9.9.9 0 http null",
                "X_FORWARDED > 9.9.9.9 0 http null",
                "FORWARDED > 8.8.8.8 0 https null"
            })
    void readsOneConventionOnly(Convention convention, String seen) {
        String both = "X-Forwarded-For: 9.9.9.9|Forwarded: for=8.8.8.8;proto=https";
        assertThat(seen(TRUSTED.withConvention(convention), both)).isEqualTo(seen);
        boolean other = convention == Convention.X_FORWARDED;
        assertThat(
                        seen(
                                TRUSTED.withConvention(convention),
                                other ? "Forwarded: for=8.8.8.8" : "X-Other: 1"))
                .isEqualTo(OWN);
    }

    @Test
    void believesNobodyElse() {
        String fields = "X-Forwarded-For: 9.9.9.9|X-Forwarded-Proto: https|Forwarded: for=9.9.9.9";
        assertThat(seen(null, fields)).isEqualTo(OWN);
        TrustedProxies others = new TrustedProxies(List.of(AddressRange.of("11.0.0.0/8")));
        assertThat(seen(others, fields)).isEqualTo(OWN);
    }

    @Test
    void believesPeersAtUnixDomainSocketsIfTold() {
        UnixDomainSocketAddress peer = UnixDomainSocketAddress.of("");
        assertThat(TRUSTED.trusts(peer)).isFalse();
        assertThat(TRUSTED.withUnixDomain(true).trusts(peer)).isTrue();
    }

    @Test
    void eachRequestOfAConnectionHasItsOwnClient() {
        try (MemoryServer server = MemoryServer.of(telling())) {
            trust(server, TRUSTED);
            MemoryPeer client = server.connect("10.0.0.1");
            String rest = " HTTP/1.1\r\nHost: a\r\n";
            assertThat(server.ask(client, "GET /" + rest + "X-Forwarded-For: 9.9.9.9\r\n\r\n"))
                    .endsWith("9.9.9.9 0 http null");
            assertThat(server.ask(client, "GET /" + rest + "\r\n")).endsWith(OWN);
            trust(server, null);
            assertThat(server.ask(client, "GET /" + rest + "X-Forwarded-For: 9.9.9.9\r\n\r\n"))
                    .endsWith(OWN);
        }
    }

    /// HAProxy states `:scheme` https to servers of HTTP/2, whatever its client uses.
    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            value = {
                "X-Forwarded-Proto: https > 10.0.0.1 1 https null",
                "X-Forwarded-Proto: http > 10.0.0.1 1 http null",
                "X-Forwarded-For: 9.9.9.9 > 9.9.9.9 0 https null",
                "Forwarded: for=9.9.9.9;proto=http > 9.9.9.9 0 http null",
                "Forwarded: for=9.9.9.9 > 9.9.9.9 0 https null",
                "Forwarded: wrong > 10.0.0.1 1 https null",
                "A: b > 10.0.0.1 1 https null",
            })
    void secureTargetOfATrustedProxyIsAnswered(String field, String seen) {
        String request = "GET https://a/ HTTP/1.1\r\nHost: a\r\n" + field + "\r\n\r\n";
        try (MemoryServer server = MemoryServer.of(telling())) {
            trust(server, TRUSTED);
            assertThat(server.ask(server.connect("10.0.0.1"), request)).endsWith(seen);
            assertThat(server.ask(server.connect("9.9.9.9"), request))
                    .startsWith("HTTP/1.1 421 ")
                    .contains("server.trusted-proxies");
        }
    }

    @Test
    void factsOfTheConnectionItselfStayKnown() {
        Handler handler =
                x -> {
                    ConnectionFacts facts = x.connection();
                    say(
                            x,
                            facts.direct().peer()
                                    + " "
                                    + facts.direct().secure()
                                    + " "
                                    + (facts.id() == facts.direct().id())
                                    + " "
                                    + facts.local().equals(facts.direct().local()));
                };
        try (MemoryServer server = MemoryServer.of(handler)) {
            trust(server, TRUSTED);
            assertThat(
                            server.ask(
                                    server.connect("10.0.0.1"),
                                    "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 9.9.9.9\r\n"
                                            + "X-Forwarded-Proto: https\r\n\r\n"))
                    .endsWith("/10.0.0.1:1 false true true");
        }
    }

    private static void say(Exchange x, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        x.response()
                .send(
                        new ResponseHead(Status.OK, Fields.EMPTY, bytes.length),
                        Body.Bytes.of(bytes));
    }

    private static Handler telling() {
        return x -> {
            ConnectionFacts facts = x.connection();
            InetSocketAddress peer = (InetSocketAddress) facts.peer();
            say(
                    x,
                    peer.getAddress().getHostAddress()
                            + " "
                            + peer.getPort()
                            + (facts.secure() ? " https " : " http ")
                            + facts.forwardedHost());
        };
    }

    private static void trust(MemoryServer server, @Nullable TrustedProxies trusted) {
        server.service().replace(server.service().settings().withTrustedProxies(trusted));
    }

    /// @param fields field lines, divided by `|`
    private static String seen(@Nullable TrustedProxies trusted, String fields) {
        StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: a\r\n");
        for (String line : fields.split("\\|", -1)) {
            request.append(line.strip()).append("\r\n");
        }
        try (MemoryServer server = MemoryServer.of(telling())) {
            trust(server, trusted);
            String answer = server.ask(server.connect("10.0.0.1"), request + "\r\n");
            assertThat(answer).startsWith("HTTP/1.1 200 ");
            return answer.substring(answer.indexOf("\r\n\r\n") + 4);
        }
    }
}
