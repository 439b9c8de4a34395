package dev.serval.file;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.testkit.Rewrite;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests a disk that is slow, has no room for looks, or fails.
final class SlowDiskTest {
    private static final String GET = "GET /a.txt HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int LARGE = 100_000;

    @TempDir private Path root;
    private final FaultyDisk disk = new FaultyDisk();
    private final Instant wall = Instant.now().plusSeconds(60);
    private long nanos = 1_000_000_000L;
    private FileHandler handler;

    @BeforeEach
    void makeSite() throws IOException {
        Files.writeString(root.resolve("a.txt"), "one");
        Files.write(root.resolve("large.bin"), new byte[LARGE]);
        handler = of(FileOptions.DEFAULT);
    }

    @Test
    void oneRequestLooksAtASlowDiskWhileOthersAreServed() throws IOException {
        get("/a.txt");
        Rewrite.text(root.resolve("a.txt"), "two");
        after(600);
        RecordingExchange looker = exchange("/a.txt").holdTasks().by(handler);
        int looks = disk.looks();

        for (int i = 0; i < 9; i++) {
            after(1000);
            for (int k = 0; k < 100; k++) {
                RecordingExchange x = exchange("/a.txt").holdTasks().by(handler);
                assertThat(x.tasksWaiting()).isZero();
                assertThat(x.contentText()).isEqualTo("one");
            }
        }
        after(400); // 10 s since the last look
        RecordingExchange late = exchange("/a.txt").holdTasks().by(handler);
        assertThat(late.status()).isZero();
        assertThat(disk.looks()).isEqualTo(looks);

        assertThat(looker.runTask().contentText()).isEqualTo("two");
        assertThat(late.runTask().contentText()).isEqualTo("two");
        assertThat(get("/a.txt").contentText()).isEqualTo("two");
    }

    @Test
    void onlyOneRequestLooksAgainAfterALongLook() {
        get("/a.txt");
        after(600);
        RecordingExchange looker = exchange("/a.txt").holdTasks().by(handler);
        after(3000);
        looker.at(nanos).runTask(); // its result is 3 s old when it arrives

        RecordingExchange next = exchange("/a.txt").holdTasks().by(handler);
        assertThat(next.tasksWaiting()).isEqualTo(1);
        assertThat(exchange("/a.txt").holdTasks().by(handler).contentText()).isEqualTo("one");
    }

