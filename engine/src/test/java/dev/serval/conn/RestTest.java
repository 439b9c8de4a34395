package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an idle connection keeps for its next request.
final class RestTest {
    private final List<Exchange> exchanges = new ArrayList<>();

    private MemoryServer server() {
        return MemoryServer.of(x -> {
            exchanges.add(x);
            Answers.greeting().handle(x);
        });
    }

    private void ask(MemoryServer server, MemoryPeer client) throws Exception {
        assertThat(server.ask(client, Answers.GET)).endsWith("hello");
    }

    @Test
    void connectionThatIsIdleForATenthOfASecondKeepsNothing() throws Exception {
        try (MemoryServer server = server()) {
            MemoryPeer client = server.connect();
            ask(server, client);
            server.pass(Duration.ofMillis(80));
            ask(server, client);
            assertThat(exchanges.get(1)).isSameAs(exchanges.get(0));
            assertThat(server.exchanges().headsLent()).isEqualTo(1);
            server.pass(Duration.ofMillis(80));
            assertThat(server.exchanges().headsLent()).isEqualTo(1);
            server.pass(Duration.ofMillis(40));
            assertThat(server.exchanges().headsLent()).isZero();
            ask(server, client);
            assertThat(exchanges.get(2)).isNotSameAs(exchanges.get(1));
        }
    }

    @Test
    void connectionThatRestsIsClosedAfterItsTime() throws Exception {
        try (MemoryServer server = server()) {
            MemoryPeer client = server.connect();
            ask(server, client);
            server.pass(Duration.ofSeconds(74));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofSeconds(2));
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void headThatHasBegunIsKept() throws Exception {
        try (MemoryServer server = server()) {
            MemoryPeer client = server.connect();
            ask(server, client);
            client.send(Answers.GET.substring(0, 5));
            server.pass(Duration.ofSeconds(3));
            client.send(Answers.GET.substring(5));
            server.run();
            assertThat(client.takeText()).endsWith("hello");
            assertThat(exchanges.get(1)).isSameAs(exchanges.get(0));
        }
    }
}
