package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The connections to the database of sessions.
@Timeout(120)
final class SessionStoresTest {
    private SilentDatabase database;

    @BeforeEach
    void open() throws IOException {
        database = new SilentDatabase();
    }

    @AfterEach
    void close() throws IOException {
        database.close();
    }

    @Test
    void databaseThatGoesSilentHoldsNoRequestForLong() throws Exception {
        try (SessionStores stores = new SessionStores(1)) {
            DataSource pool = stores.pool(database.url());
            run(pool, "works");
            FutureTask<Boolean> request =
                    new FutureTask<>(() -> {
                        run(pool, "silence");
                        return true;
                    });
            Thread.ofPlatform().daemon().start(request);
            // Far more than the limit: without it the statement waits for ever.
            assertThatThrownBy(() -> request.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SQLException.class);
            run(pool, "works");
        }
    }

    @Test
    void urlDecidesBeforeTheDefaults() throws Exception {
        assertThat(networkTimeoutMillis(database.url())).isEqualTo(15_000);
        assertThat(networkTimeoutMillis(database.url() + "&socketTimeout=40")).isEqualTo(40_000);
        assertThat(networkTimeoutMillis(database.url() + "&socketTimeout=0")).isZero();
    }

    /// A crash would lose what was committed meanwhile.
    @Test
    void databaseOfTheServerWritesWithoutDelay(@TempDir Path folder) throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("s").toAbsolutePath();
        assertThat(writeDelayMillis(url)).isEqualTo("0");
        assertThat(writeDelayMillis(url + ";write_delay=300")).isEqualTo("300");
    }

    private static String writeDelayMillis(String url) throws Exception {
        try (SessionStores stores = new SessionStores();
                Connection connection = stores.pool(url).getConnection();
                Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery(
                                "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS"
                                        + " WHERE SETTING_NAME = 'WRITE_DELAY'")) {
            return found.next() ? found.getString(1) : "default";
        }
    }

    private static void run(DataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int networkTimeoutMillis(String url) throws Exception {
        try (SessionStores stores = new SessionStores();
                Connection connection = stores.pool(url).getConnection()) {
            return connection.getNetworkTimeout();
        }
    }
}
