package dev.serval.site;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.serval.servlet.SessionOptions;
import dev.serval.settings.SessionChoice;
import java.io.IOException;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// Makes the container's options of what the command line says about sessions, and owns the pool of
/// connections to their database. Used by the main thread.
final class SessionStores implements AutoCloseable {
    private static final String USER = "SERVAL_SESSIONS_USER";
    private static final String PASSWORD = "SERVAL_SESSIONS_PASSWORD";
    private static final int CONNECTIONS_MAX = 16;
    private static final long CONNECT_MAX_MILLIS = 5_000;
    private static final int CONNECT_MAX_SECONDS = 5;

    /// Longer than the vault lets a statement take.
    private static final int SILENCE_MAX_SECONDS = 15;

    private final int silenceMaxSeconds;
    private @Nullable HikariDataSource pool;

    SessionStores() {
        this(SILENCE_MAX_SECONDS);
    }

    /// Creates an object without a pool.
    ///
    /// @param silenceMaxSeconds how long PostgreSQL may send nothing while it is asked
    SessionStores(int silenceMaxSeconds) {
        this.silenceMaxSeconds = silenceMaxSeconds;
    }

    /// Returns the options.
    ///
    /// @throws IOException if the database does not answer
    SessionOptions options(SessionChoice choice) throws IOException {
        SessionOptions options =
                switch (choice.place()) {
                    case SessionChoice.Place.Memory _ -> SessionOptions.memory();
                    case SessionChoice.Place.Files files -> SessionOptions.files(files.folder());
                    case SessionChoice.Place.Database database ->
                            SessionOptions.jdbc(pool(database.url()));
                };
        if (choice.timeout() != null) {
            options = options.timeout(choice.timeout());
        }
        if (choice.onStop()) {
            options = options.saveOnStop();
        }
        if (choice.sync()) {
            options = options.sync();
        }
        for (String pattern : choice.allowed()) {
            options = options.allow(pattern);
        }
        return options;
    }

    /// Returns the pool, which it opens if there is none.
    HikariDataSource pool(String url) throws IOException {
        if (pool == null) { // else it is that of a container that could not be opened
            pool = open(url);
        }
        return pool;
    }

    private HikariDataSource open(String url) throws IOException {
        HikariConfig config = new HikariConfig(new Properties());
        config.setPoolName("serval-sessions");
        config.setJdbcUrl(url);
        @Nullable String user = System.getenv(USER);
        @Nullable String password = System.getenv(PASSWORD);
        if (user != null) {
            config.setUsername(user);
        }
        if (password != null) {
            config.setPassword(password);
        }
        config.setMaximumPoolSize(CONNECTIONS_MAX);
        config.setConnectionTimeout(CONNECT_MAX_MILLIS);
        if (url.startsWith("jdbc:postgresql:")) {
            // Otherwise a Worker would wait for a database that has gone without a word as long as
            // TCP does: some 15 minutes. The driver prefers what the URL says.
            config.addDataSourceProperty("socketTimeout", Integer.toString(silenceMaxSeconds));
            config.addDataSourceProperty("connectTimeout", Integer.toString(CONNECT_MAX_SECONDS));
            config.addDataSourceProperty("tcpKeepAlive", "true");
        }
        if (url.startsWith("jdbc:h2:") && !url.toUpperCase(Locale.ROOT).contains(";WRITE_DELAY=")) {
            // Otherwise H2 keeps what was committed in memory for half a second, and a crash loses
            // it.
            config.addDataSourceProperty("WRITE_DELAY", "0");
        }
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw new IOException(
                    "The server cannot connect to the database of sessions ("
                            + message(e)
                            + "): check the URL of --sessions, and "
                            + USER
                            + " and "
                            + PASSWORD
                            + " in the environment",
                    e);
        }
    }

    private static String message(Throwable thrown) {
        @Nullable Throwable cause = thrown.getCause();
        return cause == null ? thrown.toString() : String.valueOf(cause.getMessage());
    }

    /// Closes the connections. Close the applications before.
    @Override
    public void close() {
        if (pool != null) {
            pool.close();
            pool = null;
        }
    }
}
