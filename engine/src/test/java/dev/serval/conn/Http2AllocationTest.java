package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.testkit.Await;
import dev.serval.testkit.Http2Peer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks how much a request of HTTP/2 for a cached file allocates on its whole path.
final class Http2AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 10_000;
    private static final int REQUESTS = 4_000;
    private static final int MOST_BYTES = 64;

    @TempDir private Path root;

    private byte[] frame = {};
    private int stream = 1;

    @Test
    void cachedFileAllocatesLittle() throws IOException {
        Files.write(root.resolve("small.html"), new byte[4096]);
        RouteTable table =
                RouteTable.builder()
                        .mount("/", FileHandler.of(root, FileOptions.DEFAULT))
                        .mount("*.example.org", "/", Answers.greeting())
                        .build();
        Http protocol = new Http(Leniency.defaults());
        try (MemoryServer server = MemoryServer.of(new Router(table), Limits.DEFAULT, protocol)) {
            server.logNothing();
            MemoryPeer client = server.connect();
            begin(client);
            Await.until("the file is cached", () -> answersWithoutWork(server, client));
            ask(server, client, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                ask(server, client, REQUESTS);
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(server.count(Counter.RESPONSES_2XX)).isGreaterThan(WARM_UP + 5L * REQUESTS);
            assertThat(least / (double) REQUESTS).isLessThanOrEqualTo(MOST_BYTES);
        }
    }

    private void begin(MemoryPeer client) {
        client.send(Answers.bytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
        client.send(ByteBuffer.allocate(9).putInt(4).array());
        ByteBuffer window = ByteBuffer.allocate(13).putInt(4 << 8 | 8).put((byte) 0).putInt(0);
        client.send(window.putInt(Integer.MAX_VALUE - 65_535).array());
        byte[] head = Http2Peer.head("GET", "/small.html");
        frame = new byte[9 + head.length];
        ByteBuffer.wrap(frame).putInt(head.length << 8 | 1).put((byte) 5);
        System.arraycopy(head, 0, frame, 9, head.length);
    }

    private void send(MemoryPeer client) {
        ByteBuffer.wrap(frame).putInt(5, stream);
        stream += 2;
        client.send(frame);
    }

    private boolean answersWithoutWork(MemoryServer server, MemoryPeer client) {
        long before = server.count(Counter.RESPONSES_2XX);
        send(client);
        server.run();
        boolean atOnce = server.count(Counter.RESPONSES_2XX) > before;
        server.work();
        client.clear();
        return atOnce;
    }

    private void ask(MemoryServer server, MemoryPeer client, int times) {
        for (int i = 0; i < times; i++) {
            send(client);
            server.turn();
            client.clear();
        }
    }
}
