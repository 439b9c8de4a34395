package dev.serval.gateway.proxy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.Handler;
import dev.serval.http.HeadCopy;
import dev.serval.http.RequestHead;
import dev.serval.net.memory.MemoryPeer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Fields that a mount sets and removes in requests.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
final class OwnFieldsTest {
    private static FieldSetting set(String name, @Nullable String value) {
        return new FieldSetting(name, value);
    }

    private static GatewayInMemory gateway(boolean trusts, FieldSetting... settings) {
        return new GatewayInMemory(
                1, new LrwpAgent(LrwpSettings.DEFAULT), handler(trusts, settings));
    }

    private static ProxyHandler handler(boolean trusts, FieldSetting... settings) {
        PeerPool pool = GatewayInMemory.pool(PoolLimits.DIAL_OUT);
        ProxyTarget target =
                ProxyTarget.DEFAULT.with(draft -> {
                    draft.trustsClient = trusts;
                    draft.fields = List.of(settings);
                });
        return new ProxyHandler(
                pool, target, new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), false));
    }

    private static String forwarded(boolean trusts, String request, FieldSetting... settings) {
        try (GatewayInMemory gateway = gateway(trusts, settings)) {
            MemoryPeer client = gateway.client(0);
            client.send(request);
            gateway.run();
            return gateway.accept(0).takeText();
        }
    }

    private static String forwarded(String fields, FieldSetting... settings) {
        String head = "GET /a%20b?q=1 HTTP/1.1\r\nHost: site:81\r\n" + fields + "\r\n";
        return forwarded(false, head, settings);
    }

    @ParameterizedTest
    @CsvSource({
        "$client, 127.0.0.1",
        "$host, site:81",
        "$scheme, http",
        "$uri, /a%20b?q=1",
        "fixed text, fixed text",
        "$scheme://$host$uri, http://site:81/a%20b?q=1",
        "for=$client;by=x, for=127.0.0.1;by=x",
        "$$client, $client",
        "5$$, 5$"
    })
    void valueMayHaveVariables(String value, String expected) {
        assertThat(forwarded("", set("X-Own", value)))
                .contains("\r\nX-Own: " + expected + "\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void hostIsTheOneThatATrustedProxyTells() {
        FieldSetting own = set("X-Own", "$scheme://$host");
        try (GatewayInMemory gateway = gateway(false, own)) {
            gateway.trustClients();
            MemoryPeer client = gateway.client(0);
            client.send(
                    "GET / HTTP/1.1\r\nHost: site:81\r\nX-Forwarded-Host: shop.example\r\n"
                            + "X-Forwarded-Proto: https\r\n\r\n");
            gateway.run();
            assertThat(gateway.accept(0).takeText())
                    .contains("\r\nHost: site:81\r\n", "\r\nX-Own: https://shop.example\r\n");
        }
    }

    @Test
    void uriIsTheOneThatTheClientHasSent() {
        assertThat(
                        forwarded(
                                copy -> copy.target("/new", "r"),
                                "GET /a%20b?q=1 HTTP/1.1\r\nHost: h\r\n\r\n",
                                set("X-Own", "$uri")))
                .startsWith("GET /new?r HTTP/1.1\r\n")
                .contains("\r\nX-Own: /a%20b?q=1\r\n");
    }

    /// The client's own fields of that name never reach the upstream.
    @Test
    void userIsTheOneWhoHasLoggedInAtTheMount() {
        String request = "GET / HTTP/1.1\r\nHost: h\r\nX-User: evil\r\nX_Login: evil\r\n\r\n";
        FieldSetting[] settings = {set("X-User", "$user"), set("X-Login", "u=$user")};
        assertThat(forwarded(copy -> copy.user("j\u00f6"), request, settings))
                .containsOnlyOnce("\r\nX-User: j\u00c3\u00b6\r\n") // UTF-8
                .containsOnlyOnce("\r\nX-Login: u=j\u00c3\u00b6\r\n")
                .doesNotContain("evil");
        assertThat(forwarded(copy -> copy, request, settings)).doesNotContain("X-User", "X-Login");
        assertThat(forwarded(copy -> copy.user("j\r\nX-Admin: yes"), request, settings))
                .doesNotContain("X-User", "X-Login", "X-Admin");
    }

    /// Returns what is forwarded after a rule of the mount has changed the head.
    private static String forwarded(
            UnaryOperator<HeadCopy> rule, String request, FieldSetting... settings) {
        ProxyHandler proxy = handler(false, settings);
        Handler ruled =
                x -> {
                    @Nullable RequestHead head = rule.apply(HeadCopy.of(x.request())).make();
                    EngineExchange.of(x).replaceHead(requireNonNull(head));
                    proxy.handle(x);
                };
        try (GatewayInMemory gateway =
                new GatewayInMemory(1, new LrwpAgent(LrwpSettings.DEFAULT), ruled)) {
            gateway.client(0).send(request);
            gateway.run();
            return gateway.accept(0).takeText();
        }
    }

    @ParameterizedTest
    @CsvSource({"http://site, /", "http://site?q, /?q"})
    void uriHasAPathAlsoIfTheClientHasLeftItAway(String target, String uri) {
        String request = "GET " + target + " HTTP/1.1\r\nHost: site\r\n\r\n";
        assertThat(forwarded(false, request, set("X-Own", "$uri")))
                .contains("\r\nX-Own: " + uri + "\r\n");
    }

    @Test
    void fieldsOfTheClientAreReplaced() {
        assertThat(
                        forwarded(
                                "X-User: evil\r\nx_user: evil\r\nX.USER: evil\r\nX-User2: kept\r\n",
                                set("X-User", "own")))
                .containsOnlyOnce("X-User: own\r\n")
                .contains("X-User2: kept\r\n")
                .doesNotContain("evil");
    }

    @Test
    void fieldsAreRemoved() {
        assertThat(
                        forwarded(
                                "Accept-Encoding: gzip\r\nX-A: 1\r\nCookie: c\r\n",
                                set("accept-encoding", null),
                                set("X-A", null)))
                .doesNotContain("gzip", "X-A")
                .contains("Cookie: c\r\n");
    }

    @Test
    void fieldsOfTheProxyAreReplacedToo() {
        String head =
                forwarded(
                        "",
                        set("X-Forwarded-Proto", "https"),
                        set("X-Forwarded-Host", "front"),
                        set("X-Forwarded-For", null),
                        set("Forwarded", null));
        assertThat(head)
                .containsOnlyOnce("X-Forwarded-Host")
                .contains("\r\nX-Forwarded-Proto: https\r\n", "\r\nX-Forwarded-Host: front\r\n")
                .doesNotContain("X-Forwarded-For", "\r\nForwarded:", "Proto: http\r\n");
    }

    @Test
    void fieldsOfATrustedClientAreReplacedToo() {
        String request =
                "GET / HTTP/1.1\r\nHost: h\r\nX-Real-IP: 9.9.9.9\r\nX_Real_IP: 8.8.8.8\r\n\r\n";
        assertThat(forwarded(true, request, set("X-Real-IP", "$client")))
                .containsOnlyOnce("X-Real-IP: 127.0.0.1\r\n")
                .doesNotContain("9.9.9.9", "8.8.8.8");
    }

    @Test
    void trailersCannotReplaceThem() {
        String request =
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "2\r\nhi\r\n0\r\nX-User: evil\r\nX-T: t\r\n\r\n";
        assertThat(forwarded(false, request, set("X-User", "own")))
                .doesNotContain("evil")
                .endsWith("\r\n0\r\nX-T: t\r\n\r\n");
    }

    @Test
    void hostIsTheAddressIfTheClientNamedNone() {
        assertThat(forwarded(false, "GET / HTTP/1.0\r\n\r\n", set("X-Own", "$host")))
                .contains("\r\nX-Own: 127.0.0.1:80\r\n");
    }

    @Test
    void longValuesHaveRoom() {
        String value = "$uri".repeat(50) + "$client".repeat(50) + "-" + "x".repeat(20_000);
        String path = "/" + "p".repeat(1000);
        String head =
                forwarded(
                        false, "GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n", set("X-Own", value));
        assertThat(head)
                .contains(
                        "X-Own: "
                                + path.repeat(50)
                                + "127.0.0.1".repeat(50)
                                + "-"
                                + "x".repeat(20_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "Transfer-Encoding",
                "Connection",
                "Upgrade",
                "TE",
                "Via",
                "Expect",
                "",
                "a b",
                "a:b",
                "\u00fc"
            })
    void someNamesAreRefused(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> set(name, "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> set(name, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " x",
                "x ",
                "a\r\nb",
                "\u00fc",
                "$",
                "$nothing",
                "$clients",
                "$host2",
                "$users",
                "a$"
            })
    void someValuesAreRefused(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> set("X-Own", value));
    }
}
