package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a neighbour leaves behind when it is closed.
@EveryMode
final class OpenNeighbourTest {
    private static final int CHECKS = 200;
    private static final int MORE = 10;
    private static final List<Step> FINE =
            List.of(new Step.ReadUntil("\r\n\r\n"), Step.Send.of("HTTP/1.1 200 OK\r\n\r\n"));

    @Test
    void checksEndWithTheNeighbour() {
        try (ScriptedPeer first = ScriptedPeer.playing(Collections.nCopies(CHECKS, FINE));
                ScriptedPeer second = ScriptedPeer.playing(Collections.nCopies(CHECKS, FINE));
                GatewayServer server = GatewayServer.of("/a=" + url(first), "/b=" + url(second))) {
            Await.until("the first is checked", () -> checks(first) > 0);
            server.neighbour("/a").close();
            long present = checks(first);
            long others = checks(second);
            Await.until("the second is checked", () -> checks(second) >= others + MORE);
            assertThat(checks(first)).as("one is in progress").isLessThanOrEqualTo(present + 1);
        }
    }

    private static long checks(ScriptedPeer peer) {
        return IntStream.range(0, CHECKS).filter(i -> !peer.received(i).isEmpty()).count();
    }

    private static String url(ScriptedPeer peer) {
        return "http://127.0.0.1:" + peer.address().getPort() + "?check=/health&check-every=1ms";
    }
}
