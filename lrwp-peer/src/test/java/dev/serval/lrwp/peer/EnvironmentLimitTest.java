package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.lrwp.peer.ScriptedAgent.Line;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests with many variables: one client must not end a connection that serves others.
@Timeout(60)
final class EnvironmentLimitTest {
    private ScriptedAgent agent;

    @BeforeEach
    void listen() throws IOException {
        agent = new ScriptedAgent();
    }

    @AfterEach
    void close() throws IOException {
        agent.close();
    }

    private LrwpPeer echo(PeerLimits limits) {
        return LrwpPeer.builder()
                .agent("127.0.0.1", agent.port())
                .register("app")
                .limits(limits)
                .handler(request -> LrwpResponse.of(200, "a/b", request.body().readAllBytes()))
                .start();
    }

    private static String ask(Line line, String variable, byte[] content) throws IOException {
        line.send(ScriptedAgent.request(Map.of("A", variable), content));
        return line.answerText();
    }

    @Test
    void requestPastTheLimitGets431AndTheConnectionStays() throws Exception {
        try (LrwpPeer peer =
                        echo(PeerLimits.STANDARD.with(draft -> draft.environmentMaxBytes = 1024));
                Line line = agent.acceptAndRegister()) {
            assertThat(ask(line, "x".repeat(90_000), new byte[50_000]))
                    .startsWith("Status: 431 Request Header Fields Too Large\r\n");
            assertThat(ask(line, "x".repeat(1021), new byte[50_000])).contains("431");
            assertThat(ask(line, "x".repeat(1020), RequestDecoderTest.bytes("ok")))
                    .endsWith("\r\n\r\nok");
            assertThat(ask(line, "x", RequestDecoderTest.bytes("ok"))).endsWith("\r\n\r\nok");
            assertThat(peer.failed()).isZero();
        }
    }

    @Test
    void takesAsManyVariablesAsTheAgentSends() throws Exception {
        try (LrwpPeer _ = echo(PeerLimits.STANDARD);
                Line line = agent.acceptAndRegister()) {
            assertThat(ask(line, "x".repeat((1 << 20) - 4), RequestDecoderTest.bytes("ok")))
                    .endsWith("\r\n\r\nok");
        }
    }
}
