package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ListenerSpecTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final SocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void eachListenerUsesItsOwnHandler() throws IOException {
        try (Serval server =
                        Serval.builder()
                                .listen(0)
                                .listen(new ListenerSpec(ANY).withHandler(saying("admin")))
                                .mount("/", saying("public"))
                                .start();
                RawClient first = client(server, 0);
                RawClient second = client(server, 1)) {
            assertThat(ask(first)).isEqualTo("public");
            assertThat(ask(second)).isEqualTo("admin");
        }
    }

    @Test
    void listenerWithOwnLimitsAdmitsWhileOthersAreFull() throws IOException {
        Limits one = Limits.DEFAULT.with(draft -> draft.counts.connectionsMax = 1);
        try (Serval server =
                        Serval.builder()
                                .limits(one)
                                .listen(0)
                                .listen(new ListenerSpec(ANY).withLimits(Limits.DEFAULT))
                                .mount("/", saying("here"))
                                .start();
                RawClient first = client(server, 0)) {
            assertThat(ask(first)).isEqualTo("here"); // another loop may accept the next one
            assertThat(isRefused(server)).isTrue();
            try (RawClient beside = client(server, 1)) {
                assertThat(ask(beside)).isEqualTo("here");
                assertThat(server.metrics().sum(Counter.CONNECTIONS_REFUSED_LIMIT)).isEqualTo(1);
                Await.until("two connections are left", () -> server.connections() == 2);
            }
        }
    }

    @Test
    void listenersLimitsBoundTheHead() throws IOException {
        Limits small = Limits.DEFAULT.with(draft -> draft.head.maxBytes = 64);
        try (Serval server =
                        Serval.builder()
                                .listen(0)
                                .listen(new ListenerSpec(ANY).withLimits(small))
                                .mount("/", saying("here"))
                                .start();
                RawClient roomy = client(server, 0);
                RawClient narrow = client(server, 1)) {
            String long64 = "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(64) + "\r\n\r\n";
            roomy.send(long64);
            assertThat(roomy.answer().status()).isEqualTo(200);
            narrow.send(long64);
            assertThat(narrow.answer().status()).isEqualTo(431);
        }
    }

    @Test
    void newLimitsApplyToTheNextRequestOfAnOpenConnection() throws IOException {
        try (Serval server = Serval.builder().listen(0).mount("/", saying("here")).start();
                RawClient client = client(server, 0)) {
            assertThat(ask(client)).isEqualTo("here");
            server.limits(server.limits().with(draft -> draft.head.lineMaxBytes = 20));
            client.send("GET /" + "x".repeat(20) + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer().status()).isEqualTo(414);
        }
    }

    @Test
    void lowerConnectionLimitRefusesNewConnectionsButKeepsOpenOnes() throws IOException {
        try (Serval server = Serval.builder().listen(0).mount("/", saying("here")).start();
                RawClient client = client(server, 0)) {
            assertThat(ask(client)).isEqualTo("here");
            server.limits(server.limits().with(draft -> draft.counts.connectionsMax = 1));
            assertThat(isRefused(server)).isTrue();
            assertThat(ask(client)).isEqualTo("here");
            Await.until("one connection is left", () -> server.connections() == 1);
        }
    }

    private static Handler saying(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return x ->
                x.response()
                        .send(
                                new ResponseHead(Status.OK, Fields.EMPTY, bytes.length),
                                Body.Bytes.of(bytes));
    }

    private static RawClient client(Serval server, int listener) throws IOException {
        return RawClient.connect(server.addresses().get(listener));
    }

    /// Returns whether the first listener refuses a connection. Its reset may arrive while the
    /// client still connects.
    private static boolean isRefused(Serval server) throws IOException {
        try (RawClient client = client(server, 0)) {
            return client.ends();
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    private static String ask(RawClient client) throws IOException {
        client.send(GET);
        return client.answer().text();
    }
}
