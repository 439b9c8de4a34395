package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.handler.Handler;
import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that an answer from the cache allocates nothing. The limit is a fraction of the smallest
/// object, so that rare allocations by the JVM itself do not fail the test.
final class HotPathTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 20_000;
    private static final int REQUESTS = 20_000;
    private static final String[] BROWSER = {
        "Host: localhost",
        "User-Agent: Mozilla/5.0",
        "Accept: text/html",
        "Accept-Encoding: gzip",
        "X-Unknown: 1",
        "Cookie: a=b"
    };

    @TempDir private Path root;
    private FileHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        Files.createDirectory(root.resolve("docs"));
        Files.write(root.resolve("docs/small.html"), new byte[4096]);
        Files.write(root.resolve("docs/large.bin"), new byte[100_000]);
        handler = new FileHandler(root, FileOptions.DEFAULT, LaterClock.LATER);
    }

    @Test
    void answersSmallFilesWithoutAllocation() {
        RecordingExchange x = RecordingExchange.get("/docs/small.html", BROWSER);

        assertThat(bytesPerRequest(x)).isLessThan(1);
        assertThat(x.status()).isEqualTo(200);
    }

    @Test
    void answersBelowAMountWithoutAllocation() {
        RecordingExchange x = RecordingExchange.get("/%C3%A9/docs/small.html", BROWSER);

        assertThat(bytesPerRequest(x.below("/é"))).isLessThan(1);
        assertThat(x.status()).isEqualTo(200);
    }

    @Test
    void answersHeadWithoutAllocation() {
        RecordingExchange x = RecordingExchange.head("/docs/small.html", BROWSER);

        assertThat(bytesPerRequest(x)).isLessThan(1);
        assertThat(x.status()).isEqualTo(200);
    }

    @Test
    void answersNotModifiedWithoutAllocation() {
        String tag = RecordingExchange.get("/docs/small.html").by(handler).answered(FieldName.ETAG);
        String date =
                RecordingExchange.get("/docs/small.html")
                        .by(handler)
                        .answered(FieldName.LAST_MODIFIED);
        RecordingExchange x =
                RecordingExchange.get(
                        "/docs/small.html", "If-None-Match: " + tag, "If-Modified-Since: " + date);

        assertThat(bytesPerRequest(x)).isLessThan(1);
        assertThat(x.status()).isEqualTo(304);
        RecordingExchange dated =
                RecordingExchange.get("/docs/small.html", "If-Modified-Since: " + date);
        assertThat(bytesPerRequest(dated)).isLessThan(1);
        assertThat(dated.status()).isEqualTo(304);
    }

    @Test
    void answersLargeFilesInThePageCacheWithoutAllocation() {
        RecordingExchange.get("/docs/large.bin").by(handler);
        RecordingExchange x = RecordingExchange.get("/docs/large.bin", BROWSER);

        assertThat(bytesPerRequest(x)).isLessThan(1);
        assertThat(x.status()).isEqualTo(200);
    }

    @Test
    void answersCompressedFilesWithoutAllocation() {
        RecordingExchange.get("/docs/small.html").by(handler);
        RecordingExchange x = RecordingExchange.get("/docs/small.html", BROWSER).by(handler);
        x.again().runMaintenance(x.nowNanos());

        assertThat(bytesPerRequest(x)).isLessThan(1);
        assertThat(x.answered(FieldName.CONTENT_ENCODING)).isEqualTo("gzip");
        RecordingExchange known =
                RecordingExchange.get(
                        "/docs/small.html",
                        "Accept-Encoding: gzip;q=0.5, br",
                        "If-None-Match: " + x.answered(FieldName.ETAG));
        assertThat(bytesPerRequest(known)).isLessThan(1);
        assertThat(known.status()).isEqualTo(304);
    }

    @Test
    void passesMissingPathsWithoutAllocation() {
        assertThat(bytesPerRequest(RecordingExchange.get("/none", BROWSER))).isLessThan(1);
    }

    private double bytesPerRequest(RecordingExchange x) {
        x.by(handler).holdBodies();
        repeat(x, handler, WARM_UP);
        long thread = Thread.currentThread().threadId();
        long before = THREADS.getThreadAllocatedBytes(thread);
        repeat(x, handler, REQUESTS);
        long after = THREADS.getThreadAllocatedBytes(thread);
        return (after - before) / (double) REQUESTS;
    }

    private static void repeat(RecordingExchange x, Handler handler, int times) {
        for (int i = 0; i < times; i++) {
            handler.handle(x.again());
            x.freeBodies();
        }
    }
}
