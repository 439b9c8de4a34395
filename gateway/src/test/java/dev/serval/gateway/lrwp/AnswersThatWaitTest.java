package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.FILES;
import static dev.serval.gateway.lrwp.Clients.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.handler.Sink;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Http2Peer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Answers that wait for the client's windows of HTTP/2, and rests of answers that nobody waits for.
final class AnswersThatWaitTest {
    private static final String WINDOW_OF_STREAMS = "0004"; // SETTINGS_INITIAL_WINDOW_SIZE

    private final LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
    private final List<Integer> pieceBytes = new ArrayList<>();

    private GatewayInMemory gateway() {
        return new GatewayInMemory(1, agent, agent.handler(), FILES);
    }

    @Test
    void takeTheMemoryOfTheirContent() {
        try (GatewayInMemory gateway = new GatewayInMemory(1, agent, watching(), FILES)) {
            MemoryPeer peer = gateway.registered(0, "app");
            Http2Peer client = gateway.http2(0);
            client.frame(Http2Peer.SETTINGS, 0, 0, WINDOW_OF_STREAMS + "00000000").read();
            for (int stream = 1; stream <= 5; stream += 2) {
                client.get(stream, "/app").read();
                peer.clear();
                peer.send(Messages.plain("content" + stream));
                gateway.run();
            }
            assertThat(pieceBytes).containsExactly(8, 8, 8);
            client.frame(Http2Peer.SETTINGS, 0, 0, WINDOW_OF_STREAMS + "00000100");
            assertThat(client.answers())
                    .contains("DATA 1 8 end content1\n", "DATA 5 8 end content5\n");
        }
    }

    /// Returns a handler that notes the memory of each piece of content that the agent writes.
    private Handler watching() {
        return x -> agent.handler().handle(watched(EngineExchange.class, EngineExchange.of(x)));
    }

    private <T> T watched(Class<T> type, T real) {
        InvocationHandler calls =
                (_, method, arguments) -> {
                    if (method.getName().equals("write")
                            && arguments[0] instanceof Body.Bytes piece) {
                        pieceBytes.add(piece.buffer().capacity());
                    }
                    Object result = method.invoke(real, arguments);
                    return result instanceof Sink sink ? watched(Sink.class, sink) : result;
                };
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    /// The exchange object serves the next request of its connection.
    @Test
    void restThatIsDroppedChangesNoTimeOfTheNextRequest() {
        try (GatewayInMemory gateway = gateway()) {
            MemoryPeer slow = gateway.registered(0, "app");
            MemoryPeer good = gateway.registered(0, "app");
            MemoryPeer client = gateway.client(0);
            client.send(get("/app/1"));
            gateway.run();
            assertThat(Messages.request(slow.takeText()).path()).isEqualTo("/1");
            String malformed = Messages.answer("Status: abc\r\n\r\nrest");
            slow.send(malformed.substring(0, malformed.length() - 2));
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            client.send(get("/app/2"));
            gateway.run();
            assertThat(Messages.request(good.takeText()).path()).isEqualTo("/2");
            gateway.pass(Duration.ofSeconds(1));
            slow.send("st");
            gateway.pass(Duration.ofSeconds(2));
            good.send(Messages.plain("fine"));
            gateway.run();
            assertThat(client.takeText()).endsWith("fine");
            assertThat(gateway.upstreamTimes())
                    .containsExactly(Duration.ZERO, Duration.ofSeconds(3));
            assertThat(slow.isClosed()).isFalse();
        }
    }
}
