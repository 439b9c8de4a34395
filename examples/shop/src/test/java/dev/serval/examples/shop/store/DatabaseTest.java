package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.shop.store.TestStore.Kind;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class DatabaseTest {
    private final AtomicInteger calls = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01", "HYT00", "08006", "90067", "90098", "90121"})
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

    @Test
    void otherDatabasesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Database.open("jdbc:mysql://db/shop", "", "", 1))
                .withMessageContaining("jdbc:postgresql:");
    }
}
