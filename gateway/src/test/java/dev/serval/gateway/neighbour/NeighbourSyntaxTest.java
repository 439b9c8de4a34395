package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.proxy.ProxyTarget;
import dev.serval.gateway.proxy.Rewriting;
import dev.serval.gateway.proxy.Stickiness;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NeighbourSyntaxTest {
    @Test
    void readsSeveralUpstreams() {
        Neighbour read = right("http://127.0.0.1:9000,127.0.0.1:9001");
        assertThat(read.addresses())
                .extracting(Neighbour.Place::addresses)
                .containsExactly(List.of(at("127.0.0.1", 9000)), List.of(at("127.0.0.1", 9001)));
        assertThat(((Neighbour.Http) read.kind()).target().basePath()).isNull();
        assertThat(right("http://127.0.0.1:1,http://127.0.0.1:2").addresses()).hasSize(2);
        assertThat(addresses(right("http://[::1]:80"))).containsExactly(at("::1", 80));
        assertThat(addresses(right("http://127.0.0.1"))).containsExactly(at("127.0.0.1", 80));
    }

    @Test
    void takesAllAddressesOfAName() throws IOException {
        List<SocketAddress> all = new ArrayList<>();
        for (InetAddress one : InetAddress.getAllByName("localhost")) {
            all.add(new InetSocketAddress(one, 5173));
        }
        assertThat(addresses(right("http://localhost:5173"))).isEqualTo(all);
    }

    private static List<SocketAddress> addresses(Neighbour read) {
        return read.addresses().getFirst().addresses();
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:1/, ''",
        "http://127.0.0.1:1/base, /base",
        "http://127.0.0.1:1/a/b/, /a/b",
        "http://unix:/run/a.sock?path=/x, /x",
        "http://127.0.0.1:1?path=/, ''"
    })
    void readsThePathThatReplacesThePrefix(String text, String expected) {
        assertThat(((Neighbour.Http) right(text).kind()).target().basePath()).isEqualTo(expected);
    }

    @Test
    void readsUnixSocketsAndOptions() {
        try (TempTree tree = TempTree.create()) {
            Neighbour read =
                    right(
                            "fastcgi://unix:/run/php.sock?root="
                                    + tree.root()
                                    + "&connections=7&answer-time=2m&fallback=/app.php&send="
                                    + tree.root());
            assertThat(addresses(read))
                    .containsExactly(UnixDomainSocketAddress.of("/run/php.sock"));
            assertThat(read.limits().connectionsMax()).isEqualTo(7);
            assertThat(read.limits().answerNanos()).isEqualTo(TimeUnit.MINUTES.toNanos(2));
            Neighbour.Fastcgi php = (Neighbour.Fastcgi) read.kind();
            assertThat(php.target().root()).isEqualTo(tree.root().toAbsolutePath());
            assertThat(php.target().fallback()).isEqualTo("/app.php");
            assertThat(php.target().local()).isTrue();
        }
        assertThat(right("fastcgi://127.0.0.1:9000").limits().connectionsMax()).isEqualTo(128);
        assertThat(right("fastcgi://127.0.0.1:9000?keep=yes").limits().connectionsMax())
                .isEqualTo(4);
        Neighbour.Fastcgi remote =
                (Neighbour.Fastcgi)
                        right("fastcgi://127.0.0.1:9000?root=/srv/far&remote=yes").kind();
        assertThat(remote.target().local()).isFalse();
        assertThat(right("scgi://127.0.0.1:4000").kind())
                .isEqualTo(new Neighbour.Scgi(true, null, List.of()));
        assertThat(right("scgi://127.0.0.1:4000?buffer=no").kind())
                .isEqualTo(new Neighbour.Scgi(false, null, List.of()));
        assertThat(remote.collects()).isTrue();
        assertThat(remote.target().keepsConnections()).isFalse();
        Neighbour.Fastcgi keeping =
                (Neighbour.Fastcgi) right("fastcgi://127.0.0.1:9000?keep=yes").kind();
        assertThat(keeping.target().keepsConnections()).isTrue();
        Neighbour.Http http =
                (Neighbour.Http)
                        right("http://127.0.0.1:1?check=/health&host=a.example&trust=yes").kind();
        assertThat(http.check()).isNotNull().extracting(Neighbour.Check::path).isEqualTo("/health");
        assertThat(http.target().host()).isEqualTo("a.example");
        assertThat(http.target().trustsClient()).isTrue();
        assertThat(http.collects()).isTrue();
        assertThat(((Neighbour.Http) right("http://127.0.0.1:1?buffer=no").kind()).collects())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://127.0.0.1:1?tls-verify=maybe | tls-verify takes yes or no",
                "https://127.0.0.1:1?tls-verify=no&tls-authorities=a.pem | authorities has no effect",
                "https://127.0.0.1:1?tls-authorities=/none.pem | /none.pem",
                "https://127.0.0.1:1?tls-name=a/b | is a host name without a port",
                "https://127.0.0.1:1?tls-key=k.pem | no certificate to show",
                "https://127.0.0.1:1?tls-certificate=c.pem | needs its key",
                "https://unix:/run/app.sock | write http://unix:FILE",
                "http://127.0.0.1:1?tls-verify=no | tls-verify does not exist here",
                "ws://127.0.0.1:1 | possible are http:// and https:// (also for WebSocket), fastcgi:// and scgi://",
                "http:// | needs HOST:PORT or unix:FILE",
                "http://a:0 | needs HOST:PORT or unix:FILE",
                "http://a:99999 | needs HOST:PORT or unix:FILE",
                "http://127.0.0.1:1, | needs HOST:PORT or unix:FILE",
                "http://[ | needs HOST:PORT or unix:FILE",
                "http://[:1 | needs HOST:PORT or unix:FILE",
                "http://[]:1 | needs HOST:PORT or unix:FILE",
                "http://[::1 | needs HOST:PORT or unix:FILE",
                "http://::1]:80 | needs HOST:PORT or unix:FILE",
                "http://127.0.0.1:1/x,127.0.0.1:2/y | has two paths",
                "scgi://unix: | write unix:/run/app.sock",
                "scgi://127.0.0.1 | needs HOST:PORT or unix:FILE",
                "scgi://127.0.0.1:1/x | only http:// and https:// can have one",
                "http://no.such.host.invalid | the name service does not know",
                "http://127.0.0.1:1?cheks=/x | possible are path, host, trust, interims",
                "scgi://127.0.0.1:1?root=/x | possible are buffer, send, connections, queue",
                "scgi://127.0.0.1:1?buffer=1 | takes yes or no",
                "http://127.0.0.1:1?buffer=0 | takes yes or no",
                "http://127.0.0.1:1?check | write NAME=VALUE",
                "http://127.0.0.1:1?check=x | takes a path, such as /health",
                "http://127.0.0.1:1?trust=maybe | takes yes or no",
                "http://127.0.0.1:1?queue=-1 | takes a number from 1 to 100000",
                "http://127.0.0.1:1?queue=0 | takes a number from 1 to 100000",
                "http://127.0.0.1:1?connections=0 | takes a number from 1",
                "http://127.0.0.1:1?answer-time=60 | takes a time, such as 30s",
                "http://127.0.0.1:1?answer-time=9999999h | at most 365 days, which is 8760h",
                "http://127.0.0.1:1?answer-time=8761h | takes a time of at most 365 days",
                "http://127.0.0.1:1?queue-time=525601m | takes a time of at most 365 days",
                "scgi://127.0.0.1:1?connect-time=31536001s | takes a time of at most 365 days",
                "http://127.0.0.1:1?tunnel-idle=8761h | takes a time of at most 365 days",
                "http://127.0.0.1:1?check=/&check-every=8761h | takes a time of at most 365 days",
                "http://127.0.0.1:1?queue=1&queue=2 | twice",
                "http://127.0.0.1:1?host=a%20b | a name with or without a port",
                "http://127.0.0.1:1?weights=1,2 | takes one value for each address",
                "http://127.0.0.1:1?weights=x | takes numbers, such as 3,1",
                "http://127.0.0.1:1?weights=1001 | from 0 to 1000",
                "http://127.0.0.1:1?weights=0 | must be above 0",
                "http://127.0.0.1:1?backup=127.0.0.1:2 | which is not one of the addresses",
                "http://127.0.0.1:1?backup=127.0.0.1:1 | All addresses are backups",
                "http://127.0.0.1:1?sticky=JSESSIONID&routes=a,b | takes one value for each",
                "http://127.0.0.1:1?routes=a | no cookie is named",
                "http://127.0.0.1:1?sticky=a%20b | is a token",
                "scgi://127.0.0.1:1?sticky=a | does not exist here",
                "scgi://127.0.0.1:1?routes=a | does not exist here",
                "http://127.0.0.1:1?redirect=on | takes off, default or FROM->TO",
                "http://127.0.0.1:1?cookie-path=->/x | from a text to another one",
                "http://127.0.0.1:1?path=x | The path of an upstream is /name",
                "fastcgi://127.0.0.1:1?root=/no/such/folder | which does not exist: add remote=yes",
                "fastcgi://127.0.0.1:1?index=a.php | add root=FOLDER",
                "fastcgi://127.0.0.1:1?root=/&index=a/b | is a file name, such as index.php",
                "fastcgi://127.0.0.1:1?root=/&fallback=/../x | is a script below its root"
            })
    void saysWhatIsPossible(String text, String expected) {
        assertThat(NeighbourSyntax.read(text))
                .isInstanceOfSatisfying(
                        NeighbourSyntax.Wrong.class,
                        wrong ->
                                assertThat(wrong.sentence())
                                        .startsWith("\"" + text + "\"")
                                        .contains(expected)
                                        .endsWith("."));
    }

    @ParameterizedTest
    @CsvSource({
        "http://no.such.host.invalid, true",
        "fastcgi://127.0.0.1:1?root=/no/such/folder, true",
        "http://127.0.0.1:1?send=/no/such/folder, true",
        "http://127.0.0.1:x, false",
        "ajp://127.0.0.1:1, false"
    })
    void tellsWhatIsMissingOnThisMachineFromMistakes(String text, boolean machine) {
        assertThat(NeighbourSyntax.read(text))
                .isInstanceOfSatisfying(
                        NeighbourSyntax.Wrong.class,
                        wrong -> assertThat(wrong.machine()).isEqualTo(machine));
    }

    @Test
    void takesTheSmallestQueueAndTheLongestTime() {
        Neighbour read = right("http://127.0.0.1:1?queue=1&answer-time=8760h&idle-time=525600m");
        assertThat(read.limits().queueMax()).isEqualTo(1);
        assertThat(read.limits().answerNanos()).isEqualTo(TimeUnit.DAYS.toNanos(365));
        assertThat(read.limits().idleNanos()).isEqualTo(TimeUnit.DAYS.toNanos(365));
    }

    @ParameterizedTest
    @CsvSource({
        "http://a, true",
        "HTTP://a, true",
        "uwsgi://a, true",
        "./site, false",
        "/srv/a, false",
        "C:/site, false",
        "site, false"
    })
    void schemeDistinguishesAddressFromFile(String text, boolean expected) {
        assertThat(NeighbourSyntax.isNeighbour(text)).isEqualTo(expected);
    }

    @Test
    void readsWeightsBackupsAndRoutes() {
        Neighbour read =
                right(
                        "http://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3/base?weights=3,0,1"
                                + "&backup=127.0.0.1:3&sticky=JSESSIONID&routes=a,b,c");
        assertThat(read.addresses())
                .extracting(Neighbour.Place::share)
                .containsExactly(
                        new Upstream.Share(3, false),
                        new Upstream.Share(0, false),
                        new Upstream.Share(1, true));
        assertThat(((Neighbour.Http) read.kind()).target().stickiness())
                .isEqualTo(new Stickiness.RouteOfApplication("JSESSIONID", List.of("a", "b", "c")));
        assertThat(
                        right("scgi://127.0.0.1:1,127.0.0.1:2?weights=1,2")
                                .addresses()
                                .getLast()
                                .share())
                .isEqualTo(new Upstream.Share(2, false));
    }

    @Test
    void readsChangesOfAnswers() {
        ProxyTarget off = target("http://127.0.0.1:1?redirect=off&cookie-path=off");
        assertThat(off.redirects()).isEqualTo(Rewriting.OFF);
        assertThat(off.cookiePaths()).isEqualTo(Rewriting.OFF);
        ProxyTarget usual =
                target(
                        "http://127.0.0.1:1?redirect=default&cookie-path=default&cookie-domain=default");
        assertThat(usual.redirects()).isEqualTo(Rewriting.DEFAULT);
        assertThat(usual.cookiePaths()).isEqualTo(Rewriting.DEFAULT);
        assertThat(usual.cookieDomains()).isEqualTo(Rewriting.DEFAULT);
        ProxyTarget pairs =
                target(
                        "http://127.0.0.1:1?redirect=http://a/->/b/,default,/c->/d&cookie-domain=x->");
        assertThat(pairs.redirects())
                .isEqualTo(
                        new Rewriting(
                                true,
                                List.of(
                                        new Rewriting.Pair("http://a/", "/b/"),
                                        new Rewriting.Pair("/c", "/d"))));
        assertThat(pairs.cookieDomains())
                .isEqualTo(Rewriting.of(List.of(new Rewriting.Pair("x", ""))));
    }

    private static ProxyTarget target(String text) {
        return ((Neighbour.Http) right(text).kind()).target();
    }

    @Test
    void schemeMayBeInUpperCase() {
        assertThat(right("FastCGI://127.0.0.1:1,FASTCGI://127.0.0.1:2").addresses()).hasSize(2);
    }

    @Test
    void pathOfSocketHasAtMost107Bytes() {
        String fits = "scgi://unix:/" + "a".repeat(106);
        assertThat(right(fits).addresses()).hasSize(1);
        assertThat(NeighbourSyntax.read(fits + "a"))
                .isInstanceOfSatisfying(
                        NeighbourSyntax.Wrong.class,
                        wrong -> assertThat(wrong.sentence()).contains("above 107 bytes"));
    }

    private static Neighbour right(String text) {
        return switch (NeighbourSyntax.read(text)) {
            case NeighbourSyntax.Right right -> right.neighbour();
            case NeighbourSyntax.Wrong wrong -> throw new AssertionError(wrong.sentence());
        };
    }

    private static InetSocketAddress at(String address, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), port);
    }
}
