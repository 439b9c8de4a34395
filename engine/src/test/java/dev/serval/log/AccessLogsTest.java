package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.AccessRecord;
import dev.serval.handler.Body;
import dev.serval.handler.ErrorDocument;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.Clock;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessLogsTest {
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir private Path folder;

    private static void answer(Exchange x) {
        x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 2));
        x.response().write(Body.Bytes.of(new byte[] {'o', 'k'}));
        x.response().end(Fields.EMPTY);
    }

    private LogSettings settings(String name, String pattern) {
        return new LogSettings(folder.resolve(name), LogFormat.of(pattern, ZoneId.of("UTC")));
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name));
    }

    private static AccessLogLimits small(int ringBytes, int filesMax) {
        return new AccessLogLimits(ringBytes, 100, 10, 1000, filesMax, 100_000_000L, 1);
    }

    @Test
    void linesAreWrittenSoonWithoutAFlush() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%U", AccessLogsTest::answer)) {
            server.ask(GET);
            Await.until("the line", () -> size("access.log") == 3);
            server.ask(GET.repeat(100));
            Await.until("the lines", () -> size("access.log") == 303);
        }
    }

    private long size(String name) {
        try {
            return Files.size(folder.resolve(name));
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void closeWritesWhatIsLeft() throws IOException {
        LoggedServer server = LoggedServer.of(folder, "%U", AccessLogsTest::answer);
        server.ask(GET.repeat(1000));
        server.close();
        assertThat(lines("access.log")).hasSize(1000);
    }

    @Test
    void changeOfFileAndFormatLosesNoLine() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "old %U", AccessLogsTest::answer)) {
            server.ask(GET.repeat(10));
            LogSettings next = settings("next.log", "new %>s");
            server.logs().open(next);
            server.logs().use(server.log(), next);
            server.ask(GET.repeat(10));
            assertThat(server.lines()).hasSize(10).containsOnly("old /a");
            assertThat(lines("next.log")).hasSize(10).containsOnly("new 200");
            server.logs().use(server.log(), null);
            server.ask(GET);
            server.logs().use(server.log(), settings("access.log", "again"));
            server.ask(GET);
            assertThat(server.lines()).hasSize(11).endsWith("again");
            assertThat(lines("next.log")).hasSize(10);
            assertThat(server.logs().lost()).isZero();
        }
    }

    @Test
    void reopenSeparatesTheLinesBeforeFromThoseAfter() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%U", AccessLogsTest::answer)) {
            server.ask(GET.repeat(500));
            Files.move(folder.resolve("access.log"), folder.resolve("moved.log"));
            server.ask(GET.repeat(500));
            server.logs().reopen(WAIT);
            assertThat(lines("moved.log")).hasSize(1000);
            server.ask(GET);
            assertThat(server.lines()).hasSize(1);
        }
    }

    @Test
    void reopenCreatesNoFileThatNoLogUses() throws IOException {
        try (LoggedServer server = LoggedServer.of(folder, "%U", AccessLogsTest::answer)) {
            server.ask(GET);
            LogSettings next = settings("next.log", "%U");
            server.logs().open(next);
            server.logs().use(server.log(), next);
            server.logs().flush(WAIT);
            Files.delete(folder.resolve("access.log"));
            Files.delete(folder.resolve("next.log"));
            server.logs().reopen(WAIT);
            assertThat(folder.resolve("access.log")).doesNotExist();
            assertThat(folder.resolve("next.log")).exists();
            server.logs().use(server.log(), settings("access.log", "%U"));
            server.ask(GET);
            assertThat(server.lines()).containsExactly("/a");
        }
    }

    /// Such as one that a refused change has named. It may be chosen again later.
    @Test
    void fileThatNoLogUsesIsClosed() throws IOException {
        CountingDisk disk = new CountingDisk();
        try (AccessLogs logs = new AccessLogs(disk, Clock.SYSTEM, AccessLogLimits.STANDARD)) {
            AccessLog log = logs.add(settings("access.log", "%U"));
            logs.open(settings("next.log", "%U"));
            assertThat(disk.open).hasValue(2);
            logs.closeUnused();
            logs.flush(WAIT);
            logs.flush(WAIT);
            assertThat(disk.open).hasValue(1);
            Files.delete(folder.resolve("next.log"));
            Files.createDirectory(folder.resolve("next.log"));
            assertThatThrownBy(() -> logs.open(settings("next.log", "%U")))
                    .isInstanceOf(IOException.class);
            logs.use(log, null);
            logs.flush(WAIT);
            logs.flush(WAIT);
            assertThat(disk.open).hasValue(0);
        }
    }

    /// Counts the files that are open.
    private static final class CountingDisk implements LogDisk {
        private final AtomicInteger open = new AtomicInteger();

        @Override
        public WritableByteChannel open(Path file) throws IOException {
            WritableByteChannel channel = LogDisk.SYSTEM.open(file);
            open.incrementAndGet();
            return new WritableByteChannel() {
                @Override
                public int write(ByteBuffer lines) throws IOException {
                    return channel.write(lines);
                }

                @Override
                public boolean isOpen() {
                    return channel.isOpen();
                }

                @Override
                public void close() throws IOException {
                    open.decrementAndGet();
                    channel.close();
                }
            };
        }
    }

    @Test
    void reopenThatFailsSaysWhy() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        try (LoggedServer server = LoggedServer.of(inner, "%U", AccessLogsTest::answer)) {
            Files.delete(inner.resolve("access.log"));
            Files.delete(inner);
            assertThatThrownBy(() -> server.logs().reopen(WAIT)).hasMessageContaining("access.log");
            Files.createDirectory(inner);
        }
    }

    /// Lines would go to the file that another program has renamed.
    @Test
    void reopenGoesOnAfterALogThatFails() throws IOException {
        Path inner = Files.createDirectory(folder.resolve("inner"));
        Path other = Files.createDirectory(folder.resolve("other"));
        try (LoggedServer server = LoggedServer.of(inner, "%U", AccessLogsTest::answer)) {
            AccessLog _ = server.logs().add(settings("other/b.log", "%U"));
            AccessLog _ = server.logs().add(settings("last.log", "%U"));
            Files.delete(inner.resolve("access.log"));
            Files.delete(inner);
            Files.delete(other.resolve("b.log"));
            Files.delete(other);
            Files.move(folder.resolve("last.log"), folder.resolve("moved.log"));
            assertThatThrownBy(() -> server.logs().reopen(WAIT))
                    .hasMessageContainingAll("inner/access.log", "other/b.log")
                    .hasMessageNotContaining("last.log");
            assertThat(folder.resolve("last.log")).exists();
            Files.createDirectory(inner);
        }
    }

    @Test
    void diskThatHangsHoldsUpNoRequestAndLinesAreCounted() throws IOException {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch reached = new CountDownLatch(1);
        LogDisk disk = hanging(reached, hangs);
        List<String> messages = new CopyOnWriteArrayList<>();
        StreamHandler memory =
                new StreamHandler() {
                    @Override
                    public void publish(LogRecord message) {
                        messages.add(message.getMessage());
                    }
                };
        Logger log = Logger.getLogger(AccessLogs.class.getName());
        log.addHandler(memory);
        Metrics metrics = new Metrics();
        AccessLogs logs = new AccessLogs(disk, Clock.SYSTEM, small(1 << 12, 4));
        logs.countIn(metrics);
        try (MemoryServer server = MemoryServer.of(AccessLogsTest::answer)) {
            LoggedServer.listen(server, logs.add(settings("a.log", "%U")));
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            Await.until("the write", () -> reached.getCount() == 0);
            for (int i = 0; i < 1000; i++) {
                assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 200");
            }
            long lost = logs.lost();
            assertThat(lost).isBetween(600L, 999L);
            hangs.countDown();
            logs.flush(WAIT);
            assertThat(lines("a.log")).hasSize(1001 - (int) lost);
            assertThat(metrics.sum(Counter.ACCESS_LOG_LINES_LOST)).isEqualTo(lost);
            assertThat(messages).hasSize(1);
            assertThat(messages.getFirst())
                    .startsWith(lost + " lines of the access logs were dropped");
        } finally {
            hangs.countDown();
            logs.close();
            log.removeHandler(memory);
        }
    }

    /// Returns a disk that opens `reached` with each write and then waits for `hangs`.
    private static LogDisk hanging(CountDownLatch reached, CountDownLatch hangs) {
        return file -> {
            WritableByteChannel real = LogDisk.SYSTEM.open(file);
            return new WritableByteChannel() {
                @Override
                public int write(ByteBuffer from) throws IOException {
                    reached.countDown();
                    try {
                        hangs.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return real.write(from);
                }

                @Override
                public boolean isOpen() {
                    return real.isOpen();
                }

                @Override
                public void close() throws IOException {
                    real.close();
                }
            };
        };
    }

    @Test
    void fileThatFailsHoldsUpNoOther() throws IOException {
        FailingDisk disk = new FailingDisk();
        LogDisk half =
                file -> file.endsWith("bad.log") ? disk.open(file) : LogDisk.SYSTEM.open(file);
        AccessLogs logs = new AccessLogs(half, Clock.SYSTEM, small(1 << 12, 4));
        AccessLog good = logs.add(settings("good.log", "%U"));
        AccessLog bad = logs.add(settings("bad.log", "%U"));
        try (MemoryServer server = MemoryServer.of(AccessLogsTest::answer)) {
            LoggedServer.listen(
                    server,
                    x -> {
                        good.ended(x);
                        bad.ended(x);
                    });
            disk.free(0);
            MemoryPeer client = server.connect();
            for (int i = 0; i < 50; i++) {
                server.ask(client, GET.repeat(20));
                logs.flush(WAIT);
            }
            assertThat(lines("good.log")).hasSize(1000);
            assertThat(logs.lost()).isEqualTo(1000 - 1000 / 3); // lines of three bytes
        } finally {
            logs.close();
        }
    }

    @Test
    void numberOfFilesIsBounded() throws IOException {
        AccessLogs logs = new AccessLogs(LogDisk.SYSTEM, Clock.SYSTEM, small(1 << 12, 2));
        try {
            logs.open(settings("1.log", "%U"));
            logs.open(settings("2.log", "%U"));
            logs.open(settings("1.log", "%h"));
            assertThatThrownBy(() -> logs.open(settings("3.log", "%U")))
                    .hasMessageContaining("has had 2 access logs");
        } finally {
            logs.close();
        }
    }

    @Test
    void fileThatCannotBeWrittenIsRefused() {
        AccessLogs logs = new AccessLogs();
        try {
            assertThatThrownBy(() -> logs.add(settings("no/such/folder.log", "%U")))
                    .isInstanceOf(IOException.class);
        } finally {
            logs.close();
        }
    }

    @Test
    void mountsHaveLogsOfTheirOwnOrNone() throws IOException {
        AccessLogs logs = new AccessLogs();
        AccessLog shop = logs.add(settings("shop.log", "%U"));
        RouteTable table =
                RouteTable.builder()
                        .mount("/", AccessLogsTest::answer)
                        .mount("*", "/shop", withLog(shop), AccessLogsTest::answer)
                        .mount(
                                "*",
                                "/health",
                                withLog(AccessRecord.Listener.NONE),
                                AccessLogsTest::answer)
                        .build();
        try (MemoryServer server = MemoryServer.of(new Router(table))) {
            LoggedServer.listen(server, logs.add(settings("access.log", "%U")));
            MemoryPeer client = server.connect();
            for (String path : List.of("/a", "/shop", "/shop/b", "/health")) {
                server.ask(client, GET.replace("/a ", path + " "));
            }
            logs.flush(WAIT);
            assertThat(lines("access.log")).containsExactly("/a");
            assertThat(lines("shop.log")).containsExactly("/shop", "/shop/b");
        } finally {
            logs.close();
        }
    }

    @Test
    void requestIsInTheLogOfItsMountThoughItsErrorHasAPageElsewhere() throws IOException {
        AccessLogs logs = new AccessLogs();
        AccessLog shop = logs.add(settings("shop.log", "%U"));
        MountSettings failing =
                withLog(shop)
                        .with(draft ->
                                draft.errors =
                                        Map.of(404, new ErrorDocument.Internal("/pages/404")));
        RouteTable table =
                RouteTable.builder()
                        .mount("*", "/shop", failing, Exchange::pass)
                        .mount(
                                "*",
                                "/pages",
                                withLog(AccessRecord.Listener.NONE),
                                AccessLogsTest::answer)
                        .build();
        try (MemoryServer server = MemoryServer.of(new Router(table))) {
            assertThat(server.ask(server.connect(), GET.replace("/a ", "/shop/b ")))
                    .startsWith("HTTP/1.1 404 ")
                    .contains("ok");
            logs.flush(WAIT);
            assertThat(lines("shop.log")).containsExactly("/shop/b");
        } finally {
            logs.close();
        }
    }

    private static MountSettings withLog(AccessRecord.Listener log) {
        return MountSettings.NONE.with(draft -> draft.log = log);
    }

    @Test
    void logThatFailsKeepsNoExchangeFromEnding() {
        AtomicInteger calls = new AtomicInteger();
        Handler handler = AccessLogsTest::answer;
        try (MemoryServer server = MemoryServer.of(handler)) {
            LoggedServer.listen(
                    server,
                    _ -> {
                        calls.incrementAndGet();
                        throw new IllegalStateException("broken");
                    });
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET.repeat(2))).contains("200 OK", "200 OK");
            assertThat(calls.get()).isEqualTo(2);
        }
    }

    /// What cannot be logged, as nothing can be without memory.
    private static final class Unprintable extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("as this test wishes");
        }
    }

    @Test
    void writerSurvivesAnErrorThatCannotBeLogged(@TempDir Path place) throws IOException {
        AtomicInteger failures = new AtomicInteger();
        LogDisk disk =
                file -> {
                    if (failures.getAndSet(0) > 0) {
                        throw new Unprintable();
                    }
                    return LogDisk.SYSTEM.open(file);
                };
        AccessLogs logs = new AccessLogs(disk, Clock.SYSTEM, AccessLogLimits.STANDARD);
        AccessLog _ = logs.add(place.resolve("a.log"));
        failures.set(1);
        assertThatThrownBy(() -> logs.reopen(Duration.ofMillis(100)))
                .isInstanceOf(IOException.class);
        logs.flush(Duration.ofSeconds(30));
        logs.close();
    }
}
