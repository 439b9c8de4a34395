package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `serval run` with neighbours, as a user starts it.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@Timeout(180)
final class NeighbourRunTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final Step OK = Step.Send.of(ANSWER);

    /// An answer that comes together with one that no request asked for.
    private static final Step TWO = Step.Send.of(ANSWER + ANSWER);

    @TempDir Path folder;

    @Test
    void statusShowsNeighboursAndTheirUpstreams() throws Exception {
        try (DeadPort port = DeadPort.open();
                ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(HEAD, OK, HEAD, OK, new Step.ReadToClose()),
                                        List.of(HEAD, new Step.ReadToClose())));
                ServerProcess server =
                        run(
                                "/api=http://127.0.0.1:"
                                        + peer.address().getPort()
                                        + "?connections=2",
                                "/dead=http://127.0.0.1:" + port.number())) {
            int dead = port.number();
            assertThat(server.screen())
                    .anyMatch(line -> line.contains("/api/  http://127.0.0.1:"))
                    .anyMatch(line -> line.contains("/dead/  http://127.0.0.1:" + dead));
            assertThat(server.get("/api/1").text()).isEqualTo("ok");
            assertThat(server.get("/api/2").text()).isEqualTo("ok");
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/dead/").status()).isEqualTo(502);
            }
            try (RawClient first = RawClient.connect(server.socketAddress());
                    RawClient second = RawClient.connect(server.socketAddress());
                    RawClient third = RawClient.connect(server.socketAddress())) {
                String request = "GET /api/slow HTTP/1.1\r\nHost: h\r\n\r\n";
                first.send(request);
                second.send(request);
                Await.until("two are at work", () -> shows("/api", 2, "2"));
                third.send(request);
                Await.until("one waits", () -> shows("/api", 3, "1"));
                List<String> screen = status();
                assertThat(words(screen, "Neighbour"))
                        .containsExactly(
                                "Neighbour",
                                "open",
                                "busy",
                                "queued",
                                "served",
                                "failed",
                                "refused",
                                "median",
                                "p99");
                assertThat(words(screen, "/api").subList(0, 7))
                        .containsExactly("/api", "2", "2", "1", "2", "0", "0");
                assertThat(Double.parseDouble(words(screen, "/api").get(7))).isPositive();
                assertThat(words(screen, "127.0.0.1:" + peer.address().getPort()))
                        .containsExactly("127.0.0.1:" + peer.address().getPort(), "2", "2", "up");
                assertThat(words(screen, "/dead").subList(0, 7))
                        .containsExactly("/dead", "0", "0", "0", "0", "3", "3");
                assertThat(words(screen, "127.0.0.1:" + dead).subList(1, 3))
                        .containsExactly("0", "0");
            }
        }
    }

    @Test
    void logTellsOnceWhatIsWrongWithUpstreams() throws Exception {
        List<Step> twice = List.of(HEAD, TWO, new Step.ReadToClose());
        try (DeadPort dead = DeadPort.open();
                ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(twice, twice, List.of(HEAD, OK, new Step.ReadToClose())));
                ServerProcess server =
                        run(
                                "/api=http://127.0.0.1:" + peer.address().getPort(),
                                "/dead=http://127.0.0.1:" + dead.number())) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/api/" + i).text()).isEqualTo("ok");
            }
            for (int i = 0; i < 5; i++) {
                assertThat(server.get("/dead/").status()).isEqualTo(502);
            }
            Await.until("both are counted", () -> shows("/api", 5, "2"));
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(server.errors())
                    .containsOnlyOnce("sent bytes that no request asked for")
                    .containsOnlyOnce("of /dead failed several times in a row")
                    .contains("Upstream 127.0.0.1:" + dead.number());
        }
    }

    @Test
    void webSocketPassesThroughTheProxy() throws Exception {
        byte[] large = new byte[1 << 20];
        new Random(5).nextBytes(large);
        try (WebSocketEcho echo = WebSocketEcho.start();
                ServerProcess server = run("/chat=http://127.0.0.1:" + echo.port() + "/ws");
                HttpClient client = HttpClient.newHttpClient()) {
            Heard heard = new Heard();
            URI address =
                    URI.create("ws://127.0.0.1:" + server.address().getPort() + "/chat/a?b=c");
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(address, heard)
                            .get(20, TimeUnit.SECONDS);
            assertThat(echo.requestLines).containsExactly("GET /ws/a?b=c HTTP/1.1");
            socket.sendText("grüß dich ✓", true).get(20, TimeUnit.SECONDS);
            Await.until("the text is back", () -> heard.texts.contains("grüß dich ✓"));
            socket.sendBinary(ByteBuffer.wrap(large), true).get(20, TimeUnit.SECONDS);
            Await.until("1 MiB is back", () -> heard.binaryBytes() == large.length);
            assertThat(heard.binary()).isEqualTo(large);
            socket.sendPing(ByteBuffer.wrap(new byte[] {1, 2, 3})).get(20, TimeUnit.SECONDS);
            Await.until("a pong is there", () -> heard.pongs.contains(3));
            socket.sendText("in ", false).get(20, TimeUnit.SECONDS);
            socket.sendText("two", true).get(20, TimeUnit.SECONDS);
            Await.until("both parts are back", () -> heard.texts.contains("in two"));
            assertThat(words(status(), "/chat").subList(1, 3)).containsExactly("1", "1");
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "done").get(20, TimeUnit.SECONDS);
            Await.until("the close is answered", () -> heard.closed == WebSocket.NORMAL_CLOSURE);
            assertThat(heard.failure).isNull();
            Await.until(
                    "the connection is closed",
                    () -> shows("/chat", 1, "0") && shows("/chat", 2, "0"));
        }
    }

    @Test
    void webSocketEndsWithItsServer() throws Exception {
        try (WebSocketEcho echo = WebSocketEcho.start();
                ServerProcess server = run("/=http://127.0.0.1:" + echo.port());
                HttpClient client = HttpClient.newHttpClient()) {
            Heard heard = new Heard();
            URI address = URI.create("ws://127.0.0.1:" + server.address().getPort() + "/");
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(address, heard)
                            .get(20, TimeUnit.SECONDS);
            socket.sendText("hello", true).get(20, TimeUnit.SECONDS);
            Await.until("the text is back", () -> heard.texts.contains("hello"));
            echo.stop();
            Await.until("the client notices", () -> heard.failure != null || heard.closed != 0);
            socket.abort();
        }
    }

    private ServerProcess run(String... mounts) throws IOException {
        String[] arguments = new String[mounts.length + 3];
        arguments[0] = "run";
        System.arraycopy(mounts, 0, arguments, 1, mounts.length);
        arguments[mounts.length + 1] = "--port";
        arguments[mounts.length + 2] = "0";
        ServerProcess server = ServerProcess.start(environment(), List.of(arguments));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", folder.toString());
    }

    /// Returns what `serval status` prints.
    private List<String> status() {
        try (ServerProcess process = ServerProcess.start(environment(), List.of("status"))) {
            return process.rest();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Returns the words of the line that begins with this word.
    private static List<String> words(List<String> screen, String first) {
        return screen.stream()
                .map(line -> List.of(line.strip().split(" +")))
                .filter(words -> words.getFirst().equals(first))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line " + first + " in " + screen));
    }

    /// Returns whether the status has this word in the line that begins with `first`. A server that
    /// is busy may give no status.
    private boolean shows(String first, int at, String word) {
        try {
            return words(status(), first).get(at).equals(word);
        } catch (AssertionError e) {
            return false;
        }
    }

    /// What a WebSocket client has received.
    private static final class Heard implements WebSocket.Listener {
        final Queue<String> texts = new ConcurrentLinkedQueue<>();
        final Queue<Integer> pongs = new ConcurrentLinkedQueue<>();
        private final StringBuilder text = new StringBuilder();
        private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
        volatile int closed;
        volatile @Nullable Throwable failure;

        synchronized int binaryBytes() {
            return binary.size();
        }

        synchronized byte[] binary() {
            return binary.toByteArray();
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                texts.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public synchronized @Nullable CompletionStage<?> onBinary(
                WebSocket socket, ByteBuffer part, boolean last) {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            binary.writeBytes(bytes);
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            pongs.add(message.remaining());
            socket.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            closed = code;
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            failure = error;
        }
    }
}
