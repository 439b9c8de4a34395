package dev.serval.examples.shop.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections to the shop's database, H2 or PostgreSQL. May be used by any thread.
public final class Database implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Database.class.getName());

    /// How often a change is tried that another one has got in the way of.
    private static final int ATTEMPTS = 5;

    /// Serialization failure, deadlock, and the lock timeout of H2. The transaction has changed
    /// nothing and can be tried again.
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "HYT00");

    /// Errors of H2 for a database that has been closed or is about to be, as the former version of a
    /// redeployed application closes it.
    private static final Set<String> CLOSED = Set.of("90067", "90098", "90121", "90135");

    private static final String UNIQUE = "23505";

    private final HikariDataSource source;
    private final boolean postgres;
    private final boolean shared;

    private Database(HikariDataSource source, boolean postgres, boolean shared) {
        this.source = source;
        this.postgres = postgres;
        this.shared = shared;
    }

    /// Opens a pool of connections.
    ///
    /// @param url of JDBC, for H2 or PostgreSQL
    /// @param connections at most
    /// @throws IllegalArgumentException if the URL is of another database
    public static Database open(String url, String user, String password, int connections) {
        boolean postgres = url.startsWith("jdbc:postgresql:");
        if (!postgres && !url.startsWith("jdbc:h2:")) {
            throw new IllegalArgumentException(
                    "The shop's database is a URL that begins with jdbc:h2: or jdbc:postgresql:");
        }
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("shop");
        pool.setDriverClassName(postgres ? "org.postgresql.Driver" : "org.h2.Driver");
        pool.setJdbcUrl(url);
        if (!user.isEmpty()) {
            pool.setUsername(user);
            pool.setPassword(password);
        }
        pool.setMaximumPoolSize(connections);
        if (postgres) {
            pool.addDataSourceProperty("reWriteBatchedInserts", "true");
        }
        boolean shared = url.toUpperCase(Locale.ROOT).contains(";AUTO_SERVER=TRUE");
        return new Database(new HikariDataSource(pool), postgres, shared);
    }

    /// Work with a connection.
    ///
    /// @param <T> its result
    public interface Work<T extends @Nullable Object> {
        /// Does the work.
        T with(Connection connection) throws SQLException;
    }

    /// Returns the result of queries. Each of them sees what is committed when it begins.
    ///
    /// @throws DatabaseFailure if the database fails
    public <T extends @Nullable Object> T read(Work<T> work) {
        return repeated(work);
    }

    /// Carries out changes as one transaction: all of them, or none if the work throws. If another
    /// transaction gets in the way, it is tried again, so the work must not change anything else. It is
    /// also tried again if the connection is lost, even by the commit: then both may have happened,
    /// unless the work finds what it has done, as a purchase does by its ticket.
    ///
    /// @throws DatabaseFailure if the database fails
    public <T extends @Nullable Object> T change(Work<T> work) {
        return repeated(connection -> committed(connection, work));
    }

    private <T extends @Nullable Object> T repeated(Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(work);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !(isLost(e) || isConflict(e))) {
                    throw new DatabaseFailure(e);
                }
            }
        }
    }

    private <T extends @Nullable Object> T once(Work<T> work) throws SQLException {
        Connection connection = source.getConnection();
        try {
            return work.with(connection);
        } catch (SQLException e) {
            if (isLost(e)) {
                // The others are lost too: the pool must not lend them for the next attempt.
                source.getHikariPoolMXBean().softEvictConnections();
            }
            throw e;
        } finally {
            giveBack(connection);
        }
    }

    /// Returns a connection to the pool. If it is lost, the work was done or has failed before.
    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "A connection was lost after its use", e);
        }
    }

    private static <T extends @Nullable Object> T committed(Connection connection, Work<T> work)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.with(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
        }
    }

    private static void rollBack(Connection connection, Exception reason) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private static boolean isConflict(SQLException e) {
        return CONFLICTS.contains(String.valueOf(e.getSQLState()));
    }

    /// Returns whether the connection is of no use any more. Class 08 is a lost connection.
    private static boolean isLost(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return CLOSED.contains(state) || state.startsWith("08");
    }

    /// Returns whether a row was refused because another one has its unique value.
    static boolean isTaken(SQLException e) {
        return UNIQUE.equals(e.getSQLState());
    }

    /// Returns whether it is PostgreSQL.
    public boolean isPostgres() {
        return postgres;
    }

    /// Ends the database of H2 that serves others besides this application, such as the next version
    /// of the application: its classes are about to go. The others open the file anew. Does nothing
    /// for all other databases.
    public void release() {
        if (shared) {
            read(connection -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.execute("SHUTDOWN");
                }
            });
        }
    }

    /// Closes the pool.
    @Override
    public void close() {
        source.close();
    }
}