    @Test
    void looksBeforeItServesAFileThatWasUnusedLately() {
        get("/a.txt");
        after(1001);

        List<RecordingExchange> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(exchange("/a.txt").onOwnLoop().holdTasks().by(handler));
        }
        assertThat(waiting).allMatch(x -> x.tasksWaiting() == 1 && x.status() == 0);
        int looks = disk.looks();
        waiting.forEach(RecordingExchange::runTask);
        assertThat(disk.looks() - looks).as("one look: root and file").isEqualTo(2);
        assertThat(waiting).allMatch(RecordingExchange::complete);
    }

    @Test
    void manyRequestsForAColdFileLookOnce() {
        List<RecordingExchange> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(exchange("/a.txt").onOwnLoop().holdTasks().by(handler));
        }
        waiting.forEach(RecordingExchange::runTask);

        assertThat(disk.looks()).as("root and file, before and after reading").isEqualTo(4);
        assertThat(waiting).allMatch(RecordingExchange::complete);
    }

    /// Returns requests of one loop that come together, the first of which looks at the disk.
    private List<RecordingExchange> crowd() {
        List<RecordingExchange> crowd = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            crowd.add(exchange("/a.txt").holdTasks().by(handler));
        }
        assertThat(crowd)
                .extracting(RecordingExchange::tasksWaiting)
                .containsExactly(1, 0, 0, 0, 0);
        assertThat(crowd).allMatch(x -> x.status() == 0);
        return crowd;
    }

    @Test
    void crowdForAColdFileWaitsForOneTask() {
        List<RecordingExchange> crowd = crowd();
        crowd.getFirst().runTask();
        assertThat(crowd).allMatch(x -> x.complete() && x.contentText().equals("one"));
        assertThat(exchange("/a.txt").by(handler).tasksRun()).isZero();
    }

    @Test
    void crowdAfterAPauseWaitsForOneTask() throws IOException {
        get("/a.txt");
        Rewrite.text(root.resolve("a.txt"), "two");
        after(1001);
        List<RecordingExchange> crowd = crowd();
        crowd.getFirst().runTask();
        assertThat(crowd).allMatch(x -> x.complete() && x.contentText().equals("two"));
    }

    @Test
    void crowdGoesOnIfTheClientOfTheTaskLeaves() {
        List<RecordingExchange> crowd = crowd();
        crowd.getFirst().abortByPeer().dropTasks();
        assertThat(crowd)
                .extracting(RecordingExchange::tasksWaiting)
                .containsExactly(0, 1, 1, 1, 1);
        crowd.stream().skip(1).forEach(RecordingExchange::runTask);
        assertThat(crowd.subList(1, 5)).allMatch(x -> x.contentText().equals("one"));
    }

    @Test
    void crowdGoesOnIfTheTaskThrows() {
        List<RecordingExchange> crowd = crowd();
        disk.onOpen(() -> {
            throw new IllegalStateException("meant");
        });
        crowd.getFirst().runTask();
        assertThat(crowd.getFirst().status()).isEqualTo(500);
        disk.onOpen(() -> {});
        crowd.stream().skip(1).forEach(RecordingExchange::runTask);
        assertThat(crowd.subList(1, 5)).allMatch(x -> x.contentText().equals("one"));
    }

    @Test
    void clientOfACrowdThatLeavesGetsNoAnswer() {
        List<RecordingExchange> crowd = crowd();
        crowd.get(2).abortByPeer();
        crowd.getFirst().runTask();
        assertThat(crowd)
                .extracting(RecordingExchange::status)
                .containsExactly(200, 200, 0, 200, 200);
    }

    @Test
    void everyRequestOfACrowdLooksIfNothingIsServedWithoutALook() {
        handler = of(FileOptions.DEFAULT.with(draft -> draft.revalidateNanos = 0));
        RecordingExchange first = exchange("/a.txt").holdTasks().by(handler);
        RecordingExchange second = exchange("/a.txt").holdTasks().by(handler);
        assertThat(first.tasksWaiting() + second.tasksWaiting()).isEqualTo(2);
        assertThat(first.runTask().contentText()).isEqualTo("one");
        assertThat(second.runTask().contentText()).isEqualTo("one");
    }

    @Test
    void servesCachedFilesIfThereIsNoRoomForALook() {
        get("/a.txt");
        after(9_999);

        assertThat(full("/a.txt").contentText()).isEqualTo("one");
        assertThat(full("/none").status()).isEqualTo(503);
        after(1);
        assertThat(full("/a.txt").status()).isEqualTo(503);
        assertThat(get("/a.txt").contentText()).isEqualTo("one");
    }

    @Test
    void nextRequestRetriesARefusedLook() {
        get("/a.txt");
        after(600);
        assertThat(full("/a.txt").contentText()).isEqualTo("one");

        assertThat(get("/a.txt").tasksRun()).isEqualTo(1);
        assertThat(get("/a.txt").tasksRun()).isZero();
    }

    @Test
    void servesUpToTheAgeIfItIsLongerThanTheStaleAge() {
        handler =
                of(
                        FileOptions.DEFAULT.with(
                                draft -> draft.revalidateNanos = MILLISECONDS.toNanos(60_000)));
        get("/a.txt");
        after(50_000);

        assertThat(full("/a.txt").contentText()).isEqualTo("one");
        after(10_000);
        assertThat(full("/a.txt").status()).isEqualTo(503);
    }

    @Test
    void servesNothingStaleIfThatIsDisabled() {
        handler = of(FileOptions.DEFAULT.with(draft -> draft.staleMaxNanos = 0));
        get("/a.txt");
        after(600);
        RecordingExchange looker = exchange("/a.txt").holdTasks().by(handler);
        assertThat(looker.tasksWaiting()).isEqualTo(1);
        after(400);

        RecordingExchange other = exchange("/a.txt").onOwnLoop().holdTasks().by(handler);
        assertThat(other.tasksWaiting()).isEqualTo(1);
        assertThat(exchange("/a.txt").onOwnLoop().fullExecutors().by(handler).status())
                .isEqualTo(503);
        handler = of(FileOptions.DEFAULT.with(draft -> draft.revalidateNanos = 0));
        get("/a.txt");
        assertThat(full("/a.txt").status()).isEqualTo(503);
    }

    @Test
    void serverCountsAnswersPastTheirAge() {
        try (MemoryServer server = MemoryServer.chain(handler)) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.takeText()).endsWith("one");
            server.blockingMax(0);
            server.pass(Duration.ofSeconds(5));

            assertThat(server.ask(client, GET + GET)).startsWith("HTTP/1.1 200 ").endsWith("one");
            assertThat(server.count(Counter.REQUESTS_WITHOUT_EXECUTOR)).isEqualTo(2);
            assertThat(server.count(Counter.REQUESTS_REFUSED_EXECUTOR)).isZero();
            server.pass(Duration.ofSeconds(5));
            assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 503 ");
            assertThat(server.count(Counter.REQUESTS_REFUSED_EXECUTOR)).isEqualTo(1);
        }
    }

    @Test
    void nextRequestLooksIfTheClientOfALookLeftBeforeItsStart() throws IOException {
        try (MemoryServer server = MemoryServer.chain(handler)) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.takeText()).endsWith("one");
            Rewrite.text(root.resolve("a.txt"), "two");
            server.pass(Duration.ofMillis(600));
            MemoryPeer looker = server.connect();
            assertThat(server.ask(looker, GET)).isEmpty();
            looker.reset();
            server.run();
            server.work(); // the look of an exchange that is gone does not take place

            assertThat(server.ask(client, GET)).as("the next one looks").isEmpty();
            server.work();
            assertThat(client.takeText()).endsWith("two");
            assertThat(server.ask(client, GET)).endsWith("two");
        }
    }

    @Test
    void nextRequestLooksIfALookCouldNotBeStarted() throws IOException {
        try (MemoryServer server = MemoryServer.chain(handler)) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.takeText()).endsWith("one");
            Rewrite.text(root.resolve("a.txt"), "two");
            server.pass(Duration.ofMillis(600));
            server.executors((_, _, _) -> {
                throw new OutOfMemoryError("meant: unable to create native thread");
            });
            assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 500 ");
            server.executors(null);

            assertThat(server.ask(client, GET)).as("the next one looks").isEmpty();
            server.work();
            assertThat(client.takeText()).endsWith("two");
        }
    }

    @Test
    void nextRequestLooksIfALookThrew() throws IOException {
        get("/a.txt");
        Files.writeString(root.resolve("a.txt"), "three");
        after(600);
        disk.onOpen(() -> {
            throw new IllegalStateException("meant");
        });
        assertThat(get("/a.txt").status()).isEqualTo(500);
        disk.onOpen(() -> {});

        assertThat(get("/a.txt").contentText()).isEqualTo("three");
    }

    @Test
    void nextRequestLooksIfNoExecutorLooksAtAClosedFile() throws IOException {
        get("/large.bin");
        after(600);
        CachedFile entry = FileCacheTest.entry(handler.cache(), "/large.bin");
        closeUnder(entry);
        assertThat(full("/large.bin").status()).isEqualTo(503);

        assertThat(entry.isFresh(nanos, 1_000_000_000L, 10_000_000_000L))
                .as("the entry's look-up is left to this caller")
                .isFalse();
    }

    @Test
    void refusesAColdLargeFileBeforeTheHeadIsSent() {
        RecordingExchange x = exchange("/large.bin").holdTasks().by(handler);
        x.fullExecutors().runTask(); // the lookup succeeds; the read finds no room

        assertThat(x.status()).isEqualTo(503);
        handler.cache().closeFiles();
        assertThat(openFiles()).isZero();
    }

    @Test
    void answersWithAStatusIfTheFirstReadFails() throws IOException {
        RecordingExchange x = exchange("/large.bin").holdTasks().by(handler);
        x.runTask();
        CachedFile entry = FileCacheTest.entry(handler.cache(), "/large.bin");
        closeUnder(entry);

        x.runTask();
        assertThat(x.status()).isEqualTo(503);
        assertThat(x.aborted()).isNull();
        assertThat(get("/large.bin").complete()).isTrue();
    }

    @Test
    void recoversWithinOneRequestIfKeptFilesHeldTheLastDescriptors() {
        FileChannel kept = FileCacheTest.channelOf(get("/large.bin"));
        disk.failOpens(1);

        assertThat(get("/a.txt").contentText()).isEqualTo("one");
        assertThat(kept.isOpen()).isFalse();
    }

    @Test
    void answersBusyWithoutDescriptorsAndRecovers() {
        disk.failOpens(2);
        RecordingExchange x = get("/a.txt");

        assertThat(x.status()).isEqualTo(503);
        assertThat(x.answered(FieldName.RETRY_AFTER)).isEqualTo("1");
        assertThat(get("/a.txt").contentText()).isEqualTo("one");
    }

    @Test
    void tellsThatItCannotReadFilesButNotForEachRequest() throws IOException {
        Files.writeString(root.resolve("b.txt"), "two");
        List<LogRecord> records = new ArrayList<>();
        StreamHandler memory =
                new StreamHandler() {
                    @Override
                    public void publish(LogRecord record) {
                        if (record.getLevel().equals(Level.WARNING)
                                && record.getMessage().contains(root.toString())) {
                            records.add(record);
                        }
                    }
                };
        Logger log = Logger.getLogger(FileHandler.class.getName());
        log.addHandler(memory);
        try {
            disk.failOpens(1);
            get("/a.txt");
            assertThat(records).isEmpty();
            disk.failOpens(4);
            assertThat(get("/b.txt").status()).isEqualTo(503);
            assertThat(get("/b.txt").status()).isEqualTo(503);
            assertThat(records).hasSize(1);
            assertThat(records.getFirst().getThrown()).hasMessageContaining("b.txt");
        } finally {
            log.removeHandler(memory);
        }
    }

    @Test
    void servesTheOldFileIfItCannotReadTheNewOne() throws IOException {
        get("/a.txt");
        Files.writeString(root.resolve("a.txt"), "three");
        after(1000);
        disk.failOpens(2);

        assertThat(get("/a.txt").contentText()).isEqualTo("one");
        assertThat(get("/a.txt").contentText()).isEqualTo("three");
    }

    @Test
    void diskErrorIsNot404() throws IOException {
        Files.createDirectory(root.resolve("docs"));
        Files.writeString(root.resolve("docs/b.txt"), "b");
        disk.breakName("b.txt");
        assertThat(get("/docs/b.txt").status()).isEqualTo(503);
        assertThat(get("/docs/none").passed()).isTrue();
        assertThat(get("/docs/" + "n".repeat(300)).passed()).isTrue();
        disk.breakName("docs");
        assertThat(get("/docs").status()).isEqualTo(503);
        disk.breakName(null);

        assertThat(get("/docs/b.txt").contentText()).isEqualTo("b");
        assertThat(get("/docs").status()).isEqualTo(301);
    }

    private FileHandler of(FileOptions options) {
        return new FileHandler(disk.on(root), options, (InstantSource) () -> wall);
    }

    private static void closeUnder(CachedFile entry) throws IOException {
        if (entry.found() instanceof Found.File file
                && file.representation().content() instanceof OpenFile open) {
            open.whole().file().close();
        }
    }

    private int openFiles() {
        return handler.cache().sizes()[1];
    }

    private void after(long millis) {
        nanos += MILLISECONDS.toNanos(millis);
    }

    private RecordingExchange exchange(String target) {
        return RecordingExchange.get(target).at(nanos);
    }

    private RecordingExchange get(String target) {
        return exchange(target).by(handler);
    }

    private RecordingExchange full(String target) {
        return exchange(target).fullExecutors().by(handler);
    }
}
