package dev.serval.examples.osp.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class RecordWriterTest {
    @TempDir Path folder;

    private static CallRecord call(String transaction) {
        return new CallRecord.Builder()
                .set(Field.RECEIVED, "2026-11-22T12:00:00Z")
                .set(Field.TRANSACTION, transaction)
                .build();
    }

    private static boolean stored(RecordWriter writer, String transaction) throws Exception {
        return queue(writer, transaction).get(20, TimeUnit.SECONDS);
    }

    private static CompletableFuture<Boolean> queue(RecordWriter writer, String transaction) {
        return Objects.requireNonNull(writer.write(call(transaction)));
    }

    @ParameterizedTest
    @EnumSource(SyncPolicy.class)
    void recordIsInTheFileWhenItIsConfirmed(SyncPolicy policy) throws Exception {
        Path file = folder.resolve("records.tsv");
        try (RecordWriter writer = new RecordWriter(new FileStore(file, policy), 10, 3)) {
            for (int i = 0; i < 5; i++) {
                assertThat(stored(writer, "t" + i)).isTrue();
                assertThat(Files.readAllLines(file))
                        .hasSize(i + 2)
                        .last()
                        .asString()
                        .contains("\tt" + i + "\t");
            }
            assertThat(writer.written()).isEqualTo(5);
            assertThat(writer.recent())
                    .extracting(each -> each.value(Field.TRANSACTION))
                    .containsExactly("t4", "t3", "t2");
        }
        assertThat(Files.readAllLines(file).getFirst()).startsWith("received\tclient\tmessage_id");
    }

    @Test
    void lineThatACrashCutShortDamagesNoOther() throws Exception {
        Path file = folder.resolve("records.tsv");
        new FileStore(file, SyncPolicy.ALWAYS).close();
        Files.writeString(file, "half a li", StandardOpenOption.APPEND);
        try (FileStore store = new FileStore(file, SyncPolicy.ALWAYS)) {
            store.append(List.of(call("next")));
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).isEqualTo("half a li");
        assertThat(lines.get(2).split("\t", -1)).hasSize(Field.values().length);
    }

    @Test
    void valuesCannotForgeLines() {
        String line = call("a\tb\nc\\d\r\0").line();
        assertThat(line.substring(0, line.length() - 1).split("\t", -1))
                .hasSize(Field.values().length);
        assertThat(line).contains("a\\tb\\nc\\\\d\\n\\0").hasLineCount(1);
        assertThat(call("x".repeat(251)).value(Field.TRANSACTION)).hasSize(250);
    }

    @Test
    void recordsThatArriveDuringAWriteShareTheNext() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        List<Integer> batches = new ArrayList<>();
        Scripted script =
                records -> {
                    batches.add(records.size());
                    if (batches.size() == 1) {
                        first.countDown();
                        await(proceed);
                    }
                };
        try (RecordWriter writer = new RecordWriter(store(script), 100, 3)) {
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            all.add(queue(writer, "first"));
            Await.open("the first write", first);
            for (int i = 0; i < 50; i++) {
                all.add(queue(writer, "t" + i));
            }
            proceed.countDown();
            for (CompletableFuture<Boolean> each : all) {
                assertThat(each.get(20, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(batches).containsExactly(1, 50);
        }
    }

    @Test
    void fullQueueRefuses() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch proceed = new CountDownLatch(1);
        Scripted script =
                _ -> {
                    first.countDown();
                    await(proceed);
                };
        try (RecordWriter writer = new RecordWriter(store(script), 2, 3)) {
            CompletableFuture<Boolean> begun = queue(writer, "in progress");
            Await.open("the first write", first);
            assertThat(writer.write(call("1"))).isNotNull();
            assertThat(writer.write(call("2"))).isNotNull();
            assertThat(writer.write(call("3"))).isNull();
            proceed.countDown();
            assertThat(begun.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void failureIsReportedAndTheNextRecordIsTriedAgain() throws Exception {
        int[] calls = new int[1];
        Scripted script =
                _ -> {
                    if (calls[0]++ == 0) {
                        throw new IOException("disk full");
                    }
                };
        try (RecordWriter writer = new RecordWriter(store(script), 2, 3)) {
            assertThat(stored(writer, "a")).isFalse();
            assertThat(stored(writer, "b")).isTrue();
            assertThat(writer.failed()).isOne();
            assertThat(writer.recent()).hasSize(1);
        }
    }

    @Test
    void errorIsAFailureAndTheNextRecordIsTriedAgain() throws Exception {
        int[] calls = new int[1];
        Scripted script =
                _ -> {
                    if (calls[0]++ == 0) {
                        throw new OutOfMemoryError("a test");
                    }
                };
        try (RecordWriter writer = new RecordWriter(store(script), 2, 3)) {
            assertThat(stored(writer, "a")).isFalse();
            assertThat(stored(writer, "b")).isTrue();
        }
    }

    @Test
    void fileHasOneWriter() throws Exception {
        Path file = folder.resolve("records.tsv");
        try (FileStore _ = new FileStore(file, SyncPolicy.ALWAYS)) {
            assertThatThrownBy(() -> new FileStore(file, SyncPolicy.ALWAYS))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file + " is in use by another OSP server");
        }
        new FileStore(file, SyncPolicy.ALWAYS).close();
    }

    @Test
    void partOfALineThatCouldNotBeTakenBackIsTakenBackLater() throws Exception {
        Path file = folder.resolve("records.tsv");
        FailingChannel channel = FailingChannel.open(file);
        try (FileStore store = new FileStore(file, SyncPolicy.ALWAYS, channel)) {
            store.append(List.of(call("first")));
            channel.failAfterBytes(10);
            assertThatThrownBy(() -> store.append(List.of(call("lost"))))
                    .isInstanceOf(IOException.class);
            channel.recover();
            store.append(List.of(call("second")));
            assertThat(Files.readAllLines(file))
                    .hasSize(3)
                    .last()
                    .asString()
                    .startsWith("2026-11-22T12:00:00Z\t")
                    .contains("\tsecond\t");
            channel.failAfterBytes(10);
            assertThatThrownBy(() -> store.append(List.of(call("lost"))))
                    .isInstanceOf(IOException.class);
            channel.recover();
        }
        assertThat(Files.readString(file)).hasLineCount(3).endsWith("\n");
    }

    @Test
    void forceThatFailedIsRepeatedInTheNextSecond() throws Exception {
        Path file = folder.resolve("records.tsv");
        FailingChannel channel = FailingChannel.open(file);
        try (FileStore store = new FileStore(file, SyncPolicy.SECOND, channel)) {
            store.append(List.of(call("first")));
            channel.failAfterBytes(0);
            assertThatThrownBy(store::tick).isInstanceOf(IOException.class);
            channel.recover();
            int before = channel.forced();
            store.tick();
            assertThat(channel.forced()).isEqualTo(before + 1);
            store.tick();
            assertThat(channel.forced()).isEqualTo(before + 1);
        }
    }

    @Test
    void onlyTheOwnerMayReadTheFile() throws Exception {
        Path file = folder.resolve("records.tsv");
        new FileStore(file, SyncPolicy.ALWAYS).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void databaseKeepsRecords() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("records");
        for (int start = 0; start < 2; start++) {
            try (RecordWriter writer = new RecordWriter(new DatabaseStore(url), 10, 3)) {
                assertThat(stored(writer, "t" + start)).isTrue();
            }
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery(
                                "SELECT transaction_id FROM osp_usage ORDER BY transaction_id")) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            assertThat(found).containsExactly("t0", "t1");
        }
    }

    @Test
    void tableOfAnOlderVersionGetsTheDigest() throws Exception {
        String url = "jdbc:h2:mem:older;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            checkOlderTable(url, statement);
            statement.execute("SHUTDOWN");
        }
    }

    /// Checks that a store extends a table of an older version and stores each digest once.
    static void checkOlderTable(String url, Statement statement) throws Exception {
        statement.execute("DROP TABLE IF EXISTS osp_usage");
        String columns =
                Arrays.stream(Field.values())
                        .map(field -> field.column() + " VARCHAR(250)")
                        .collect(Collectors.joining(", "));
        statement.execute("CREATE TABLE osp_usage (" + columns + ")");
        statement.execute("INSERT INTO osp_usage (transaction_id) VALUES ('old'), ('old')");
        CallRecord digested =
                new CallRecord.Builder().set(Field.TRANSACTION, "new").digest("d").build();
        for (int start = 0; start < 2; start++) {
            try (DatabaseStore store = new DatabaseStore(url)) {
                store.append(List.of(digested, call("none"), digested));
            }
        }
        List<String> found = new ArrayList<>();
        try (ResultSet rows =
                statement.executeQuery("SELECT transaction_id FROM osp_usage ORDER BY 1")) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        assertThat(found).containsExactly("new", "none", "none", "old", "old");
    }

    @Test
    void databaseMayNotBeSilentForEver() throws Exception {
        try (LostCommitDriver driver = new LostCommitDriver();
                DatabaseStore _ = new DatabaseStore(driver.url("jdbc:h2:mem:silent"))) {
            assertThat(driver.networkTimeoutMillis()).isEqualTo(30_000);
        }
    }

    @Test
    void databaseIsOpenedAgainAfterAFailure() throws Exception {
        String url = "jdbc:h2:mem:again;DB_CLOSE_DELAY=-1";
        try (DatabaseStore store = new DatabaseStore(url);
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("DROP TABLE osp_usage");
            assertThatThrownBy(() -> store.append(List.of(call("lost"))))
                    .isInstanceOf(IOException.class);
            store.append(List.of(call("kept")));
            try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM osp_usage")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isOne();
            }
        }
    }

    @Test
    void databaseThatCannotBeOpenedIsExplained() {
        assertThatThrownBy(() -> new DatabaseStore("jdbc:nothing:here"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("The database cannot be opened");
    }

    @Test
    void placeOfDatabaseHasNoPassword() throws Exception {
        try (DatabaseStore store = new DatabaseStore("jdbc:h2:mem:place;USER=sa;PASSWORD=")) {
            assertThat(store.place()).isEqualTo("jdbc:h2:mem:place");
        }
    }

    /// What a store does with a batch.
    private interface Scripted {
        void append(List<CallRecord> records) throws IOException;
    }

    private static RecordStore store(Scripted script) {
        return new RecordStore() {
            @Override
            public void append(List<CallRecord> records) throws IOException {
                script.append(records);
            }

            @Override
            public void tick() {}

            @Override
            public String place() {
                return "a test";
            }

            @Override
            public void close() {}
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
