package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
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
