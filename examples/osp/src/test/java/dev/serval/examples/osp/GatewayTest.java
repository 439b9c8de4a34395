package dev.serval.examples.osp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.LrwpResponse;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The Java peer, the OSP server and the real client with Serval's own LRWP agent.
@Timeout(120)
final class GatewayTest {
    private static final Path PYTHON = Path.of("/usr/bin/python3");
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path folder;

    /// A server with an agent, on free ports.
    private static Serval serve() throws Exception {
        return serve(new LrwpAgent(LrwpSettings.DEFAULT));
    }

    private static Serval serve(LrwpAgent agent) throws Exception {
        return Serval.builder()
                .listen(new ListenerSpec(anyPort()))
                .listen(new ListenerSpec(anyPort()).withProtocol(agent.protocol()))
                .mount("/", agent.handler())
                .start();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static int lrwpPort(Serval serval) {
        return ((InetSocketAddress) serval.addresses().get(1)).getPort();
    }

    private static HttpResponse<byte[]> post(HttpClient client, String url, byte[] body)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(url))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofByteArray());
    }

    @Test
    void echoesBodiesOfAllSizesByManyConnections() throws Exception {
        try (Serval serval = serve();
                LrwpPeer peer =
                        LrwpPeer.builder()
                                .agent("127.0.0.1", lrwpPort(serval))
                                .register("echo")
                                .connections(8)
                                .handler(request ->
                                        LrwpResponse.of(200, "a/b", request.body().readAllBytes()))
                                .start();
                HttpClient client =
                        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(peer.awaitConnected(PATIENCE)).isTrue();
            String url = "http://127.0.0.1:" + serval.port() + "/echo";
            for (int size : new int[] {0, 1, 1200, 8192, 70_000, 3_000_000}) {
                byte[] body = new byte[size];
                new Random(size).nextBytes(body);
                HttpResponse<byte[]> answer = post(client, url, body);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.body()).isEqualTo(body);
            }
            List<Future<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                byte[] body = new byte[1200 + i];
                new Random(i).nextBytes(body);
                all.add(threads.submit(() -> echoes(client, url, body)));
            }
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isTrue();
            }
            assertThat(peer.failed()).isZero();
        }
    }

    private static boolean echoes(HttpClient client, String url, byte[] body) throws Exception {
        for (int i = 0; i < 50; i++) {
            if (!Arrays.equals(body, post(client, url, body).body())) {
                return false;
            }
        }
        return true;
    }

    /// The Python peer joins beside the Java peer, and takes over when that one leaves.
    @Test
    void pythonPeerSharesANameWithAJavaPeerAndOutlivesIt() throws Exception {
        assumeTrue(Files.isExecutable(PYTHON), "needs python3 (Debian package python3)");
        try (Serval serval = serve();
                HttpClient client =
                        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            String url = "http://127.0.0.1:" + serval.port() + "/echo";
            assertThat(post(client, url, new byte[0]).statusCode()).isEqualTo(404);
            LrwpPeer java =
                    LrwpPeer.builder()
                            .agent("127.0.0.1", lrwpPort(serval))
                            .register("echo")
                            .handler(_ -> LrwpResponse.text("by Java"))
                            .start();
            assertThat(java.awaitConnected(PATIENCE)).isTrue();
            Process python = python(lrwpPort(serval));
            try {
                byte[] body = "a\0\u00ffz".getBytes(StandardCharsets.ISO_8859_1);
                Set<String> both = Set.of("by Java", new String(body, StandardCharsets.ISO_8859_1));
                Await.until("both answer", () -> answers(client, url, body).equals(both));
                java.close();
                for (int size : new int[] {0, 1, 1200, 8192, 70_000, 3_000_000}) {
                    byte[] bytes = new byte[size];
                    new Random(size).nextBytes(bytes);
                    assertThat(post(client, url, bytes).body()).isEqualTo(bytes);
                }
                python.destroy(); // SIGTERM: it leaves after its answers
                assertThat(python.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
                assertThat(python.exitValue()).isZero();
                Await.until(
                        "the path is given back",
                        () -> answers(client, url, body).equals(Set.of("404")));
            } finally {
                java.close();
                python.destroyForcibly();
            }
        }
    }

    /// One request must not end a connection, or a client could end all of them. Query and
    /// Content-Type are in two variables each, so there are more bytes of variables than of the head.
    @ParameterizedTest
    @ValueSource(strings = {"Java", "Python"})
    void requestWithTheMostVariablesIsServedAndTheConnectionStays(String kind) throws Exception {
        assumeTrue(
                kind.equals("Java") || Files.isExecutable(PYTHON),
                "needs python3 (Debian package python3)");
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        String line = "GET /echo?" + "q".repeat(8173) + " HTTP/1.1\r\nHost: h\r\n";
        String type = "Content-Type: " + "x".repeat(24_547) + "\r\n\r\n";
        try (Serval serval = serve(agent);
                Closeable _ = peer(kind, lrwpPort(serval));
                RawClient client = RawClient.connect(serval.addresses().getFirst())) {
            Await.until("the peer has registered", () -> peers(agent) == 1);
            assertThat(client.exchange(line + type).status()).isEqualTo(200);
            assertThat(client.exchange("GET /echo HTTP/1.1\r\nHost: h\r\n\r\n").status())
                    .isEqualTo(200);
            assertThat(agent.status().getFirst().failed().values()).containsOnly(0L);
            assertThat(peers(agent)).isEqualTo(1);
        }
    }

    private static int peers(LrwpAgent agent) {
        return agent.status().isEmpty() ? 0 : agent.status().getFirst().peers();
    }

    private Closeable peer(String kind, int port) throws IOException {
        if (kind.equals("Python")) {
            Process python = python(port);
            return python::destroyForcibly;
        }
        LrwpPeer java =
                LrwpPeer.builder()
                        .agent("127.0.0.1", port)
                        .register("echo")
                        .handler(_ -> LrwpResponse.text("by Java"))
                        .start();
        return java::close;
    }

    private Process python(int port) throws IOException {
        return new ProcessBuilder(
                        PYTHON.toString(),
                        "-B",
                        "../peers/lrwp_peer.py",
                        "--agent",
                        "127.0.0.1:" + port,
                        "--name",
                        "echo",
                        "echo")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("python.out").toFile())
                .start();
    }

    /// Returns what some requests at the same time get: the text of an answer, or its status if
    /// that is not 200.
    private static Set<String> answers(HttpClient client, String url, byte[] body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build();
        List<CompletableFuture<HttpResponse<byte[]>>> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sent.add(client.sendAsync(request, BodyHandlers.ofByteArray()));
        }
        Set<String> all = new HashSet<>();
        for (CompletableFuture<HttpResponse<byte[]>> each : sent) {
            HttpResponse<byte[]> answer = each.join();
            all.add(
                    answer.statusCode() == 200
                            ? new String(answer.body(), StandardCharsets.ISO_8859_1)
                            : Integer.toString(answer.statusCode()));
        }
        return all;
    }

    @Test
    void realClientCallsThroughTheGateway() throws Exception {
        ToolkitClient client = ToolkitClient.compile(folder);
        Path routes =
                Files.writeString(
                        folder.resolve("routes.txt"),
                        "route 1678 [1.1.1.1] rate=0.01\nroute 1678 [2.2.2.2] rate=0.02\n");
        try (Serval serval = serve();
                OspServer server =
                        OspServer.start(
                                List.of(
                                        "--agent",
                                        "127.0.0.1:" + lrwpPort(serval),
                                        "--routes",
                                        routes.toString(),
                                        "--state",
                                        folder.resolve("state").toString()))) {
            assertThat(server.peer().awaitConnected(PATIENCE)).isTrue();
            ToolkitClient.Run run =
                    client.call(
                            "http://127.0.0.1:" + serval.port() + "/osp", "14048724799", "1678");
            assertThat(run.out())
                    .contains("RequestAuthorisation 0\n")
                    .contains("destinations 2\n")
                    .contains("ReportUsage 0\n");
            assertThat(run.exit()).isZero();
            assertThat(server.recordsWritten()).isEqualTo(2);
        }
    }
}
