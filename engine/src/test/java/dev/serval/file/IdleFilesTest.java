package dev.serval.file;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.handler.RecordingExchange;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that open files are closed if no request uses them any more.
final class IdleFilesTest {
    private static final int LARGE = 100_000;
    private static final long IDLE = FileOptions.DEFAULT.openIdleNanos();

    @TempDir private Path root;
    private final long start = -SECONDS.toNanos(7); // a monotonic clock may be negative
    private FileHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        Files.write(root.resolve("large.bin"), new byte[LARGE]);
        Files.write(root.resolve("other.bin"), new byte[LARGE + 1]);
        Files.writeString(root.resolve("small.txt"), "small");
        handler = new FileHandler(root, FileOptions.DEFAULT, LaterClock.LATER);
    }

    @Test
    void closesAnUnusedDeletedFileAndServesItsSuccessor() throws IOException {
        RecordingExchange x = get("/large.bin", start);
        FileChannel channel = FileCacheTest.channelOf(x);
        Files.delete(root.resolve("large.bin"));

        assertThat(x.maintenanceAtNanos()).isEqualTo(start + IDLE);
        assertThat(channel.isOpen()).isTrue();
        x.runMaintenance(start + IDLE);

        assertThat(channel.isOpen()).isFalse();
        assertThat(x.maintenanceAtNanos()).isEqualTo(Maintenance.NEVER);
        assertThat(get("/large.bin", start + IDLE).passed()).isTrue();
        Files.write(root.resolve("large.bin"), new byte[LARGE + 7]);
        RecordingExchange again = get("/large.bin", start + IDLE + SECONDS.toNanos(1));
        assertThat(again.contentBytes()).hasSize(LARGE + 7);
        assertThat(again.maintenanceAtNanos()).isEqualTo(again.nowNanos() + IDLE);
    }

    @Test
    void keepsUsedFilesAndRunsAgainForThem() {
        RecordingExchange x = get("/large.bin", start);
        FileChannel idle = FileCacheTest.channelOf(x);
        long later = start + SECONDS.toNanos(20);
        RecordingExchange y = get("/other.bin", later);
        FileChannel used = FileCacheTest.channelOf(y);
        assertThat(y.maintenanceAtNanos()).as("one run is enough").isEqualTo(Maintenance.NEVER);

        x.runMaintenance(start + IDLE);
        assertThat(idle.isOpen()).isFalse();
        assertThat(used.isOpen()).isTrue();
        assertThat(x.maintenanceAtNanos()).isEqualTo(later + IDLE);

        x.runMaintenance(later + IDLE);
        assertThat(used.isOpen()).isFalse();
        assertThat(x.maintenanceAtNanos()).isEqualTo(Maintenance.NEVER);
    }

    @Test
    void neverClosesAFileThatIsBeingSent() {
        RecordingExchange x =
                RecordingExchange.get("/large.bin").at(start).holdBodies().by(handler);
        FileChannel channel = FileCacheTest.channelOf(x);

        x.runMaintenance(start + IDLE);
        assertThat(handler.cache().sizes()[1]).isZero();
        assertThat(channel.isOpen()).isTrue();
        x.releaseBodies();

        assertThat(x.complete()).isTrue();
        Await.until("the file is closed", () -> !channel.isOpen());
    }

    @Test
    void schedulesAgainIfTheServerOfTheFirstRunHasStopped() {
        get("/large.bin", start);
        long later = start + 3 * IDLE;

        assertThat(get("/other.bin", start + IDLE).maintenanceAtNanos())
                .isEqualTo(Maintenance.NEVER);
        RecordingExchange x = get("/other.bin", later);
        assertThat(x.maintenanceAtNanos()).isEqualTo(later + IDLE);
        x.runMaintenance(later + IDLE);
        assertThat(handler.cache().sizes()[1]).isZero();
    }

    @Test
    void serverClosesIdleFilesAndThenSleepsWithoutALimit() throws IOException {
        try (MemoryServer server = MemoryServer.chain(handler)) {
            MemoryPeer client = server.connect();
            ask(server, client, "small.txt");
            client.reset();
            server.run();
            assertThat(armed(server)).as("no large file, no deadline").isZero();

            MemoryPeer other = server.connect();
            ask(server, other, "large.bin");
            other.reset();
            server.run();
            Files.delete(root.resolve("large.bin"));
            server.pass(Duration.ofNanos(IDLE).minusSeconds(1));
            server.work();
            assertThat(handler.cache().sizes()[1]).isEqualTo(1);
            assertThat(armed(server)).isEqualTo(1);

            server.pass(Duration.ofSeconds(2));
            server.work();
            assertThat(handler.cache().sizes()[1]).isZero();
            assertThat(armed(server)).isZero();
        }
    }

    @Test
    void runsLaterIfTheDiskExecutorIsFull() {
        try (MemoryServer server = MemoryServer.chain(handler)) {
            MemoryPeer client = server.connect();
            ask(server, client, "large.bin");
            client.reset();
            server.blockingMax(0);
            server.pass(Duration.ofNanos(IDLE).plusSeconds(5));
            assertThat(handler.cache().sizes()[1]).isEqualTo(1);
            server.blockingMax(1);
            server.pass(Duration.ofSeconds(2));
            server.work();

            assertThat(handler.cache().sizes()[1]).isZero();
            assertThat(armed(server)).isZero();
        }
    }

    @Test
    void stoppedServerHasNoMaintenanceLeft() {
        try (MemoryServer server = MemoryServer.chain(handler)) {
            ask(server, server.connect(), "large.bin");
        } // close checks that no deadline is left
        assertThat(handler.cache().sizes()[1]).isEqualTo(1);
    }

    private static void ask(MemoryServer server, MemoryPeer client, String name) {
        client.send("GET /" + name + " HTTP/1.1\r\nHost: a\r\n\r\n");
        for (int i = 0; i < 4; i++) { // the look-up, the first read
            server.run();
            server.work();
        }
        assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
    }

    private static int armed(MemoryServer server) {
        return server.net().loop().timers().armed();
    }

    private RecordingExchange get(String target, long nanos) {
        return RecordingExchange.get(target).at(nanos).by(handler);
    }
}
