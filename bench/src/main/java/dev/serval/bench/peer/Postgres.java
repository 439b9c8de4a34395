package dev.serval.bench.peer;

import dev.serval.testkit.database.PostgresServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/// A PostgreSQL server of Debian's package, as tests start it. It also ends when the suite is ended by
/// a signal. Used by one thread.
public final class Postgres implements AutoCloseable {
    /// What a report says if it is missing.
    private static final String NEEDED =
            "PostgreSQL is not installed: apt-get install postgresql (and stop its service:"
                    + " systemctl stop postgresql)";

    /// A dozen busy connections would keep the generator, on the same CPUs, from its work. Then it would
    /// send late, and measure its own wait. With this, the generator gets as much as 68 of them.
    private static final int NICENESS = 19;

    private final PostgresServer server;

    private Postgres(PostgresServer server) {
        this.server = server;
        Runtime.getRuntime().addShutdownHook(new Thread(server::down, "stop-database"));
    }

    /// Starts a server.
    interface Starting {
        PostgresServer start() throws IOException, InterruptedException;
    }

    /// Starts an empty database, on the CPUs of the suite, which has precedence.
    ///
    /// @throws BenchFailure as a [lack][BenchFailure#isLack] if it is not installed or does not start
    public static Postgres start() throws IOException {
        return start(PostgresServer.isInstalled(), () -> PostgresServer.start(NICENESS));
    }

    /// The class that tests use waits as a test does, with an [AssertionError] after too long.
    static Postgres start(boolean installed, Starting starting) throws IOException {
        if (!installed) {
            throw BenchFailure.lack(NEEDED, null);
        }
        try {
            return new Postgres(starting.start());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the database started");
        } catch (IOException | UncheckedIOException | AssertionError e) {
            throw BenchFailure.lack("PostgreSQL does not start: " + e.getMessage(), e);
        }
    }

    /// Returns the JDBC address of its database.
    public String address() {
        return server.url();
    }

    /// Returns the JDBC address of another database of the server.
    public String address(String database) {
        return server.url().replace("/postgres?", "/" + database + "?");
    }

    /// Carries out a command of SQL outside of a transaction.
    public void run(String command) throws IOException {
        run(address(), command);
    }

    /// Frees the space of deleted rows in a database and gathers statistics for its plans. What the
    /// server does by itself, some minutes after a change, then has no more effect.
    public void tidy(String database) throws IOException {
        run(address(database), "VACUUM ANALYZE");
    }

    private static void run(String address, String command) throws IOException {
        try (Connection connection = DriverManager.getConnection(address);
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        } catch (SQLException e) {
            throw new IOException(command + ": " + e.getMessage(), e);
        }
    }

    /// Returns the root of its process tree.
    public long pid() {
        return server.pid();
    }

    @Override
    public void close() {
        server.close();
    }
}
