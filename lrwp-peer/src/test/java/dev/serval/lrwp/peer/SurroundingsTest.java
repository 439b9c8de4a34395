package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SurroundingsTest {
    private static final int PATIENCE_MILLIS = 20_000;

    /// An idle connection reads without a time limit. By itself Linux would probe after two hours, and
    /// until then the application could not be reached.
    @Test
    void idleConnectionsNoticeWithinTwoMinutesThatTheAgentHasVanished() throws IOException {
        try (ScriptedAgent agent = new ScriptedAgent();
                Socket socket =
                        Surroundings.real()
                                .connector()
                                .open("127.0.0.1", agent.port(), PATIENCE_MILLIS, _ -> {})) {
            assertThat(socket.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
            Map<String, Object> options = new HashMap<>();
            for (SocketOption<?> each : socket.supportedOptions()) {
                options.put(each.name(), socket.getOption(each));
            }
            assertThat(options)
                    .containsEntry("TCP_KEEPIDLE", 60)
                    .containsEntry("TCP_KEEPINTERVAL", 10)
                    .containsEntry("TCP_KEEPCOUNT", 6);
        }
    }
}
