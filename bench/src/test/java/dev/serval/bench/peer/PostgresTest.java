package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.testkit.database.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class PostgresTest {
    private static Postgres.Starting failing(Throwable why) {
        return () -> {
            switch (why) {
                case IOException e -> throw e;
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalArgumentException(why);
            }
        };
    }

    @Test
    void serverThatDoesNotStartIsALackOfTheMachine() {
        IOException full = new IOException("no room");
        for (Throwable why :
                List.of(
                        full,
                        new UncheckedIOException("no room", full),
                        new AssertionError("no room"))) {
            assertThatThrownBy(() -> Postgres.start(true, failing(why)))
                    .hasMessage("PostgreSQL does not start: no room")
                    .hasCause(why)
                    .isInstanceOfSatisfying(
                            BenchFailure.class, failure -> assertThat(failure.isLack()).isTrue());
        }
        assertThat(new BenchFailure("slow").isLack()).isFalse();
    }

    @Test
    void generatorHasPrecedenceOverTheDatabase() throws IOException {
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.NEEDED);
        try (Postgres database = Postgres.start()) {
            String stat = Files.readString(Path.of("/proc/" + database.pid() + "/stat"));
            String niceness = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16];
            assertThat(niceness).isEqualTo("19");
        }
    }

    /// A table that was never analysed has -1 rows.
    @Test
    void tidyDatabaseHasStatistics() throws IOException, SQLException {
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.NEEDED);
        try (Postgres database = Postgres.start()) {
            database.run("CREATE TABLE numbers AS SELECT generate_series(1, 9) AS number");
            database.tidy("postgres");
            try (Connection connection = DriverManager.getConnection(database.address());
                    Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery(
                                    "SELECT reltuples FROM pg_class WHERE relname = 'numbers'")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(9);
            }
        }
    }

    @Test
    void serverThatIsNotInstalledIsALackOfTheMachine() {
        Postgres.Starting never = failing(new IllegalStateException("started"));
        assertThatThrownBy(() -> Postgres.start(false, never))
                .hasMessageContaining("apt-get install postgresql")
                .isInstanceOfSatisfying(
                        BenchFailure.class, failure -> assertThat(failure.isLack()).isTrue());
    }
}
