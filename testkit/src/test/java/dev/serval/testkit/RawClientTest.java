package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.ScriptedPeer.Step;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RawClientTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

    @Test
    void sendsPiecesUnchangedAndReadsTheAnswer() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(new Step.ReadUntil("\r\n\r\n"), Step.Send.of(OK));
                RawClient client = RawClient.connect(peer.address())) {
            client.sendPieces("GE", "T / HTTP/1.1\r", "\nX: \u00e9\r\n\r\n");
            assertThat(client.answer().text()).isEqualTo("hi");
            client.expectClosed();
            assertThat(peer.received(0)).isEqualTo("GET / HTTP/1.1\r\nX: \u00e9\r\n\r\n");
        }
    }

    @Test
    void readsPipelinedAnswersOneByOne() {
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of(OK + OK));
                RawClient client = RawClient.connect(peer.address())) {
            assertThat(client.answer().status()).isEqualTo(200);
            assertThat(client.answer().status()).isEqualTo(200);
            client.expectClosed();
        }
    }

    @Test
    void keepsOnlyWhatIsNotRead() {
        String large = "HTTP/1.1 200 OK\r\nContent-Length: 65536\r\n\r\n" + "x".repeat(1 << 16);
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of(large.repeat(50)));
                RawClient client = RawClient.connect(peer.address())) {
            for (int i = 0; i < 50; i++) {
                assertThat(client.answer().text()).hasSize(1 << 16);
            }
            assertThat(client.capacity()).isLessThan(1 << 20);
            client.expectClosed();
        }
    }

    @Test
    void readsAnswerAfterHalfClose() {
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadToEnd(), Step.Send.of(OK));
                RawClient client = RawClient.connect(peer.address())) {
            assertThat(client.send("x").finish().answer().status()).isEqualTo(200);
        }
    }

    @Test
    void resetFailsThePeersRead() {
        ScriptedPeer peer = ScriptedPeer.playing(new Step.Read(1), new Step.ReadToEnd());
        RawClient client = RawClient.connect(peer.address());
        client.send("x");
        Await.until("the peer has read", () -> peer.received(0).equals("x"));
        client.reset();
        peer.awaitPlayed();
        assertThatThrownBy(peer::close).hasRootCauseMessage("Connection reset");
    }

    @Test
    void resetByThePeerCountsAsClosed() {
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.Read(1), new Step.Reset());
                RawClient client = RawClient.connect(peer.address())) {
            client.send("x"); // so that the reset does not arrive before the client is connected
            client.expectClosed();
            assertThat(client.closedByServer()).isTrue();
        }
    }

    @Test
    void expectClosedFailsIfThePeerStaysOpen() {
        CountDownLatch latch = new CountDownLatch(1);
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.Pause(latch));
                RawClient client = RawClient.connect(peer.address())) {
            client.patience(Duration.ofMillis(50));
            assertThatThrownBy(client::expectClosed).isInstanceOf(AssertionError.class);
            latch.countDown();
        }
    }

    @Test
    void expectClosedFailsIfMoreArrives() {
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of("more"));
                RawClient client = RawClient.connect(peer.address())) {
            assertThatThrownBy(client::expectClosed).hasMessageContaining("more");
        }
    }

    @Test
    void failureShowsReceivedBytesEscaped() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(Step.Send.of("HTTP/1.1 200 OK\r\nX: \u0001"));
                RawClient client = RawClient.connect(peer.address())) {
            assertThatThrownBy(client::answer)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("HTTP/1.1 200 OK\\r\\n\nX: \\x01");
        }
    }

    @Test
    void readsWhileItSends() {
        byte[] large = new byte[8 << 20];
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.Read(1), new Step.Send(large), new Step.ReadToEnd());
                RawClient client = RawClient.connect(peer.address())) {
            client.send(large).finish();
            assertThat(client.rest()).hasSameSizeAs(large);
            peer.awaitPlayed();
            assertThat(peer.received(0)).hasSameSizeAs(large);
        }
    }

    @Test
    void readsAnswerAfterCloseDuringSend() {
        byte[] large = new byte[8 << 20];
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of(OK), new Step.Read(8 << 20));
                RawClient client = RawClient.connect(peer.address())) {
            client.send(large);
            assertThat(client.answer().status()).isEqualTo(200);
        }
    }

    @Test
    void worksOverAUnixDomainSocket() throws IOException, InterruptedException {
        try (TempTree tree = TempTree.create();
                ServerSocketChannel server =
                        ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(tree.path("s")));
            try (RawClient client = RawClient.connect(server.getLocalAddress());
                    var accepted = server.accept()) {
                client.send("ping");
                ByteBuffer bytes = ByteBuffer.allocate(4);
                while (bytes.hasRemaining()) {
                    accepted.read(bytes);
                }
                accepted.write(bytes.flip());
                assertThat(client.until("ping")).isEqualTo("ping");
                accepted.shutdownOutput();
                client.expectClosed();
            }
        }
    }
}
