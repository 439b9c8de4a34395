package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.conn.MemoryServer;
import dev.serval.handler.Exchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that a line of the access log allocates nothing on the loop.
final class LogAllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 20_000;
    private static final int REQUESTS = 4_000;
    private static final int ROUNDS_MAX = 50;
    private static final ResponseHead HEAD =
            new ResponseHead(Status.NO_CONTENT, Fields.of(FieldName.ETAG, "1"), 0);
    private static final byte[] REQUEST =
            """
            GET /a/b?c=d HTTP/1.1\r
            Host: localhost:8080\r
            User-Agent: Mozilla/5.0 "quoted"\r
            Referer: http://localhost/\r
            X-Unknown: 1\r
            Cookie: a=b; c=d\r
            \r
            """
                    .getBytes(StandardCharsets.US_ASCII);

    @TempDir private Path folder;

    private static void answer(Exchange x) {
        x.response().head(HEAD);
        x.response().end(Fields.EMPTY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "common",
                "combined",
                "%a %B %m %U %q %H %I %O %k %X %v %p %D %T %{X-Unknown}i %{ETag}o %{c}C %{%F}t"
            })
    void lineAllocatesNothing(String format) throws IOException {
        AccessLogs logs = new AccessLogs();
        try (MemoryServer server = MemoryServer.of(LogAllocationTest::answer)) {
            LoggedServer.listen(
                    server,
                    logs.add(
                            new LogSettings(
                                    folder.resolve("access.log"),
                                    LogFormat.of(format, ZoneId.of("UTC")))));
            MemoryPeer client = server.connect();
            ask(server, client, WARM_UP);
            long least = Long.MAX_VALUE;
            // The JVM sometimes allocates on any thread, and compiles late on a busy machine.
            for (int round = 0; round < ROUNDS_MAX && least > 0; round++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                ask(server, client, REQUESTS);
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least / (double) REQUESTS).isZero();
        } finally {
            logs.close();
        }
    }

    private static void ask(MemoryServer server, MemoryPeer client, int times) {
        for (int i = 0; i < times; i++) {
            client.send(REQUEST);
            server.turn();
            client.clear();
        }
    }
}
