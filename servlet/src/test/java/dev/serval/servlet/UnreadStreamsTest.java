package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.Http2Peer;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.testkit.mode.Mode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Ten clients of HTTP/2 that open their windows wide, ask for 16 MB on each of 100 streams, and read
/// nothing. The server has one loop and 256 MB of heap in a separate JVM.
@Tag("long")
@Timeout(240)
final class UnreadStreamsTest {
    private static final int CONNECTIONS = 10;
    private static final int STREAMS = 100;
    private static final int WINDOW_MAX = Integer.MAX_VALUE;
    private static final int FIRST_WINDOW = 65_535;
    private static final int INITIAL_WINDOW_SIZE = 4;

    /// Each stream may hold what a writer waits for, and a piece more.
    private static final long HELD_MAX_BYTES = CONNECTIONS * STREAMS * (96L << 10);

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void memoryIsBoundedAndOthersAreAnswered(boolean tls) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        try (ChildJvm child = server()) {
            InetSocketAddress address = FloodsTest.address(child);
            int secured = Integer.parseInt(child.ask("secured"));
            byte[] flood = flood();
            for (int i = 0; i < CONNECTIONS; i++) {
                clients.add(tls ? secured(secured) : RawClient.connect(address, Mode.H1));
                clients.getLast().send(flood);
            }
            Await.until(
                    "every stream's request is in its servlet",
                    () -> child.ask("inside").equals(String.valueOf(CONNECTIONS * STREAMS)));
            Await.until("every servlet waits", () -> !writesWhileOthersAreAnswered(child, address));
            assertThat(child.ask("inside")).isEqualTo(String.valueOf(CONNECTIONS * STREAMS));
            assertThat(Long.parseLong(child.ask("held"))).isLessThan(HELD_MAX_BYTES);
            clients.forEach(RawClient::close);
            Await.until("nothing is left", () -> child.ask("left").equals(FloodsTest.NOTHING));
        } finally {
            clients.forEach(RawClient::close);
            assertThat(Files.readString(folder.resolve("errors"))).doesNotContain("OutOfMemory");
        }
    }

    /// Returns whether servlets have written something while other clients got their answers.
    private static boolean writesWhileOthersAreAnswered(ChildJvm child, InetSocketAddress address) {
        String before = child.ask("written");
        FloodsTest.assertOthersAreAnswered(address, RawClient.connect(address, Mode.H1));
        FloodsTest.assertOthersAreAnswered(address, RawClient.connect(address, Mode.H2C));
        return !child.ask("written").equals(before);
    }

    private static RawClient secured(int port) {
        return RawClient.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                TlsClient.of(TestKeys.trustingLocal()).offering("h2"));
    }

    /// Returns the preface, settings and an update that open all windows, and a GET on each stream.
    private static byte[] flood() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        byte[] setting =
                ByteBuffer.allocate(6)
                        .putShort((short) INITIAL_WINDOW_SIZE)
                        .putInt(WINDOW_MAX)
                        .array();
        out.writeBytes(frame(Http2Peer.SETTINGS, 0, 0, setting));
        byte[] more = ByteBuffer.allocate(4).putInt(WINDOW_MAX - FIRST_WINDOW).array();
        out.writeBytes(frame(Http2Peer.WINDOW_UPDATE, 0, 0, more));
        byte[] head = Http2Peer.head("GET", "/huge");
        int flags = Http2Peer.END_HEADERS | Http2Peer.END_STREAM;
        for (int i = 0; i < STREAMS; i++) {
            out.writeBytes(frame(Http2Peer.HEADERS, flags, 2 * i + 1, head));
        }
        return out.toByteArray();
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    private ChildJvm server() throws IOException {
        TestKeys keys = TestKeys.local();
        return ChildJvm.start(
                ChildJvm.command(
                        List.of("-Xmx256m"),
                        FloodedServer.class,
                        folder.toString(),
                        String.valueOf(CONNECTIONS * STREAMS + 8),
                        "0",
                        keys.certificate().toString(),
                        keys.key().toString()),
                folder.resolve("errors"));
    }
}
