package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LoadEngineTest {

    private static final int TURN_MILLIS = 100;

    private final Recorded recorded = new Recorded(ByteBuffer.allocate(0));

    private static void turn(LoadEngine engine, BooleanSupplier until) {
        while (!until.getAsBoolean()) {
            engine.turn(TURN_MILLIS);
        }
    }

    @Test
    void sendsReadsAndReportsTheClose() throws IOException {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("ask"),
                                Step.Send.of("an"),
                                Step.Send.of("swer"));
                LoadEngine engine = new LoadEngine()) {
            Recorded asking = new Recorded(ByteBuffer.wrap(new byte[] {'a', 's', 'k'}));
            engine.connect(peer.address(), asking);
            turn(engine, () -> asking.events().contains("closed"));
            assertThat(asking.received()).isEqualTo("answer");
            assertThat(asking.events()).containsExactly("connected", "sent", "closed");
        }
    }

    @Test
    void exceptionOfTheConversationEndsTheConnection() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of("no!"));
                LoadEngine engine = new LoadEngine()) {
            engine.connect(peer.address(), recorded);
            turn(engine, () -> recorded.events().size() > 1);
            assertThat(recorded.events()).containsExactly("connected", "refused");
        }
    }

    @Test
    void turnThrowsWhatAConversationThrows() throws IOException {
        Conversation broken =
                new Conversation() {
                    @Override
                    public void connected(LoadConnection connection) {
                        throw new IllegalStateException("broken");
                    }

                    @Override
                    public void received(ByteBuffer in) {}

                    @Override
                    public void ended(@Nullable IOException cause) {}
                };
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of("a"));
                LoadEngine engine = new LoadEngine()) {
            engine.connect(peer.address(), broken);
            AtomicInteger turns = new AtomicInteger();
            assertThatThrownBy(() -> turn(engine, () -> turns.incrementAndGet() > 100))
                    .hasMessage("broken");
        }
    }

    @Test
    void refusedConnectEndsTheConversation() throws IOException {
        InetSocketAddress nowhere;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nowhere = (InetSocketAddress) closed.getLocalSocketAddress();
        }
        try (LoadEngine engine = new LoadEngine()) {
            engine.connect(nowhere, recorded);
            turn(engine, () -> !recorded.events().isEmpty());
            assertThat(recorded.events()).singleElement().asString().contains("refused");
        }
    }

    @Test
    void connectsFromTheGivenAddress() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LoadEngine engine = new LoadEngine()) {
            engine.connect(
                    new InetSocketAddress("127.0.0.7", 0),
                    server.getLocalSocketAddress(),
                    recorded);
            turn(engine, () -> !recorded.events().isEmpty());
            assertThat(recorded.events()).containsExactly("connected");
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInetAddress().getHostAddress()).isEqualTo("127.0.0.7");
            }
        }
    }

    @Test
    void connectsInALaterTurn() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of("hello"));
                LoadEngine engine = new LoadEngine()) {
            engine.connect(peer.address(), recorded);
            turn(engine, () -> recorded.events().contains("closed"));
            assertThat(recorded.events()).containsExactly("connected", "closed");
            assertThat(recorded.received()).isEqualTo("hello");
        }
    }

    /// The socket takes only a part of so many bytes until the other side reads.
    @Test
    void sendsTheRestWhenThereIsRoom() throws IOException, InterruptedException {
        int length = 64 << 20;
        List<IOException> failures = new CopyOnWriteArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LoadEngine engine = new LoadEngine()) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
            Recorded sending = new Recorded(ByteBuffer.allocate(length));
            engine.connect(address, sending);
            turn(engine, () -> !sending.events().isEmpty());
            try (Socket other = server.accept()) {
                assertThat(sending.events()).containsExactly("connected");
                Thread reading =
                        Thread.ofVirtual()
                                .start(() -> {
                                    try {
                                        other.getInputStream().readNBytes(length);
                                    } catch (IOException e) {
                                        failures.add(e);
                                    }
                                });
                turn(engine, () -> sending.events().contains("sent"));
                reading.join();
            }
            assertThat(sending.events()).containsExactly("connected", "sent");
            assertThat(failures).isEmpty();
        }
    }
}
