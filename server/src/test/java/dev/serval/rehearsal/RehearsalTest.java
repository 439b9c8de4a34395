package dev.serval.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.server.ServerProcess;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
final class RehearsalTest {
    @Test
    void requestsEachPathAndStopsTheServer() throws Exception {
        try (ScriptedPeer peer =
                ScriptedPeer.playing(
                        new Step.ReadUntil("\r\n\r\n"),
                        Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
                        new Step.ReadUntil("\r\n\r\n"),
                        Step.Send.of("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
                        new Step.ReadToEnd())) {
            String ready = "Ready: http://127.0.0.1:" + peer.address().getPort() + "/  a folder";
            Rehearsal.play(untilTerm(ready), List.of("run.md", "absent"), 0);
            assertThat(peer.received(0))
                    .startsWith("GET /run.md HTTP/1.1\r\n")
                    .contains("\r\n\r\nGET /absent HTTP/1.1\r\n");
        }
    }

    @Test
    void findsTheReadyLineOfTheRealServer() throws Exception {
        Rehearsal.play(
                ServerProcess.command(List.of("run", "--port", "0")), List.of("", "absent"), 2);
    }

    @Test
    void failsIfTheServerEndsBeforeItIsReady() {
        assertThatThrownBy(() -> Rehearsal.play(sh("echo serval: no; exit 2"), List.of("a"), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("before it was ready: serval: no");
    }

    @Test
    void failsIfTheServerDoesNotAnswer() {
        assertThatThrownBy(() ->
                        Rehearsal.play(untilTerm("Ready: http://127.0.0.1:1/"), List.of("a"), 0))
                .isInstanceOf(IOException.class);
    }

    @Test
    void failsIfTheServerStopsWithAnError() {
        List<String> server = sh("trap 'kill $!; exit 3' TERM; sleep 60 >&- & echo Ready: x; wait");
        assertThatThrownBy(() -> Rehearsal.play(server, List.of(), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended with code 3");
    }

    /// Returns a script that prints the line and runs until SIGTERM.
    private static List<String> untilTerm(String line) {
        return sh("trap 'kill $!; exit 0' TERM; sleep 60 >&- & echo '" + line + "'; wait");
    }

    private static List<String> sh(String script) {
        return List.of("sh", "-c", script);
    }
}
