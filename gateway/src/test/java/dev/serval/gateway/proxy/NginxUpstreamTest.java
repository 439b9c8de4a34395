package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.SlowCode;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The real nginx as the upstream.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class NginxUpstreamTest {
    private static final List<String> REQUESTS =
            List.of(
                    "GET /small.txt HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /big.bin HTTP/1.1\r\nHost: h\r\n\r\n",
                    "HEAD /big.bin HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /none HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /big.bin HTTP/1.1\r\nHost: h\r\nRange: bytes=5-9\r\n\r\n",
                    "GET /big.bin HTTP/1.1\r\nHost: h\r\nRange: bytes=5-9,100-200\r\n\r\n",
                    "GET /small.txt HTTP/1.1\r\nHost: h\r\nIf-None-Match: *\r\n\r\n",
                    "GET /moved HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /empty.txt HTTP/1.1\r\nHost: h\r\n\r\n",
                    "GET /a%20b.txt HTTP/1.1\r\nHost: h\r\n\r\n",
                    "POST /small.txt HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc",
                    "OPTIONS /small.txt HTTP/1.1\r\nHost: h\r\n\r\n",
                    "DELETE /small.txt HTTP/1.1\r\nHost: h\r\n\r\n");

    /// After an error, which comes at once: so many connections would use up the ports.
    private static final long PAUSE_NANOS = 1_000_000;

    private TempTree tree;

    @BeforeEach
    void makeSite() {
        tree = TempTree.create();
        tree.file("www/small.txt", "small");
        tree.file("www/big.bin", 3 << 20);
        tree.file("www/empty.txt", "");
        tree.file("www/a b.txt", "space");
    }

    @AfterEach
    void removeSite() {
        tree.close();
    }

    @Test
    void answersEqualThoseOfTheUpstream() {
        String more = "location /moved { return 301 /x; } location /nothing { return 204; }";
        try (Nginx nginx = Nginx.start(tree, more);
                GatewayServer server = GatewayServer.of("/=" + nginx.url());
                RawClient direct = RawClient.connect(nginx.address());
                RawClient proxied = RawClient.connect(server.address())) {
            for (String request : REQUESTS) {
                String method = request.substring(0, request.indexOf(' '));
                RawResponse expected = direct.send(request).answer(method);
                RawResponse got = proxied.send(request).answer(method);
                assertThat(got.status()).as(request).isEqualTo(expected.status());
                assertThat(got.body().length).as(request).isEqualTo(expected.body().length);
                String type = String.valueOf(expected.field("Content-Type"));
                if (!type.startsWith("multipart")) {
                    assertThat(got.body()).as(request).isEqualTo(expected.body());
                    assertThat(fields(got)).as(request).isEqualTo(fields(expected));
                }
            }
        }
    }

    @Tag("long")
    @Test
    void losesOnlyRequestsInProgressWhenTheUpstreamIsKilled() throws InterruptedException {
        try (Nginx nginx = Nginx.start(tree, "");
                GatewayServer server = GatewayServer.of("/=" + nginx.url())) {
            Load load = Load.start(server);
            for (int i = 0; i < 3; i++) {
                load.awaitMoreServed();
                nginx.restart();
            }
            load.awaitMoreServed();
            load.stop();
            PoolStatus status = server.neighbour("/").pool().status();
            assertThat(load.answers.keySet()).isSubsetOf(200, 502);
            assertThat(load.count(502))
                    .isLessThanOrEqualTo(
                            status.failed().getOrDefault(PeerFault.LOST, 0L) + status.refusals());
            assertThat(server.get("/small.txt").text()).isEqualTo("small");
        }
    }

    @Tag("long")
    @Test
    void anotherUpstreamAnswersWhileOneIsKilledAndStarted() throws InterruptedException {
        try (TempTree other = TempTree.create()) {
            other.file("www/small.txt", "small");
            try (Nginx nginx = Nginx.start(tree, "");
                    Nginx second = Nginx.start(other, "");
                    GatewayServer server =
                            GatewayServer.of("/=" + nginx.url() + "," + second.url())) {
                Load load = Load.start(server);
                for (int i = 0; i < 4; i++) {
                    load.awaitNewRequestOfEachClient();
                    (i % 2 == 0 ? nginx : second).restart();
                }
                load.stop();
                // A GET that has no answer yet is sent to the other one.
                assertThat(load.answers.keySet()).containsExactly(200);
                assertThat(server.neighbour("/").pool().status().refusals()).isZero();
            }
        }
    }

    @Test
    void checkKeepsRequestsAwayFromUpstreamThatIsDown() {
        try (DeadPort dead = DeadPort.open();
                Nginx nginx = Nginx.start(tree, "");
                GatewayServer server =
                        GatewayServer.of(
                                "/=http://127.0.0.1:"
                                        + dead.number()
                                        + ",127.0.0.1:"
                                        + nginx.address().getPort()
                                        + "?check=/small.txt&check-every=20ms")) {
            Await.until(
                    "the check marks the first upstream down",
                    () ->
                            !server.neighbour("/")
                                    .pool()
                                    .upstreams()
                                    .getFirst()
                                    .isUp(System.nanoTime()));
            for (int i = 0; i < 20; i++) {
                assertThat(server.get("/small.txt").status()).isEqualTo(200);
            }
            assertThat(server.neighbour("/").pool().status().failures()).isZero();
        }
    }

    /// Returns the fields that belong to the message and not to its connection.
    private static List<String> fields(RawResponse response) {
        return response.fields().stream()
                .filter(f ->
                        !f.name().equalsIgnoreCase("Connection")
                                && !f.name().equalsIgnoreCase("Date"))
                .map(f -> f.name() + ": " + f.value())
                .sorted()
                .toList();
    }

    /// Clients that request one file again and again.
    private static final class Load {
        private static final int CLIENTS = 20;

        private final Map<Integer, AtomicLong> answers = new ConcurrentHashMap<>();
        private final AtomicLongArray answersOfClient = new AtomicLongArray(CLIENTS);
        private final AtomicBoolean over = new AtomicBoolean();
        private final CountDownLatch done = new CountDownLatch(CLIENTS);

        static Load start(GatewayServer server) {
            Load load = new Load();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                Thread.ofVirtual().start(() -> load.request(server, client));
            }
            return load;
        }

        private void request(GatewayServer server, int client) {
            String get = "GET /small.txt HTTP/1.1\r\nHost: h\r\n\r\n";
            try (RawClient connection = RawClient.connect(server.address())) {
                while (!over.get()) {
                    int status = connection.exchange(get).status();
                    answers.computeIfAbsent(status, _ -> new AtomicLong()).incrementAndGet();
                    answersOfClient.incrementAndGet(client);
                    if (status != 200) {
                        SlowCode.takes(PAUSE_NANOS);
                    }
                }
            } finally {
                done.countDown();
            }
        }

        void awaitMoreServed() {
            long before = count(200);
            Await.until("some were served", () -> count(200) >= before + 200);
        }

        /// Waits until no request is in progress that began before this call: one that lost its
        /// first upstream must not lose the second one too.
        void awaitNewRequestOfEachClient() {
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                long before = answersOfClient.get(client);
                Await.until(
                        "the next request of a client was answered",
                        () -> answersOfClient.get(client) >= before + 2);
            }
        }

        long count(int status) {
            AtomicLong count = answers.get(status);
            return count == null ? 0 : count.get();
        }

        void stop() throws InterruptedException {
            over.set(true);
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }
}
