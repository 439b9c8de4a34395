package dev.serval.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Fault;
import dev.serval.handler.RecordingExchange;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileCacheTest {
    private static final int ENTRIES = 64;
    private static final int OPEN_FILES = 4;
    private static final int SMALL = 8 << 10;
    private static final long BYTES = 128 << 10;
    private static final FileOptions OPTIONS =
            FileOptions.DEFAULT.with(draft -> {
                draft.cacheMaxBytes = BYTES;
                draft.entriesMax = ENTRIES;
                draft.smallMaxBytes = SMALL;
                draft.openFilesMax = OPEN_FILES;
            });

    @TempDir private Path root;

    /// Returns the entry of the path, which must exist.
    static CachedFile entry(FileCache cache, String path) {
        byte[] bytes = path.getBytes(UTF_8);
        return Objects.requireNonNull(cache.find(bytes, 0, bytes.length));
    }

    /// Returns the file from which a response was sent.
    static FileChannel channelOf(RecordingExchange x) {
        for (Body piece : x.pieces()) {
            if (piece instanceof Body.FileRegion region) {
                return region.file();
            }
        }
        throw new AssertionError("No piece of a file was sent");
    }

    @Test
    void findsPathsOfAllLengths() {
        FileCache cache = new FileCache(FileOptions.DEFAULT);
        String longest = "/abcdefghijklmnopqrstuvwxyz/0123456789/ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        for (int n = 0; n <= longest.length(); n++) {
            byte[] path = longest.substring(0, n).getBytes(UTF_8);
            cache.put(new CachedFile(path, cache.hash(path, 0, n), Found.Other.FOLDER, 0), path);
        }
        byte[] padded = ("xx" + longest + "yy").getBytes(UTF_8);

        assertThat(cache.sizes()[0]).isEqualTo(longest.length() + 1);
        for (int n = 0; n <= longest.length(); n++) {
            assertThat(cache.find(padded, 2, 2 + n))
                    .isSameAs(entry(cache, longest.substring(0, n)));
        }
        assertThat(cache.find(padded, 1, 5)).isNull();
    }

    @Test
    void staysWithinItsBytesAndKeepsUsedEntries() throws IOException {
        FileHandler handler = new FileHandler(root, OPTIONS, LaterClock.LATER);
        Files.writeString(root.resolve("hot.txt"), "hot");
        ask(handler, "/hot.txt");
        for (int i = 0; i < 100; i++) {
            Files.write(root.resolve(i + ".txt"), new byte[SMALL]);
            ask(handler, "/" + i + ".txt");
            assertThat(handler.cache().bytes()).isLessThanOrEqualTo(BYTES);
            assertThat(ask(handler, "/hot.txt").tasksRun()).isZero();
        }
        assertThat(handler.cache().sizes()[0]).isLessThan(20);
    }

    @Test
    void floodOfMissingPathsEvictsNoFiles() throws IOException {
        FileHandler handler = new FileHandler(root, OPTIONS, LaterClock.LATER);
        Files.writeString(root.resolve("a.txt"), "a");
        Files.write(root.resolve("large.bin"), new byte[SMALL + 1]);
        ask(handler, "/a.txt");
        ask(handler, "/large.bin");
        for (int i = 0; i < 1000; i++) {
            ask(handler, "/none" + i + "x".repeat(i));
        }

        assertThat(handler.cache().sizes()[2]).isBetween(1, ENTRIES / 8);
        assertThat(handler.cache().bytes()).isLessThanOrEqualTo(BYTES);
        assertThat(ask(handler, "/a.txt").tasksRun()).isZero();
        assertThat(handler.cache().sizes()).startsWith(1, 1);
    }

    @Test
    void closesExcessFilesAfterTheirRelease() throws IOException {
        FileHandler handler = new FileHandler(root, OPTIONS, LaterClock.LATER);
        List<RecordingExchange> slow = new ArrayList<>();
        for (int i = 0; i < 3 * OPEN_FILES; i++) {
            Files.writeString(root.resolve(i + ".bin"), i + "x".repeat(SMALL + i));
            slow.add(RecordingExchange.get("/" + i + ".bin").holdBodies().by(handler));
        }

        assertThat(handler.cache().sizes()).containsExactly(0, OPEN_FILES, 0);
        assertThat(slow).allMatch(x -> channelOf(x).isOpen());
        slow.forEach(RecordingExchange::releaseBodies);
        assertThat(slow).allMatch(RecordingExchange::complete);
        Await.until(
                "the excess files are closed",
                () -> slow.stream().filter(x -> channelOf(x).isOpen()).count() == OPEN_FILES);
    }

    @Test
    void reopensAFileThatAReaderClosed() throws IOException {
        FileHandler handler = new FileHandler(root, OPTIONS, LaterClock.LATER);
        Files.write(root.resolve("large.bin"), new byte[SMALL + 1]);
        channelOf(ask(handler, "/large.bin")).close(); // as an interrupted reader does

        RecordingExchange x = ask(handler, "/large.bin");

        assertThat(x.complete()).isTrue();
        assertThat(x.tasksRun()).isGreaterThan(0);
    }

    @Test
    void closesItsFilesIfNoDescriptorsAreLeft() throws IOException {
        FileHandler handler = new FileHandler(root, OPTIONS, LaterClock.LATER);
        Files.write(root.resolve("large.bin"), new byte[SMALL + 1]);
        FileChannel channel = channelOf(ask(handler, "/large.bin"));
        handler.cache().closeFiles();

        assertThat(channel.isOpen()).isFalse();
        assertThat(handler.cache().sizes()).containsExactly(0, 0, 0);
        assertThat(ask(handler, "/large.bin").complete()).isTrue();
    }

    @Test
    void readsAColdFileByChunksBeforeTheLoopSendsIt() throws IOException {
        FileHandler handler = new FileHandler(root, FileOptions.DEFAULT, LaterClock.LATER);
        Files.write(root.resolve("large.bin"), new byte[2 * FileSend.CHUNK_BYTES + 1]);
        RecordingExchange cold =
                RecordingExchange.get("/large.bin").holdTasks().room(0).by(handler);

        cold.runTask(); // the look-up
        assertThat(cold.pieces()).isEmpty();
        cold.runTask(); // the first chunk
        assertThat(cold.pieces()).hasSize(1);
        assertThat(cold.tasksWaiting()).isZero(); // there is no room
        cold.makeRoom().runTask();
        assertThat(cold.pieces()).hasSize(2);
        cold.makeRoom().runTask();
        assertThat(cold.complete()).isTrue();

        RecordingExchange hot = RecordingExchange.get("/large.bin").holdTasks().by(handler);
        assertThat(hot.complete()).isTrue();
        assertThat(hot.pieces()).hasSize(1);
        RecordingExchange later =
                RecordingExchange.get("/large.bin").at(hot.nowNanos() + 400_000_000L);
        assertThat(later.holdTasks().by(handler).complete()).isTrue();
    }

    @Test
    void releasesAFileIfThePeerDisconnectsDuringARead() throws IOException {
        FileHandler handler = new FileHandler(root, FileOptions.DEFAULT, LaterClock.LATER);
        Files.write(root.resolve("large.bin"), new byte[3 * FileSend.CHUNK_BYTES]);
        RecordingExchange x = RecordingExchange.get("/large.bin").holdTasks().by(handler);
        x.runTask().runTask();
        FileChannel channel = channelOf(x);
        x.abortByPeer();
        handler.cache().closeFiles();

        assertThat(channel.isOpen()).isFalse();
        x.runTask(); // the pending read finds the file closed
        assertThat(x.failure()).isNull();
        assertThat(x.aborted()).isEqualTo(Fault.PEER_GONE);
    }

    @Test
    void answersWithAFileThatIsEvictedBetweenLookUpAndAnswer() throws IOException {
        FileHandler handler = new FileHandler(root, OPTIONS, LaterClock.LATER);
        Files.write(root.resolve("large.bin"), new byte[SMALL + 1]);
        RecordingExchange x =
                RecordingExchange.get("/large.bin")
                        .betweenTaskAndHandler(handler.cache()::closeFiles)
                        .by(handler);

        assertThat(x.complete()).isTrue();
        assertThat(x.tasksRun()).isEqualTo(2); // one look-up, one read
        FileChannel channel = channelOf(x);
        Await.until("the evicted file is closed", () -> !channel.isOpen());
    }

    @Test
    void releasesAFileIfThePeerDisconnectsDuringTheLookUp() throws IOException {
        FileHandler handler = new FileHandler(root, OPTIONS, LaterClock.LATER);
        Files.write(root.resolve("large.bin"), new byte[SMALL + 1]);
        RecordingExchange x = RecordingExchange.get("/large.bin").holdTasks().by(handler);
        x.betweenTaskAndHandler(x::abortByPeer).runTask();
        CachedFile found = entry(handler.cache(), "/large.bin");
        handler.cache().closeFiles();

        assertThat(x.aborted()).isEqualTo(Fault.PEER_GONE);
        Await.until("the evicted file is closed", () -> !found.isUsable());
    }

    @Test
    void answersCorrectlyFromManyThreadsDuringEvictions() throws Exception {
        FileHandler handler =
                new FileHandler(
                        root,
                        OPTIONS.with(draft -> draft.revalidateNanos = 1000),
                        LaterClock.LATER);
        for (int i = 0; i < 30; i++) {
            Files.writeString(root.resolve(i + ".bin"), i + "-" + "x".repeat(i % 3 * SMALL));
        }
        Callable<Integer> client =
                () -> {
                    Random random = new Random(Thread.currentThread().threadId());
                    int wrong = 0;
                    for (int n = 0; n < 2000; n++) {
                        int i = random.nextInt(35);
                        RecordingExchange x =
                                RecordingExchange.get("/" + i + ".bin")
                                        .onOwnLoop()
                                        .at(n * 400L)
                                        .by(handler);
                        boolean right =
                                i < 30
                                        ? x.complete() && x.contentText().startsWith(i + "-")
                                        : x.passed();
                        wrong += right ? 0 : 1;
                    }
                    return wrong;
                };
        int wrong = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(threads.submit(client));
            }
            wrong = sum(clients);
        }

        assertThat(wrong).isZero();
        assertThat(handler.cache().sizes()[1]).isLessThanOrEqualTo(OPEN_FILES);
        assertThat(handler.cache().bytes()).isLessThanOrEqualTo(BYTES);
    }

    private static int sum(List<Future<Integer>> numbers)
            throws ExecutionException, InterruptedException {
        int sum = 0;
        for (Future<Integer> number : numbers) {
            sum += number.get();
        }
        return sum;
    }

    private static RecordingExchange ask(FileHandler handler, String path) {
        return RecordingExchange.get(path).by(handler);
    }
}
