package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.FILES;
import static dev.serval.gateway.lrwp.Clients.get;
import static dev.serval.gateway.lrwp.Clients.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.lrwp.Messages.Request;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.handler.Handler;
import dev.serval.http.HeadCopy;
import dev.serval.http.RequestHead;
import dev.serval.metrics.RequestPhase;
import dev.serval.metrics.SlowRequest;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests and answers between HTTP clients and LRWP peers, in memory (facts §6).
final class LrwpAgentTest {
    private static final String FF = "\u00ff";
    private final LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);

    private GatewayInMemory gateway() {
        return new GatewayInMemory(1, agent, agent.handler(), FILES);
    }

    /// Case 2: the wire form of a request.
    @Test
    void sendsTheRequestInOneWriteWithTrueLengths() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            long writes = peer.writes();
            MemoryPeer client = gateway.client(0);
            client.send(
                    "GET /app/p%61th/x?q=1 HTTP/1.1\r\nHost: h.example:99\r\nX-A: one"
                            + "\r\nProxy: evil\r\nX_A: two\r\n\r\n");
            gateway.run();
            assertThat(peer.writes() - writes).isEqualTo(1);
            Request request = Messages.request(peer.takeText());
            assertThat(request.body()).isEmpty();
            assertThat(request.variables())
                    .containsEntry("REQUEST_METHOD", "GET")
                    .containsEntry("QUERY_METHOD", "GET")
                    .containsEntry("QUERY_STRING", "q=1")
                    .containsEntry("SCRIPT_NAME", "/app")
                    .containsEntry("PATH_INFO", "/path/x")
                    .containsEntry("CONTENT_LENGTH", "0")
                    .containsEntry("SERVER_NAME", "h.example")
                    .containsEntry("HTTP_X_A", "one")
                    .containsEntry("SERVER_URL", "http://h.example:99")
                    .containsEntry("SERVER_VERSION", "")
                    .containsEntry("DOCUMENT_ROOT", "")
                    .containsEntry("PATH_TRANSLATED", "")
                    .containsEntry("CGI_ROOT", "")
                    .containsEntry("CGI_URL", "")
                    .doesNotContainKeys("HTTP_PROXY", "PATH", "HOME", "USER");
            peer.send(Messages.plain("done"));
            gateway.run();
            assertThat(client.takeText())
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Type: text/plain\r\n", "Content-Length: 4\r\n")
                    .endsWith("\r\n\r\ndone");
        }
    }

    /// A rule of the mount may have checked a password.
    @Test
    void tellsTheUserOnce() {
        Handler login =
                x -> {
                    RequestHead ofUser = HeadCopy.of(x.request()).user("ann").make();
                    EngineExchange.of(x).replaceHead(Objects.requireNonNull(ofUser));
                    x.pass();
                };
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, login, agent.handler())) {
            assertThat(variables(gateway)).containsEntry("REMOTE_USER", "ann");
        }
        try (GatewayInMemory gateway = gateway()) {
            assertThat(variables(gateway))
                    .containsEntry("REMOTE_USER", "-")
                    .doesNotContainKey("AUTH_TYPE");
        }
    }

    private static Map<String, String> variables(GatewayInMemory gateway) {
        MemoryPeer peer = gateway.registered(0, "app");
        gateway.client(0).send(get("/app"));
        gateway.run();
        return Messages.request(peer.takeText()).variables();
    }

    /// Case 1: bodies come back equal, with every byte.
    @ParameterizedTest
    @ValueSource(ints = {1, 1200, 8192, 8193, 70_000, 300_000})
    void echoesBodiesOfEveryByte(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) (i % 256));
        }
        String body = text.toString();
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(post("/app", body));
            pump(gateway);
            Request request = Messages.request(peer.takeText());
            assertThat(request.variables()).containsEntry("CONTENT_LENGTH", "" + length);
            assertThat(request.body()).isEqualTo(body);
            peer.send(Messages.answer("Content-Type: x/y\r\n\r\n" + body));
            pump(gateway);
            String answer = client.takeText();
            assertThat(answer).contains("Content-Length: " + length + "\r\n");
            assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4)).isEqualTo(body);
        }
    }

    /// A peer may have registered before the mount was made.
    @Test
    void guardedMountIsNotTakenByANameWithoutARule() {
        LrwpSettings ruled =
                LrwpSettings.DEFAULT.withAllowed(
                        AllowedNames.ALL.with("demo", Messages.bytes("open sesame")));
        LrwpAgent guarding = new LrwpAgent(ruled);
        try (GatewayInMemory gateway =
                new GatewayInMemory(1, guarding, guarding.guardedHandler(), FILES)) {
            List<MemoryPeer> foreign =
                    List.of(
                            gateway.registered(0, "app"),
                            gateway.registered(0, "/"),
                            gateway.registered(0, ".lrp"),
                            gateway.registered(0, "demo/x"),
                            gateway.registered(0, "app" + FF + "h.example"));
            for (String target : List.of("/app", "/app/x", "/", "/a.lrp", "/demo")) {
                MemoryPeer client = gateway.client(0);
                assertThat(gateway.ask(client, get(target))).endsWith("files");
            }
            MemoryPeer demo = gateway.peer(0);
            demo.send(FF + "2.0" + FF + "demo" + FF + FF);
            gateway.run();
            demo.send("000000032");
            demo.send(
                    Challenge.answer(
                            Arrays.copyOfRange(demo.take(), 19, 51),
                            Messages.bytes("open sesame")));
            gateway.run();
            assertThat(demo.takeText()).isEqualTo("OK" + FF);
            gateway.pass(Duration.ofMillis(100));
            MemoryPeer client = gateway.client(0);
            client.send(get("/demo/x"));
            gateway.run();
            assertThat(demo.takeText()).contains("SCRIPT_NAME=/demo\0");
            demo.send(Messages.plain("demo"));
            gateway.run();
            assertThat(client.takeText()).endsWith("demo");
            assertThat(foreign).allSatisfy(peer -> assertThat(peer.takeText()).isEmpty());
        }
    }

    private static void pump(GatewayInMemory gateway) {
        for (int i = 0; i < 20; i++) {
            gateway.run();
            gateway.work();
        }
    }

    /// Case 3: the forms of an output.
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "A: 1\\r\\n\\r\\nhi; HTTP/1.1 200 OK; hi",
                "A: 1\\n\\nhi; HTTP/1.1 200 OK; hi",
                "Status: 404 Nope\\r\\n\\r\\ngone; HTTP/1.1 404 Not Found; gone",
                "Location: http://a/b\\r\\n\\r\\n; HTTP/1.1 302 Found; ''",
                "Location: /local\\r\\n\\r\\n; HTTP/1.1 302 Found; ''",
                "HTTP/1.1 201 Created\\r\\nA: b\\r\\n\\r\\nnph; HTTP/1.1 201 Created; nph",
                "no header at all; HTTP/1.1 200 OK; no header at all",
                "<html>hi</html>; HTTP/1.1 200 OK; <html>hi</html>",
                "@/tmp/x; HTTP/1.1 200 OK; @/tmp/x",
                "Content-length: 2\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nhello;"
                        + " HTTP/1.1 200 OK; hello",
                "Status: 99 x\\r\\n\\r\\nhi; HTTP/1.1 502 Bad Gateway; -",
                "Status: 100\\r\\n\\r\\nhi; HTTP/1.1 502 Bad Gateway; -",
                "Status: abc\\r\\n\\r\\nhi; HTTP/1.1 502 Bad Gateway; -",
                "Content Type: a/b\\r\\n\\r\\nhi; HTTP/1.1 502 Bad Gateway; -",
                "A: x\\u0000y\\r\\n\\r\\nhi; HTTP/1.1 502 Bad Gateway; -",
            })
    void answersEveryForm(String output, String line, String content) {
        String raw =
                output.replace("\\r", "\r").replace("\\n", "\n").replace("\\u0000", "\0").strip();
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            for (int pieces : new int[] {Integer.MAX_VALUE, 1, 9}) { // whole, bytes, two writes
                peer.pieces(pieces);
                MemoryPeer client = gateway.client(0);
                client.send(get("/app"));
                gateway.run();
                assertThat(Messages.hasRequest(peer.takeText())).isTrue();
                peer.send(Messages.answer(output.startsWith("Location") ? raw + "\r\n\r\n" : raw));
                for (int i = 0; i < 12; i++) {
                    gateway.run();
                }
                String answer = client.takeText();
                assertThat(answer).startsWith(line + "\r\n");
                if (!content.equals("-")) {
                    assertThat(answer)
                            .contains("Content-Length: " + content.length() + "\r\n")
                            .doesNotContain("Transfer-Encoding")
                            .endsWith("\r\n\r\n" + content);
                }
            }
        }
    }

    /// Case 18: fields of the connection are for the server to write. Those that name a file are for a
    /// server that sends it.
    @Test
    void dropsFieldsOfTheConnectionAndOfFiles() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.clear();
            peer.send(
                    Messages.answer(
                            """
                            Connection: close, X-Own
                            Keep-Alive: timeout=5
                            Upgrade: websocket
                            Trailer: X-End
                            TE: trailers
                            Proxy-Connection: close
                            X-Sendfile: /srv/private/1
                            x-accel-redirect: /private/2
                            X-Kept: yes

                            x\
                            """));
            gateway.run();
            assertThat(client.takeText())
                    .contains("X-Kept: yes\r\n")
                    .doesNotContain(
                            "Connection:", "Keep-Alive:", "Upgrade:", "Trailer:", "TE:", "X-Own")
                    .doesNotContain("private");
            client.send(get("/app"));
            gateway.run();
            assertThat(Messages.hasRequest(peer.takeText())).as("both stay open").isTrue();
        }
    }

    @Test
    void keepsRepeatedCookiesInOrder() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.clear();
            peer.send(Messages.answer("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\nx"));
            gateway.run();
            assertThat(client.takeText()).contains("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n");
        }
    }

    /// Case 8: HEAD, 204 and 304 have no content; other methods are passed.
    @Test
    void sendsNoContentForHead() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send("HEAD /app HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            assertThat(Messages.request(peer.takeText()).variables())
                    .containsEntry("REQUEST_METHOD", "HEAD");
            peer.send(Messages.plain("content"));
            gateway.run();
            assertThat(client.takeText()).contains("Content-Length: 7\r\n").endsWith("\r\n\r\n");
            client.send("PROPFIND /app HTTP/1.1\r\nHost: h\r\n\r\n");
            gateway.run();
            assertThat(Messages.request(peer.takeText()).variables())
                    .containsEntry("REQUEST_METHOD", "PROPFIND");
            peer.send(Messages.answer("Status: 204 x\r\n\r\nignored"));
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 204").doesNotContain("ignored");
        }
    }

    /// Case 5: a peer that joins while requests wait gets a bare OK first, and then all of them in
    /// order.
    @Test
    void heldBackPeerGetsBareOkAndThenTheQueueInOrder() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer busy = gateway.registered(0, "app");
            MemoryPeer[] clients = new MemoryPeer[51];
            for (int i = 0; i <= 50; i++) {
                clients[i] = gateway.client(0);
                clients[i].send(get("/app/" + i));
                gateway.run();
            }
            assertThat(Messages.request(busy.takeText()).path()).isEqualTo("/0");
            assertThat(agent.status().getFirst().queued()).isEqualTo(50);
            MemoryPeer joined = gateway.peer(0);
            joined.send("app" + FF + FF);
            gateway.run();
            gateway.pass(Duration.ofMillis(40));
            assertThat(joined.takeText()).isEqualTo("OK");
            gateway.pass(Duration.ofMillis(60));
            for (int i = 1; i <= 50; i++) {
                Request request = Messages.request(joined.takeText());
                assertThat(request.path()).isEqualTo("/" + i);
                joined.send(Messages.plain("n" + i));
                gateway.run();
                assertThat(clients[i].takeText()).endsWith("n" + i);
            }
            busy.send(Messages.plain("n0"));
            gateway.run();
            assertThat(clients[0].takeText()).endsWith("n0");
            assertThat(agent.status().getFirst().served()).isEqualTo(51);
        }
    }

    /// Case 6: routes.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void routesByWholeComponentsHostAndSuffix(boolean shortFirst) {
        try (GatewayInMemory gateway = gateway()) {
            String[] names = {"test", "test2", "test/deep", ".abc", "test" + FF + "www.example"};
            MemoryPeer[] peers = new MemoryPeer[names.length];
            for (int i = 0; i < names.length; i++) {
                int at = shortFirst ? i : names.length - 1 - i;
                MemoryPeer peer = gateway.peer(0);
                String name = names[at];
                peer.send(name.contains(FF) ? name + FF : name + FF + FF);
                gateway.run();
                assertThat(peer.takeText()).isEqualTo("OK");
                peers[at] = peer;
            }
            gateway.pass(Duration.ofMillis(100));
            assertThat(served(gateway, peers, "h", "/test")).isZero();
            assertThat(served(gateway, peers, "h", "/test/x")).isZero();
            assertThat(served(gateway, peers, "h", "/test2/x")).isEqualTo(1);
            assertThat(served(gateway, peers, "h", "/test/deep/x")).isEqualTo(2);
            assertThat(served(gateway, peers, "h", "/test/deeper")).isZero();
            assertThat(served(gateway, peers, "h", "/x/y.abc")).isEqualTo(3);
            assertThat(served(gateway, peers, "WWW.example:81", "/test/deep/x")).isEqualTo(4);
            assertThat(served(gateway, peers, "h", "/testing")).isEqualTo(-1);
            assertThat(served(gateway, peers, "h", "/TEST")).isEqualTo(-1);
            assertThat(served(gateway, peers, "h", "/x/y.abc/z")).isEqualTo(-1);
            assertThat(served(gateway, peers, "h", "/x/y.ABC")).isEqualTo(-1);
        }
    }

    /// A path is longer than any suffix, and `/` is shorter. Of suffixes, the longest wins.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void suffixComesAfterPathsAndBeforeTheRoot(boolean inOrder) {
        try (GatewayInMemory gateway = gateway()) {
            List<String> names = List.of("a", ".abc", ".old.abc", "/");
            MemoryPeer[] peers = new MemoryPeer[names.size()];
            for (int i = 0; i < peers.length; i++) {
                int at = inOrder ? i : peers.length - 1 - i;
                peers[at] = gateway.registered(0, names.get(at));
            }
            assertThat(served(gateway, peers, "h", "/a/x.old.abc")).isZero();
            assertThat(served(gateway, peers, "h", "/b/x.abc")).isEqualTo(1);
            assertThat(served(gateway, peers, "h", "/b/x.old.abc")).isEqualTo(2);
            assertThat(served(gateway, peers, "h", "/b/x.abc/y")).isEqualTo(3);
        }
    }

    /// Returns the number of the peer that got the request, or -1 for the files.
    private static int served(
            GatewayInMemory gateway, MemoryPeer[] peers, String host, String path) {
        MemoryPeer client = gateway.client(0);
        client.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
        gateway.run();
        for (int i = 0; i < peers.length; i++) {
            if (peers[i].length() > 0) {
                assertThat(Messages.hasRequest(peers[i].takeText())).isTrue();
                peers[i].send(Messages.plain("x"));
                gateway.run();
                assertThat(client.takeText()).endsWith("x");
                return i;
            }
        }
        assertThat(client.takeText()).endsWith("files");
        return -1;
    }

    /// Case 7: the path falls back to the files when the last peer leaves, and comes back.
    @Test
    void fallsBackWhenTheLastPeerLeavesAndReturns() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer client = gateway.client(0);
            assertThat(gateway.ask(client, get("/app"))).endsWith("files");
            MemoryPeer peer = gateway.registered(0, "app");
            client.send(get("/app"));
            gateway.run();
            assertThat(peer.takeText()).contains("PATH_INFO=\0");
            peer.send(Messages.plain("peer"));
            gateway.run();
            assertThat(client.takeText()).endsWith("peer");
            peer.end();
            gateway.run();
            assertThat(peer.isClosed()).isTrue();
            assertThat(gateway.ask(client, get("/app"))).endsWith("files");
            MemoryPeer again = gateway.registered(0, "app");
            client.send(get("/app"));
            gateway.run();
            assertThat(Messages.hasRequest(again.takeText())).isTrue();
            again.send(Messages.plain("again"));
            gateway.run();
            assertThat(client.takeText()).endsWith("again");
        }
    }

    /// Case 14, and 1.7: the last peer ends in mid request while others wait.
    @Test
    void lastPeerThatEndsGives502AndTheWaiting503() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer first = gateway.client(0);
            first.send(post("/app", "once"));
            gateway.run();
            MemoryPeer second = gateway.client(0);
            second.send(get("/app"));
            MemoryPeer third = gateway.client(0);
            third.send(post("/app", "kept"));
            gateway.run();
            peer.reset();
            gateway.run();
            assertThat(first.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(second.takeText()).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1");
            assertThat(third.takeText()).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1");
            assertThat(agent.status().getFirst().failed()).containsEntry(PeerFault.LOST, 1L);
        }
    }

    /// Case 14: a peer that ends at each point of its answer. No request is sent twice.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 9, 10, 20, 35, 40})
    void peerThatEndsAtAnyPointGives502OnceAndOthersGoOn(int cut) {
        String answer = Messages.plain("hello, peer");
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer one = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(post("/app", "data"));
            gateway.run();
            assertThat(one.takeText()).contains("data");
            MemoryPeer two = gateway.registered(0, "app");
            one.send(answer.substring(0, cut));
            gateway.run();
            one.end();
            gateway.run();
            if (cut < answer.indexOf("hello")) {
                assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            } else { // the response had begun, so that the client must see that it is cut
                assertThat(client.sawEnd()).isTrue();
            }
            assertThat(two.length()).as("never sent again").isZero();
            MemoryPeer next = gateway.client(0);
            next.send(get("/app"));
            gateway.run();
            assertThat(Messages.hasRequest(two.takeText())).isTrue();
            two.send(answer);
            gateway.run();
            assertThat(next.takeText()).endsWith("hello, peer");
        }
    }

    /// Case 13: lengths that are none.
    @ParameterizedTest
    @ValueSource(strings = {"        4abcd", "+00000004ab", "00000x004ab", "HTTP/1.1 200 OK"})
    void answersMalformedLengthWith502(String answer) {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.send(answer);
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(peer.isClosed()).isTrue();
            assertThat(agent.status().getFirst().failed()).containsEntry(PeerFault.MALFORMED, 1L);
        }
    }

    @Test
    void emptyAnswerIs502AndThePeerStays() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            peer.clear();
            peer.send("000000000");
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(peer.isClosed()).isFalse();
            assertThat(agent.status().getFirst().failed()).containsEntry(PeerFault.MALFORMED, 1L);
            client.send(get("/app/2"));
            gateway.run();
            assertThat(Messages.request(peer.takeText()).path()).isEqualTo("/2");
            peer.send(Messages.plain("fine"));
            gateway.run();
            assertThat(client.takeText()).endsWith("fine");
        }
    }

    /// Case 15: bytes that no request asked for never reach a client.
    @Test
    void unaskedBytesCloseThePeerAndReachNoClient() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer idle = gateway.registered(0, "app");
            MemoryPeer other = gateway.registered(0, "app");
            idle.send(Messages.plain("EVIL"));
            MemoryPeer client = gateway.client(0); // accepted in the turn that reads the bytes
            client.send(get("/app"));
            gateway.run();
            assertThat(idle.isClosed()).isTrue();
            assertThat(Messages.hasRequest(other.takeText())).isTrue();
            other.send(Messages.plain("good") + "more");
            gateway.run();
            assertThat(client.takeText()).endsWith("good");
            assertThat(other.isClosed()).isTrue();
            assertThat(agent.status().getFirst().failed()).containsEntry(PeerFault.UNASKED, 2L);
        }
    }

    /// Case 16: a peer that never answers, and one that answers too slowly.
    @Test
    void silentOrSlowPeerGives504() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app"));
            gateway.run();
            String answer = Messages.plain("x".repeat(100));
            for (int second = 0; second < 59; second++) {
                peer.send(answer.substring(second % 20, second % 20 + (second < 20 ? 1 : 0)));
                gateway.pass(Duration.ofSeconds(1));
            }
            assertThat(peer.isClosed()).isFalse();
            gateway.pass(Duration.ofSeconds(2));
            assertThat(peer.isClosed()).isTrue();
            assertThat(client.takeText()).startsWith("HTTP/1.1 504 ");
        }
    }

    @Test
    void requestWaitsAtMost30Seconds() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer peer = gateway.registered(0, "app");
            MemoryPeer first = gateway.client(0);
            first.send(get("/app/1"));
            gateway.run();
            MemoryPeer second = gateway.client(0);
            second.send(get("/app/2"));
            gateway.pass(Duration.ofSeconds(29));
            assertThat(second.length()).isZero();
            gateway.pass(Duration.ofSeconds(2));
            assertThat(second.takeText()).startsWith("HTTP/1.1 503 ");
            assertThat(gateway.metrics().sum(Counter.REQUESTS_REFUSED_QUEUE)).isEqualTo(1);
            assertThat(gateway.metrics().totals("").errors(5)).isZero();
            SlowRequest late = gateway.metrics().slowest(1, "").getFirst();
            assertThat(late.longest()).isEqualTo(RequestPhase.QUEUE);
            assertThat(late.handlerNanos()).isZero();
            peer.clear();
            peer.send(Messages.plain("x"));
            gateway.run();
            assertThat(peer.length()).as("the late request was never sent").isZero();
            assertThat(first.takeText()).endsWith("x");
        }
    }
}
