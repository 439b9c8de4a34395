package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks that a request for a cached file allocates nothing on its whole path: read, parse, route,
/// file cache, encode and write.
final class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 20_000;
    private static final int REQUESTS = 20_000;
    private static final String FIELDS =
            """
             HTTP/1.1\r
            Host: localhost:8080\r
            User-Agent: Mozilla/5.0\r
            Accept: text/html\r
            Accept-Encoding: gzip\r
            X-Unknown: 1\r
            Cookie: a=b\r
            \r
            """;

    @TempDir private Path root;

    @Test
    void cachedFileAllocatesNothing() throws IOException {
        assertThat(bytesPerRequest("GET /small.html" + FIELDS)).isZero();
    }

    @Test
    void changingHeadsOnAConnectionAllocateNothing() throws IOException {
        assertThat(
                        bytesPerRequest(
                                "GET /small.html" + FIELDS,
                                "GET /small.html?x=1" + FIELDS,
                                "HEAD /small.html" + FIELDS))
                .isZero();
    }

    @Test
    void pipelinedRequestsAllocateNothing() throws IOException {
        assertThat(bytesPerRequest(("GET /small.html" + FIELDS).repeat(16))).isZero();
    }

    /// Sends the requests in turn, many times. The smallest result of several rounds counts,
    /// because the JVM sometimes allocates on any thread.
    private double bytesPerRequest(String... requests) throws IOException {
        Files.write(root.resolve("small.html"), new byte[4096]);
        RouteTable table =
                RouteTable.builder()
                        .mount("/", FileHandler.of(root, FileOptions.DEFAULT))
                        .mount("*.example.org", "/", Answers.greeting())
                        .build();
        byte[][] bytes = new byte[requests.length][];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Answers.bytes(requests[i]);
        }
        try (MemoryServer server = MemoryServer.of(new Router(table))) {
            server.logNothing();
            MemoryPeer client = server.connect();
            Await.until("the file is cached", () -> answersWithoutWork(server, client, bytes[0]));
            ask(server, client, bytes, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                ask(server, client, bytes, REQUESTS / 5);
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(server.count(Counter.RESPONSES_2XX)).isGreaterThan(WARM_UP + REQUESTS);
            assertThat(server.count(Counter.RESPONSES_4XX)).isZero();
            return least / (REQUESTS / 5.0);
        }
    }

    /// A file that was just written is looked up for each request.
    private static boolean answersWithoutWork(
            MemoryServer server, MemoryPeer client, byte[] bytes) {
        long before = server.count(Counter.RESPONSES_2XX);
        client.send(bytes);
        server.run();
        boolean atOnce = server.count(Counter.RESPONSES_2XX) > before;
        server.work();
        client.clear();
        return atOnce;
    }

    private static void ask(MemoryServer server, MemoryPeer client, byte[][] bytes, int times) {
        for (int i = 0; i < times; i++) {
            client.send(bytes[i % bytes.length]);
            server.turn();
            client.clear();
        }
    }
}
