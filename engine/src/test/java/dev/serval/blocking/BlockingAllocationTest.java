package dev.serval.blocking;

import static java.lang.System.Logger.Level.INFO;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.conn.MemoryServer;
import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// The bytes that a small response by application code allocates: its Worker, exchange and streams.
final class BlockingAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final System.Logger LOG =
            System.getLogger(BlockingAllocationTest.class.getName());
    private static final byte[] GET =
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] POST =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nworld"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final ResponseHead OK = new ResponseHead(Status.OK, Fields.EMPTY, HELLO.length);
    private static final int WARM_UP = 20_000;
    private static final int REQUESTS = 4_000;

    @Test
    void streamsAllocateLittleBesidesTheWorker() {
        Body hello = Body.Bytes.of(HELLO);
        Handler answer = x -> x.response().send(OK, hello);
        Task task = () -> answer;
        long worker = bytesPerRequest(x -> x.run(ExecutorKind.WORKER, task), GET);
        long get = bytesPerRequest(on(BlockingAllocationTest::greet), GET);
        long post = bytesPerRequest(on(BlockingAllocationTest::read), POST);
        String figures =
                "bytes a request: only a Worker %d, hello %d, small post %d"
                        .formatted(worker, get, post);
        LOG.log(INFO, figures);
        // A task, an exchange, its stream, the state of the buffer, and the part passed to the
        // sink;
        // for content one stream more.
        assertThat(get - worker).as(figures).isLessThanOrEqualTo(272);
        assertThat(post - get).as(figures).isLessThanOrEqualTo(160);
    }

    private static Handler on(BlockingHandler handler) {
        return BlockingHandler.on(ExecutorKind.WORKER, handler);
    }

    private static void greet(BlockingExchange x) throws IOException {
        x.head(OK);
        x.output().write(HELLO);
    }

    private static void read(BlockingExchange x) throws IOException {
        while (x.input().read() >= 0) {}
        greet(x);
    }

    /// Returns the smallest result of some rounds, since the JVM itself sometimes allocates on any
    /// thread.
    private static long bytesPerRequest(Handler handler, byte[] request) {
        try (MemoryServer server = MemoryServer.of(handler)) {
            server.logNothing();
            MemoryPeer client = server.connect();
            ask(server, client, request, WARM_UP);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 5; round++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                ask(server, client, request, REQUESTS);
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(server.count(Counter.RESPONSES_2XX)).isEqualTo(WARM_UP + 5L * REQUESTS);
            return least / REQUESTS;
        }
    }

    private static void ask(MemoryServer server, MemoryPeer client, byte[] request, int times) {
        for (int i = 0; i < times; i++) {
            client.send(request);
            while (client.length() == 0) {
                server.turn();
            }
            client.clear();
        }
    }
}
