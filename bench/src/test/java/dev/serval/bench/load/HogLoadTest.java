package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Site;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class HogLoadTest {
    private static final String RIGHT = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    @Test
    void sendsNextRequestAfterEachAnswer() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT);
                HogLoad load = HogLoad.start(target(server), 3)) {
            load.awaitAnswered(50);
            assertThat(load.answered()).isGreaterThanOrEqualTo(50);
        }
    }

    @Test
    void acceptsNoClients() {
        HogLoad load = HogLoad.start(new Client.Target(1, new Site.Page("/x", 5, "")), 0);
        load.close();
        assertThat(load.answered()).isZero();
    }

    @Test
    void wrongAnswerFailsTheLoad() throws IOException {
        try (ScriptedServer server = new ScriptedServer(RIGHT.replace("200", "503"))) {
            HogLoad load = HogLoad.start(target(server), 2);
            load.awaitAnswered(50);
            assertThatThrownBy(load::close)
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("got a wrong answer");
        }
    }

    private static Client.Target target(ScriptedServer server) {
        return new Client.Target(server.port(), new Site.Page("/x", 5, ""));
    }
}
