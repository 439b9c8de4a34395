package dev.serval.examples.osp.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.database.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What [RecordWriterTest] and others show with H2, in a real PostgreSQL.
@Timeout(120)
final class PostgresStoreTest {
    @Test
    void recordIsStoredOnceAlthoughItsCommitWasLost() throws Exception {
        assumeThat(PostgresServer.isInstalled()).as(PostgresServer.NEEDED).isTrue();
        try (PostgresServer postgres = PostgresServer.start();
                LostCommitDriver driver = new LostCommitDriver();
                Connection connection = DriverManager.getConnection(postgres.url());
                Statement statement = connection.createStatement()) {
            List<CallRecord> records = List.of(new CallRecord.Builder().digest("d").build());
            try (DatabaseStore store = new DatabaseStore(driver.url(postgres.url()))) {
                assertThat(driver.networkTimeoutMillis()).isEqualTo(30_000);
                driver.loseNextCommit();
                assertThatThrownBy(() -> store.append(records)).isInstanceOf(IOException.class);
                store.append(records);
            }
            try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM osp_usage")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isOne();
            }
            RecordWriterTest.checkOlderTable(postgres.url(), statement);
        }
    }
}
