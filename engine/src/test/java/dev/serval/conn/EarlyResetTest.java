package dev.serval.conn;

import dev.serval.LeakCheck;
import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import dev.serval.testkit.SocketWire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Resets requests at the moment at which threads begin to run their application code.
final class EarlyResetTest {
    private static final int CONNECTIONS = 100;
    private static final int REQUESTS = 60;

    private static final Limits LIMITS =
            Limits.DEFAULT.with(draft -> draft.http2.resetsMax = 2 * REQUESTS);

    /// A thread that finds its request reset runs nothing. The loop may try to cancel it just then. What
    /// the request has borrowed comes back all the same.
    @Test
    void taskThatItsThreadSkipsIsDropped() throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Serval server =
                Serval.builder()
                        .limits(LIMITS)
                        .listen(new ListenerSpec(any))
                        .post("/", x -> x.text("length " + x.body().length))
                        .start();
        byte[] requests = requests();
        for (int i = 0; i < CONNECTIONS; i++) {
            SocketWire wire = SocketWire.connect(server.addresses().getFirst());
            Http2Peer peer = new Http2Peer(wire).begin();
            wire.write(requests, 0, requests.length); // at once, so that one turn reads them
            peer.end();
            String frames = peer.read();
            while (!frames.endsWith("END\n") && !frames.endsWith("RESET\n")) {
                frames = peer.read();
            }
            wire.close();
        }
        server.stop(Duration.ofSeconds(10));
        LeakCheck.nothingHeld(server);
    }

    /// Returns requests with a part of their content, each with its reset.
    private static byte[] requests() {
        byte[] more = Http2Peer.block("content-length 20");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int stream = 1; stream < 2 * REQUESTS; stream += 2) {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            head.writeBytes(Http2Peer.head("POST", "/"));
            head.writeBytes(more);
            frame(all, Http2Peer.HEADERS, Http2Peer.END_HEADERS, stream, head.toByteArray());
            frame(all, Http2Peer.DATA, 0, stream, new byte[10]);
            frame(all, Http2Peer.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
        }
        return all.toByteArray();
    }

    private static void frame(
            ByteArrayOutputStream to, int type, int flags, int stream, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
        to.writeBytes(frame.array());
    }
}
