package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a mount changes in the fields of answers, and cookies that bind clients to upstreams.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class AnswerChangesTest {
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    private static final Stickiness OWN = new Stickiness.OwnCookie("srv", null);

    private final List<Upstream> upstreams = List.of(upstream(1), upstream(2));
    private final PeerPool pool = PeerPool.dialOut("p", PoolLimits.DIAL_OUT, upstreams);

    private static Upstream upstream(int port) {
        return new Upstream(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), "up:" + port);
    }

    private GatewayInMemory gateway(Consumer<ProxyTarget.Draft> change) {
        ProxyHandler handler =
                new ProxyHandler(
                        pool,
                        ProxyTarget.DEFAULT.with(change),
                        new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), false));
        return new GatewayInMemory(1, new LrwpAgent(LrwpSettings.DEFAULT), handler);
    }

    private static MemoryPeer asks(GatewayInMemory gateway, String fields) {
        MemoryPeer client = gateway.client(0);
        client.send("GET / HTTP/1.1\r\nHost: site\r\n" + fields + "\r\n");
        gateway.run();
        return client;
    }

    private static String answered(GatewayInMemory gateway, MemoryPeer client, String answer) {
        MemoryPeer up = gateway.accept(0);
        up.send(answer);
        gateway.run();
        return client.takeText();
    }

    private static String field(String head, String name) {
        int at = head.indexOf("\r\n" + name + ": ");
        assertThat(at).as(name + " in " + head).isNotNegative();
        int from = at + name.length() + 4;
        return head.substring(from, head.indexOf("\r\n", from));
    }

    private String location(Consumer<ProxyTarget.Draft> change, String sent) {
        try (GatewayInMemory gateway = gateway(change)) {
            String answer =
                    "HTTP/1.1 302 Found\r\nLocation: " + sent + "\r\nContent-Length: 0\r\n\r\n";
            return field(answered(gateway, asks(gateway, ""), answer), "Location");
        }
    }

    // URLs

    @Test
    void hostIsTheOneThatATrustedProxyTells() {
        String answer =
                "HTTP/1.1 302 Found\r\nLocation: https://shop.example/base/x\r\nContent-Length: 0\r\n"
                        + "\r\n";
        Consumer<ProxyTarget.Draft> usual =
                draft -> {
                    draft.basePath = "/base";
                    draft.redirects = Rewriting.DEFAULT;
                };
        try (GatewayInMemory gateway = gateway(usual)) {
            gateway.trustClients();
            MemoryPeer client = asks(gateway, "X-Forwarded-Host: shop.example\r\n");
            assertThat(field(answered(gateway, client, answer), "Location"))
                    .isEqualTo("https://shop.example/x");
        }
    }

    @Test
    void locationStaysIfNothingIsSaid() {
        String url = "http://up:1/base/x";
        assertThat(location(draft -> draft.basePath = "/base", url)).isEqualTo(url);
    }

    @ParameterizedTest
    @CsvSource({
        "http://up:1/base/x, /x",
        "http://up:2/base/x, /x",
        "http://app.internal/base/x, /x",
        "http://site/base/x, http://site/x",
        "/base/x, /x",
        "http://up:3/base/x, http://up:3/base/x"
    })
    void usualChangeKnowsAddressesHostAndPath(String sent, String expected) {
        Consumer<ProxyTarget.Draft> usual =
                draft -> {
                    draft.basePath = "/base";
                    draft.host = "app.internal";
                    draft.redirects = Rewriting.DEFAULT;
                };
        assertThat(location(usual, sent)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "true, http://old/a/x, /A/x",
        "true, http://old/b, /old/b",
        "true, http://up:1/base/x, /x",
        "false, http://up:1/base/x, http://up:1/base/x",
        "true, http://other/x, //new/x"
    })
    void pairsComeFirst(boolean usual, String sent, String expected) {
        Consumer<ProxyTarget.Draft> pairs =
                draft -> {
                    draft.basePath = "/base";
                    draft.redirects =
                            new Rewriting(
                                    usual,
                                    List.of(
                                            new Rewriting.Pair("http://old/a", "/A"),
                                            new Rewriting.Pair("http://old", "/old"),
                                            new Rewriting.Pair("http://other", "//new")));
                };
        assertThat(location(pairs, sent)).isEqualTo(expected);
    }

    @Test
    void pairThatLeavesTwoSlashesNamesNoHost() {
        Consumer<ProxyTarget.Draft> pairs =
                draft ->
                        draft.redirects =
                                Rewriting.of(List.of(new Rewriting.Pair("http://old", "")));
        assertThat(location(pairs, "http://old//evil.example/")).isEqualTo("/evil.example/");
    }

    @Test
    void allFieldsWithUrlsAreChangedAndNoOther() {
        Consumer<ProxyTarget.Draft> usual =
                draft -> {
                    draft.basePath = "/base";
                    draft.redirects = Rewriting.DEFAULT;
                };
        try (GatewayInMemory gateway = gateway(usual)) {
            String answer =
                    "HTTP/1.1 200 OK\r\nContent-Location: /base/c\r\nlocation: /base/l\r\n"
                            + "Refresh: 5; URL='/base/r'\r\nLink: </base/x>\r\n"
                            + "X-Location: /base/x\r\nSet-Cookie: a=b; Path=/base\r\n"
                            + "Content-Length: 7\r\n\r\n/base/x";
            String head = answered(gateway, asks(gateway, ""), answer);
            assertThat(head)
                    .contains("\r\nContent-Location: /c\r\n", "\r\nLocation: /l\r\n")
                    .contains("\r\nRefresh: 5; URL='/r'\r\n", "\r\nLink: </base/x>\r\n")
                    .contains("\r\nX-Location: /base/x\r\n", "Set-Cookie: a=b; Path=/base\r\n")
                    .endsWith("\r\n\r\n/base/x");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0;url=/base/x, 0;url=/x",
        "'5, url=\"/base/x\"', '5, url=\"/x\"'",
        "0; url=http://up:1/base/, 0; url=/",
        "0; url=/other, 0; url=/other",
        "0; url=\"/base/x, 0; url=\"/base/x",
        "0; url=, 0; url=",
        "30, 30"
    })
    void refreshKeepsAllButTheUrl(String sent, String expected) {
        Consumer<ProxyTarget.Draft> usual =
                draft -> {
                    draft.basePath = "/base";
                    draft.redirects = Rewriting.DEFAULT;
                };
        try (GatewayInMemory gateway = gateway(usual)) {
            String answer = "HTTP/1.1 200 OK\r\nRefresh: " + sent + "\r\nContent-Length: 0\r\n\r\n";
            String head = answered(gateway, asks(gateway, ""), answer);
            assertThat(field(head, "Refresh")).isEqualTo(expected);
        }
    }

    @Test
    void cookiesAreChangedOneByOne() {
        Consumer<ProxyTarget.Draft> usual =
                draft -> {
                    draft.basePath = "/base";
                    draft.cookiePaths = Rewriting.DEFAULT;
                    draft.cookieDomains = Rewriting.DEFAULT;
                };
        try (GatewayInMemory gateway = gateway(usual)) {
            String answer =
                    "HTTP/1.1 200 OK\r\nSet-Cookie: a=1;  Path=/base/x;Secure\r\n"
                            + "set-cookie: b=\u00e9 ;;x; path=/y; Domain=elsewhere\r\n"
                            + "Set-Cookie: c=3; Domain=up; HttpOnly\r\nLocation: /base/x\r\n"
                            + "Content-Length: 0\r\n\r\n";
            String head = answered(gateway, asks(gateway, ""), answer);
            assertThat(head)
                    .contains("\r\nSet-Cookie: a=1;  Path=/x;Secure\r\n")
                    .containsIgnoringCase(
                            "\r\nset-cookie: b=\u00e9 ;;x; path=/y; Domain=elsewhere\r\n")
                    .contains("\r\nSet-Cookie: c=3; HttpOnly\r\n")
                    .contains("\r\nLocation: /base/x\r\n");
        }
    }

    // Cookies of the proxy

    @Test
    void cookieBindsTheClientToItsUpstream() {
        try (GatewayInMemory gateway = gateway(draft -> draft.stickiness = OWN)) {
            MemoryPeer first = asks(gateway, "");
            MemoryPeer up = gateway.accept(0);
            up.send(EMPTY);
            gateway.run();
            String cookie = field(first.takeText(), "Set-Cookie");
            assertThat(cookie).endsWith("; Path=/; HttpOnly; SameSite=Lax").doesNotContain("up:1");
            String bound = "Cookie: x=y; " + cookie.substring(0, cookie.indexOf(';')) + "\r\n";
            asks(gateway, bound); // on the idle connection
            MemoryPeer second = asks(gateway, bound);
            assertThat(upstreams.getFirst().open()).as("busier, but bound").isEqualTo(2);
            assertThat(upstreams.get(1).open()).isZero();
            assertThat(answered(gateway, second, EMPTY)).startsWith("HTTP/1.1 200 ");
            up.send(EMPTY);
            gateway.run();
        }
    }

    @Test
    void answerToABoundRequestSetsNoCookie() {
        try (GatewayInMemory gateway = gateway(draft -> draft.stickiness = OWN)) {
            StickyCookie cookies = new StickyCookie(OWN, upstreams);
            String cookie = cookies.setCookie(1, "/", false);
            String pair = cookie.substring(0, cookie.indexOf(';'));
            MemoryPeer client = asks(gateway, "Cookie: " + pair + "\r\n");
            assertThat(answered(gateway, client, EMPTY))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("Set-Cookie");
            assertThat(upstreams.get(1).open()).isOne();
        }
    }

    @Test
    void cookieIsReplacedIfItsUpstreamIsDown() {
        try (GatewayInMemory gateway = gateway(draft -> draft.stickiness = OWN)) {
            StickyCookie cookies = new StickyCookie(OWN, upstreams);
            String cookie = cookies.setCookie(1, "/", false);
            String pair = cookie.substring(0, cookie.indexOf(';'));
            upstreams.get(1).mark(false);
            MemoryPeer client = asks(gateway, "Cookie: " + pair + "\r\n");
            String head = answered(gateway, client, EMPTY);
            assertThat(field(head, "Set-Cookie")).isEqualTo(cookies.setCookie(0, "/", false));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"srv=", "srv=x", "other=1"})
    void wrongCookieBindsToNothingAndIsReplaced(String pair) {
        try (GatewayInMemory gateway = gateway(draft -> draft.stickiness = OWN)) {
            MemoryPeer client = asks(gateway, "Cookie: " + pair + "\r\n");
            assertThat(field(answered(gateway, client, EMPTY), "Set-Cookie")).startsWith("srv=");
        }
    }

    @Test
    void upgradedConnectionBindsToo() {
        try (GatewayInMemory gateway = gateway(draft -> draft.stickiness = OWN)) {
            MemoryPeer client = asks(gateway, "Connection: Upgrade\r\nUpgrade: x\r\n");
            String head =
                    answered(
                            gateway,
                            client,
                            "HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
            assertThat(head).startsWith("HTTP/1.1 101 ").contains("\r\nSet-Cookie: srv=");
        }
    }

    @Test
    void cookieOfTheApplicationBindsAndNoneIsSet() {
        Stickiness routes = new Stickiness.RouteOfApplication("JSESSIONID", List.of("one", "two"));
        try (GatewayInMemory gateway = gateway(draft -> draft.stickiness = routes)) {
            MemoryPeer client = asks(gateway, "Cookie: JSESSIONID=0A.two\r\n");
            assertThat(answered(gateway, client, EMPTY))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("Set-Cookie");
            assertThat(upstreams.get(1).open()).isOne();
            MemoryPeer fresh = asks(gateway, "");
            assertThat(answered(gateway, fresh, EMPTY)).doesNotContain("Set-Cookie");
        }
    }

    // With a prefix, by sockets

    @ParameterizedTest
    @CsvSource({"/app, /app", "/a b, /a%20b", "/\u00fc;x, /%C3%BC%3Bx"})
    void prefixIsWrittenAsClientsWriteIt(String prefix, String written) {
        Step answer =
                Step.Send.of("HTTP/1.1 200 OK\r\nLocation: /base/x\r\nContent-Length: 0\r\n\r\n");
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("\r\n\r\n"), answer, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of(
                                prefix
                                        + "=http://127.0.0.1:"
                                        + peer.address().getPort()
                                        + "/base?redirect=default&sticky=srv");
                RawClient client = RawClient.connect(server.address())) {
            RawResponse response =
                    client.exchange("GET " + written + "/y HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(response.field("Location")).isEqualTo(written + "/x");
            assertThat(response.field("Set-Cookie")).contains("; Path=" + written + "; HttpOnly");
        }
    }
}
