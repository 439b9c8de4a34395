package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.shop.sample.Sample;
import dev.serval.examples.shop.store.TestStore.Kind;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class DatabaseTest {
    @TempDir Path folder;
    private final AtomicInteger calls = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "HYT00", "08006", "90067", "90098", "90121", "90135"})
    void changeIsTriedAgainAfterAConflictOrALostConnection(String state) throws Exception {
        try (TestStore store = new TestStore();
                Database database = store.filled(Kind.H2)) {
            long before = TestStore.number(database, "SELECT stock FROM book WHERE id = 1");
            database.change(connection -> {
                TestStore.update(connection, "UPDATE book SET stock = stock + 1 WHERE id = 1");
                if (calls.incrementAndGet() < 5) {
                    throw new SQLException("in the way", state);
                }
                return 0;
            });
            assertThat(calls).hasValue(5);
            assertThat(TestStore.number(database, "SELECT stock FROM book WHERE id = 1"))
                    .isEqualTo(before + 1);
        }
    }

    @Test
    void conflictsWithoutEndAreAFailure() throws Exception {
        try (TestStore store = new TestStore();
                Database database = store.empty(Kind.H2)) {
            assertThatThrownBy(() ->
                            database.read(_ -> {
                                calls.incrementAndGet();
                                throw new SQLException("in the way", "40001");
                            }))
                    .isInstanceOf(DatabaseFailure.class);
            assertThat(calls).hasValue(5);
        }
    }

    @Test
    void otherErrorsAreAFailureAtOnceAndLeaveNothing() throws Exception {
        try (TestStore store = new TestStore();
                Database database = store.filled(Kind.H2)) {
            long before = TestStore.number(database, "SELECT stock FROM book WHERE id = 1");
            assertThatThrownBy(() ->
                            database.change(connection -> {
                                calls.incrementAndGet();
                                TestStore.update(
                                        connection, "UPDATE book SET stock = 77 WHERE id = 1");
                                throw new SQLException("broken", "42000");
                            }))
                    .isInstanceOf(DatabaseFailure.class)
                    .hasMessageContaining("broken");
            assertThat(calls).hasValue(1);
            assertThat(TestStore.number(database, "SELECT stock FROM book WHERE id = 1"))
                    .isEqualTo(before);
        }
    }

    /// As the former version of a redeployed application does it, while all connections of the next
    /// one are open.
    @Test
    void othersContinueAfterASharedDatabaseIsReleased() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("shop") + ";AUTO_SERVER=TRUE";
        Database former = Database.open(url, "", "", 1);
        try (Database next = Database.open(url, "", "", 12)) {
            try (former) {
                new Sample(10, 1, TestStore.HASH).fill(former);
                occupyAll(next, 12);
                former.release();
            }
            next.change(connection -> TestStore.update(connection, "UPDATE book SET cents = 1000"));
            assertThat(TestStore.number(next, "SELECT SUM(cents) FROM book")).isEqualTo(10_000);
        }
    }

    /// Has the pool open so many connections, by using them at the same time.
    private static void occupyAll(Database database, int depth) {
        database.read(_ -> {
            if (depth > 1) {
                occupyAll(database, depth - 1);
            }
            return 0;
        });
    }

    @Test
    void databaseThatIsNotSharedStays() throws Exception {
        try (TestStore store = new TestStore();
                Database database = store.filled(Kind.H2)) {
            database.release();
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM book")).isEqualTo(40);
        }
    }

    @Test
    void otherDatabasesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Database.open("jdbc:mysql://db/shop", "", "", 1))
                .withMessageContaining("jdbc:postgresql:");
    }
}
