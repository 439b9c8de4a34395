package dev.serval.examples.shop.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.examples.shop.sample.Sample;
import dev.serval.testkit.database.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// New databases for tests, in H2 and in PostgreSQL. PostgreSQL starts with the first one that wants
/// it, and ends when this is closed. Used by one thread.
public final class TestStore implements AutoCloseable {
    /// Where a database is.
    public enum Kind {
        H2,
        POSTGRES
    }

    /// Few rounds, so that tests are short.
    public static final PasswordHash HASH = new PasswordHash(10);

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final int CONNECTIONS = 8;

    private @Nullable PostgresServer postgres;

    /// Returns a database with 40 books and 20 customers.
    public Database filled(Kind kind) throws Exception {
        Database database = empty(kind);
        new Sample(40, 20, HASH).fill(database);
        return database;
    }

    /// Returns a database without tables.
    public Database empty(Kind kind) throws Exception {
        return Database.open(url(kind), "", "", CONNECTIONS);
    }

    private String url(Kind kind) throws IOException, InterruptedException, SQLException {
        String name = "shop" + NUMBERS.incrementAndGet();
        if (kind == Kind.H2) {
            return "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1"; // stays without connections
        }
        assumeTrue(PostgresServer.isInstalled(), PostgresServer.NEEDED);
        if (postgres == null) {
            postgres = PostgresServer.start();
        }
        try (Database whole = Database.open(postgres.url(), "", "", 1)) {
            whole.read(connection -> update(connection, "CREATE SCHEMA " + name));
        }
        return postgres.url() + "&currentSchema=" + name;
    }

    /// Changes rows.
    public static int update(Connection connection, String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(command);
        }
    }

    /// Returns the number that a query finds.
    public static long number(Database database, String query) {
        return database.read(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                row.next();
                return row.getLong(1);
            }
        });
    }

    @Override
    public void close() {
        if (postgres != null) {
            postgres.close();
        }
    }
}
