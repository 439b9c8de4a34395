package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LoadEngineTest {

    private static final int TURN_MILLIS = 100;

    /// Records what the engine reports.
    private static final class Recorded implements Conversation {
        private final List<String> events = new ArrayList<>();
        private final StringBuilder received = new StringBuilder();

        @Override
        public void connected(LoadConnection connection) {
            events.add("connected");
        }

        @Override
        public void received(ByteBuffer in) throws IOException {
            received.append(StandardCharsets.US_ASCII.decode(in));
            if (received.toString().endsWith("!")) {
                throw new IOException("refused");
            }
        }

        @Override
        public void sent() {
            events.add("sent");
        }

        @Override
        public void ended(@Nullable IOException cause) {
            events.add(cause == null ? "closed" : cause.getMessage());
        }
    }

    private final Recorded recorded = new Recorded();

    private static void turn(LoadEngine engine, BooleanSupplier until) throws IOException {
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
            LoadConnection connection = engine.connect(peer.address(), recorded);
            connection.send(ByteBuffer.wrap(new byte[] {'a', 's', 'k'}));
            turn(engine, () -> recorded.events.contains("closed"));
            assertThat(recorded.received.toString()).isEqualTo("answer");
            assertThat(recorded.events).containsExactly("sent", "closed");
        }
    }

    @Test
    void exceptionOfTheConversationEndsTheConnection() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of("no!"));
                LoadEngine engine = new LoadEngine()) {
            engine.connect(peer.address(), recorded);
            turn(engine, () -> !recorded.events.isEmpty());
            assertThat(recorded.events).containsExactly("refused");
        }
    }

    @Test
    void connectsInALaterTurn() throws IOException {
        try (ScriptedPeer peer = ScriptedPeer.playing(Step.Send.of("hello"));
                LoadEngine engine = new LoadEngine()) {
            engine.connectLater(peer.address(), recorded);
            turn(engine, () -> recorded.events.contains("closed"));
            assertThat(recorded.events).containsExactly("connected", "closed");
            assertThat(recorded.received.toString()).isEqualTo("hello");
        }
    }

    /// The socket takes only a part of so many bytes until the other side reads.
    @Test
    void sendsTheRestWhenThereIsRoom() throws IOException, InterruptedException {
        int length = 64 << 20;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                LoadEngine engine = new LoadEngine()) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
            LoadConnection connection = engine.connect(address, recorded);
            try (Socket other = server.accept()) {
                connection.send(ByteBuffer.allocate(length));
                assertThat(recorded.events).isEmpty();
                Thread reading =
                        Thread.ofVirtual()
                                .start(() -> {
                                    try {
                                        other.getInputStream().readNBytes(length);
                                    } catch (IOException e) {
                                        recorded.received.append(e);
                                    }
                                });
                turn(engine, () -> recorded.events.contains("sent"));
                reading.join();
            }
            assertThat(recorded.events).containsExactly("sent");
        }
    }
}
