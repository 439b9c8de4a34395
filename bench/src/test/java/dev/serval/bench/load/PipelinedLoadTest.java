package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Site;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PipelinedLoadTest {
    private static final String RIGHT = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int BATCH = 256; // of the client
    private static final int REQUESTS = 1000; // no multiple of it
    private static final int SOCKET_BYTES = 128 << 10;

    /// What a server does with its only connection.
    private interface Script {
        void serve(InputStream in, OutputStream out) throws IOException;
    }

    private static Client.Target target(int port) {
        return new Client.Target(port, new Site.Page("/x", 5, ""));
    }

    private static long send(int port, int requests) {
        return PipelinedLoad.send(target(port), requests, PATIENCE_MILLIS);
    }

    /// Runs the client against a script, and returns what the script received.
    private static String received(Script script, int requests, int patienceMillis)
            throws Exception {
        CompletableFuture<String> received = new CompletableFuture<>();
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listening.setReceiveBufferSize(SOCKET_BYTES);
            Thread.ofPlatform()
                    .daemon()
                    .start(() -> {
                        try (Socket socket = listening.accept()) {
                            socket.setSendBufferSize(SOCKET_BYTES);
                            script.serve(socket.getInputStream(), socket.getOutputStream());
                            byte[] rest = socket.getInputStream().readAllBytes();
                            received.complete(new String(rest, StandardCharsets.US_ASCII));
                        } catch (IOException e) {
                            received.completeExceptionally(e);
                        }
                    });
            PipelinedLoad.send(target(listening.getLocalPort()), requests, patienceMillis);
        }
        return received.get();
    }

    private static void assertFails(ThrowingCallable load, String why) {
        assertThatThrownBy(load).isInstanceOf(BenchFailure.class).hasMessageContaining(why);
    }

    private static Script answers(String answer, int count) {
        return (in, out) -> out.write(answer.repeat(count).getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void awaitsAnAnswerForEachRequest() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT)) {
            for (int requests : new int[] {1, BATCH, BATCH + 1, REQUESTS}) {
                assertThat(send(server.port(), requests)).isPositive();
            }
        }
    }

    /// The server reads nothing while it writes, and either direction has more bytes than sockets
    /// hold. So a client that wrote all requests before it read would wait for ever.
    @Test
    void readsWhileItWrites() throws Exception {
        int batches = 32;
        String answer =
                RIGHT.replace("\r\n\r\n", "\r\nX-Padding: " + "p".repeat(4000) + "\r\n\r\n");
        Script script =
                (in, out) -> {
                    int head = head(in).length();
                    byte[] answers = answer.repeat(BATCH).getBytes(StandardCharsets.US_ASCII);
                    for (int i = 0; i < batches; i++) {
                        in.skipNBytes((long) BATCH * head - (i == 0 ? head : 0));
                        out.write(answers);
                    }
                };
        assertThat(received(script, batches * BATCH, PATIENCE_MILLIS)).isEmpty();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        return head.toString();
    }

    @Test
    void sendsTheHeadOfABrowserWithACookie() throws Exception {
        assertThat(received(answers(RIGHT, 1), 1, PATIENCE_MILLIS))
                .startsWith("GET /x HTTP/1.1\r\nHost: ")
                .contains("\r\nUser-Agent: Mozilla", "\r\nCookie: visitor=")
                .endsWith("\r\n\r\n");
    }

    @Test
    void wrongAnswerFails() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT.replace("200", "500"))) {
            assertFails(() -> send(server.port(), REQUESTS), "0 of 1000 pipelined requests were");
        }
        try (ScriptedServer server = new ScriptedServer(RIGHT.replace("5", "6") + "!")) {
            assertFails(() -> send(server.port(), REQUESTS), "Not the head of an expected answer");
        }
    }

    @Test
    void answerWithoutARequestFails() {
        assertFails(
                () -> received(answers(RIGHT, 2), 1, PATIENCE_MILLIS), "An answer has no request");
    }

    @Test
    void connectionThatEndsEarlyFails() {
        Script script =
                (in, out) -> {
                    answers(RIGHT, 3).serve(in, out);
                    in.close();
                };
        assertFails(() -> received(script, REQUESTS, PATIENCE_MILLIS), " of 1000 pipelined");
    }

    @Test
    void silentServerFailsAfterThePatience() {
        assertFails(
                () -> received(answers(RIGHT, 3), REQUESTS, 50),
                "3 of 1000 pipelined requests were answered, then nothing came for 50 ms");
    }

    @Test
    void refusedConnectionFails() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        assertFails(() -> send(port, 1), "0 of 1 pipelined");
    }
}
