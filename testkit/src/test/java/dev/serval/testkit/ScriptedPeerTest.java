package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.ScriptedPeer.Step;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ScriptedPeerTest {
    @Test
    void playsAScriptForEachConnectionInTurn() throws IOException {
        List<Step> first = List.of(new Step.ReadUntil("one\n"), Step.Send.of("1"));
        List<Step> second = List.of(new Step.ReadUntil("two\n"), Step.Send.of("2"));
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(first, second))) {
            assertThat(say(peer, "one\n")).isEqualTo("1");
            assertThat(say(peer, "two\n")).isEqualTo("2");
            assertThat(say(peer, "")).isEmpty();
            peer.awaitPlayed();
            assertThat(peer.received(1)).isEqualTo("two\n");
        }
    }

    @Test
    void pausesUntilTheLatchOpens() throws IOException {
        CountDownLatch latch = new CountDownLatch(1);
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                Step.Send.of("a"), new Step.Pause(latch), Step.Send.of("b"));
                Socket socket = new Socket(peer.address().getAddress(), peer.address().getPort())) {
            assertThat(socket.getInputStream().read()).isEqualTo('a');
            assertThat(socket.getInputStream().available()).isZero();
            latch.countDown();
            assertThat(socket.getInputStream().read()).isEqualTo('b');
        }
    }

    @Test
    void resetsIfTheScriptSaysSo() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.Read(1), new Step.Reset());
                Socket socket = new Socket(peer.address().getAddress(), peer.address().getPort())) {
            socket.getOutputStream().write('x'); // the reset must not arrive before the connection
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void closeFailsIfTheClientDidNotFollowTheScript() throws IOException {
        ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadUntil("hello"));
        say(peer, "bye");
        peer.awaitPlayed();
        assertThatThrownBy(peer::close).rootCause().hasMessageContaining("bye");
    }

    private static String say(ScriptedPeer peer, String text) throws IOException {
        try (Socket socket = new Socket(peer.address().getAddress(), peer.address().getPort())) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
