package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that the connection's bytes belong to the handler after 101, in both directions
/// (RFC 9110 §7.8).
final class UpgradeTest {
    private static final String ASK =
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";
    private static final String SWITCHED =
            """
            HTTP/1.1 101 Switching Protocols\r
            Connection: upgrade\r
            Upgrade: echo\r
            Date: Thu, 01 Jan 2026 00:00:00 GMT\r
            \r
            """;

    private final List<String> seen = new ArrayList<>();

    private static ResponseHead switching() {
        return new ResponseHead(
                Status.SWITCHING_PROTOCOLS,
                new Fields().add("Upgrade", "echo"),
                ResponseHead.UNKNOWN_LENGTH);
    }

    private void echo(Exchange x) {
        x.onAbort(() -> seen.add("aborted"));
        echo(x.upgrade(switching()));
    }

    private void echo(Duplex duplex) {
        long room = 1;
        while (room > 0) {
            ByteBuffer piece = ByteBuffer.allocate(1000);
            int n = duplex.read(piece);
            if (n == 0) {
                duplex.onReadable(() -> echo(duplex));
                return;
            }
            if (n < 0) {
                seen.add(n == Source.END ? "END" : "FAILED");
                duplex.end();
                return;
            }
            room = duplex.write(new Body.Bytes(piece.flip(), null));
        }
        duplex.onWritable(() -> echo(duplex));
    }

    @Test
    void bytesAfterTheRequestAreReadFirst() {
        try (MemoryServer server = MemoryServer.of(this::echo)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, ASK + "GET / is not a request"))
                    .isEqualTo(SWITCHED + "GET / is not a request");
            assertThat(server.ask(client, " more")).isEqualTo(" more");
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
            assertThat(server.count(Counter.RESPONSES_1XX)).isEqualTo(1);
            server.pass(Duration.ofHours(1)); // a tunnel has no deadline
            assertThat(server.ask(client, " later")).isEqualTo(" later");
            client.end();
            server.run();
            assertThat(seen).containsExactly("END");
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
            assertThat(server.log()).containsExactly("GET / 101 0");
        }
    }

    /// No deadline would find it, and the application may have nothing to write.
    @Test
    void clientThatVanishesIsFoundByProbes() {
        try (MemoryServer server = MemoryServer.of(this::echo)) {
            MemoryPeer client = server.connect();
            client.send(ASK.substring(0, 20));
            server.run();
            assertThat(client.isProbed()).isFalse();
            assertThat(server.ask(client, ASK.substring(20))).isEqualTo(SWITCHED);
            assertThat(client.isProbed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 65_536})
    void keepsBackPressureInBothDirections(int window) {
        int length = Math.min(300_000, 3000 * window);
        try (MemoryServer server = MemoryServer.of(this::echo)) {
            MemoryPeer client = server.connect();
            server.ask(client, ASK);
            client.window(0);
            client.send("x".repeat(length));
            server.run();
            assertThat(length - client.unread()).isLessThan(250_000);
            for (int i = 0; i < 100_000 && client.length() < length; i++) {
                client.window(window);
                server.turn();
            }
            assertThat(client.length()).isEqualTo(length);
        }
    }

    @Test
    void clientResetFailsTheReader() {
        try (MemoryServer server = MemoryServer.of(this::echo)) {
            MemoryPeer client = server.connect();
            server.ask(client, ASK);
            client.reset();
            server.run();
            assertThat(seen).containsExactly("FAILED", "aborted");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closesAfterWrittenBytesOrAtOnce(boolean softly) {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    Duplex duplex = x.upgrade(switching());
                    duplex.write(Body.Bytes.of(Answers.bytes("bye")));
                    duplex.close(softly ? Fault.SHUTDOWN : Fault.APPLICATION);
                    assertThat(duplex.read(ByteBuffer.allocate(1))).isEqualTo(Source.FAILED);
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, ASK)).isEqualTo(softly ? SWITCHED + "bye" : "");
            assertThat(client.sawReset()).isEqualTo(!softly);
            assertThat(client.sawEnd()).isEqualTo(softly);
            assertThat(client.isClosed()).isEqualTo(!softly);
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    /// As the closing handshake of a WebSocket (RFC 6455 §7.1.1): what the client still sends must not
    /// reset the connection, or it could lose the last bytes of the server.
    @Test
    void closedTunnelIsReadForAWhile() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    Duplex duplex = x.upgrade(switching());
                    duplex.write(Body.Bytes.of(Answers.bytes("bye")));
                    duplex.close(Fault.SHUTDOWN);
                })) {
            MemoryPeer client = server.connect();
            client.send(ASK + "first");
            server.turn();
            client.send("late");
            server.run();
            assertThat(client.takeText()).isEqualTo(SWITCHED + "bye");
            assertThat(client.sawReset()).isFalse();
            client.end();
            server.run();
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
            MemoryPeer silent = server.connect();
            server.ask(silent, ASK);
            server.pass(Duration.ofMillis(1_900));
            assertThat(silent.isClosed()).isFalse();
            server.pass(Duration.ofMillis(200));
            assertThat(silent.isClosed()).isTrue();
        }
    }

    @Test
    void exceptionInACallbackEndsTheTunnel() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.onAbort(() -> seen.add("aborted"));
                    x.upgrade(switching())
                            .onReadable(() -> {
                                throw new IllegalStateException("meant");
                            });
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, ASK);
            server.ask(client, "x");
            assertThat(client.isClosed()).isTrue();
            assertThat(seen).containsExactly("aborted");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void contentMustBeReadBeforeTheSwitch() {
        try (MemoryServer server = MemoryServer.of(this::echo)) {
            MemoryPeer client = server.connect();
            String ask = ASK.replace("\r\n\r\n", "\r\nContent-Length: 3\r\n\r\nabc");
            assertThat(server.ask(client, ask)).startsWith("HTTP/1.1 500 ");
        }
    }

    @Test
    void refusesTunnelAboveTheLimitOfExchanges() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 1);
        try (MemoryServer server = MemoryServer.of(this::echo, limits)) {
            server.ask(server.connect(), ASK);
            MemoryPeer second = server.connect();
            assertThat(server.ask(second, ASK)).startsWith("HTTP/1.1 503 ");
            assertThat(seen).containsExactly("aborted", "FAILED");
        }
    }

    /// RFC 9110 §7.8: a proxy that does not know the field passes it on, but not its option.
    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: close\r\n", "Connection: upgrades, x\r\n"})
    void upgradeThatConnectionDoesNotNameIsNone(String connection) {
        Handler handler = x -> Answers.say(x, x.tunnel().toString());
        try (MemoryServer server = MemoryServer.of(handler)) {
            String head = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: echo\r\n";
            assertThat(server.ask(server.connect(), head + connection + "\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("echo");
            assertThat(server.ask(server.connect(), head + "Connection: x, Upgrade\r\n\r\n"))
                    .endsWith("ByUpgrade[protocols=echo]");
        }
    }
}
