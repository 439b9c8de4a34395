package dev.serval.servlet.vault;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Keeps sessions in a table of a database that servers may share. Each write counts the version
/// of its row up and names the version that it replaces, so no server overwrites what it has not
/// seen. Every statement finds its row by the primary key, but for the one that looks for overdue
/// sessions. Tested with H2 and PostgreSQL. Any thread that may block.
public final class JdbcVault implements SessionVault {
    private static final int STATEMENT_SECONDS_MAX = 10;
    private static final int APP_MAX = 200; // characters of the table's column
    private static final long NEVER = Long.MAX_VALUE;

    private static final String WHERE = " where app = ? and id_hash = ?";

    private final DataSource source;
    private final String app;
    private final VaultLimits limits;
    private final String database;

    private JdbcVault(DataSource source, String app, VaultLimits limits, String database) {
        this.source = source;
        this.app = app;
        this.limits = limits;
        this.database = database;
    }

    /// Opens the table, which is created if it is missing.
    ///
    /// @param source gives connections; not closed here
    /// @param app the application's path
    /// @throws IOException if the database does not answer, or the table is a different one
    public static JdbcVault open(DataSource source, String app, VaultLimits limits)
            throws IOException {
        if (app.length() > APP_MAX) {
            throw new IOException(
                    "The path of the application is longer than "
                            + APP_MAX
                            + " characters, which the table of sessions does not hold: "
                            + app);
        }
        try (Connection connection = source.getConnection()) {
            if (!isTable(connection)) {
                create(connection);
            }
            return new JdbcVault(source, app, limits, database(connection));
        } catch (SQLException e) {
            throw new IOException(
                    "Serval failed to open the table serval_session for the sessions of "
                            + app
                            + " ("
                            + e.getMessage()
                            + "): check the URL of --sessions, its user and password, and whether"
                            + " the user may create the table serval_session",
                    e);
        }
    }

    private static String database(Connection connection) throws SQLException {
        @Nullable String url = connection.getMetaData().getURL();
        if (url == null) {
            return "a database of " + connection.getMetaData().getDatabaseProductName();
        }
        return withoutSecrets(url);
    }

    /// Returns the URL of a database without its parameters; only its kind if it may have a user and
    /// password before its host.
    static String withoutSecrets(String url) {
        return url.contains("@")
                ? url.replaceFirst("(jdbc:[^:]*).*", "$1")
                : url.replaceFirst("[?;].*", "");
    }

    private static boolean isTable(Connection connection) throws SQLException {
        boolean automatic = connection.getAutoCommit();
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(STATEMENT_SECONDS_MAX);
            try (ResultSet rows =
                    statement.executeQuery("select version from serval_session where 1 = 0")) {
                return !rows.next();
            }
        } catch (SQLException e) {
            if (!automatic) {
                connection.rollback();
            }
            return false;
        }
    }

    private static void create(Connection connection) throws SQLException {
        boolean postgres = connection.getMetaData().getDatabaseProductName().contains("PostgreSQL");
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(STATEMENT_SECONDS_MAX);
            statement.execute(
                    "create table if not exists serval_session (app varchar("
                            + APP_MAX
                            + ") not null, id_hash char(32) not null, id varchar(128) not null,"
                            + " version bigint not null, confirmed smallint not null,"
                            + " created_ms bigint not null, last_accessed_ms bigint not null,"
                            + " accessed_ms bigint not null, timeout_s integer not null,"
                            + " deadline_ms bigint not null, attributes "
                            + (postgres ? "bytea" : "blob")
                            + " not null, primary key (app, id_hash))");
            statement.execute(
                    "create index if not exists serval_session_deadline on serval_session"
                            + " (app, deadline_ms)");
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        } catch (SQLException e) {
            // Two servers may create it at once.
            if (!isTable(connection)) {
                throw e;
            }
        }
    }

    /// One statement with its parameters.
    private interface Call<T> {
        T run(PreparedStatement statement) throws SQLException, IOException;
    }

    /// Runs a statement.
    ///
    /// @param does what it does, for the message of a failure
    private <T extends @Nullable Object> T call(String does, String sql, Call<T> call)
            throws IOException {
        try (Connection connection = source.getConnection()) {
            boolean automatic = connection.getAutoCommit();
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setQueryTimeout(STATEMENT_SECONDS_MAX);
                T result = call.run(statement);
                if (!automatic) {
                    connection.commit();
                }
                return result;
            } catch (SQLException | IOException | RuntimeException | Error e) {
                if (!automatic) { // else the next user of the connection has this transaction
                    rollBack(connection, e);
                }
                throw e;
            }
        } catch (SQLException e) {
            throw new IOException(
                    "the database failed to "
                            + does
                            + " of the application "
                            + app
                            + " ("
                            + e.getMessage()
                            + ")",
                    e);
        }
    }

    private static void rollBack(Connection connection, Throwable reason) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private void key(PreparedStatement statement, int from, SessionKey key) throws SQLException {
        statement.setString(from, app);
        statement.setString(from + 1, key.hex());
    }

    /// Returns true, because another server may have created the session.
    @Override
    public boolean mayContain(SessionKey key) {
        return true;
    }

    @Override
    public @Nullable StoredSession read(SessionKey key) throws IOException {
        try {
            return readRow(key);
        } catch (DamagedSessionException e) {
            remove(key);
            throw e;
        }
    }

    private @Nullable StoredSession readRow(SessionKey key) throws IOException {
        return call(
                "read a session",
                "select id, confirmed, created_ms, last_accessed_ms, accessed_ms, timeout_s,"
                        + " version, attributes from serval_session"
                        + WHERE,
                statement -> {
                    key(statement, 1, key);
                    try (ResultSet rows = statement.executeQuery()) {
                        return rows.next() ? session(rows) : null;
                    }
                });
    }

    private StoredSession session(ResultSet rows) throws SQLException, IOException {
        byte @Nullable [] attributes = rows.getBytes(8);
        @Nullable String id = rows.getString(1);
        if (attributes == null || id == null || attributes.length > limits.sessionMaxBytes()) {
            throw new DamagedSessionException("its row has no attributes, or too large ones");
        }
        return new StoredSession(
                id,
                rows.getInt(2) != 0,
                rows.getLong(3),
                rows.getLong(4),
                rows.getLong(5),
                rows.getInt(6),
                rows.getLong(7),
                attributes);
    }

    @Override
    public long write(SessionKey key, StoredSession session) throws IOException {
        return session.version() == 0 ? insert(key, session) : update(key, session);
    }

    private long insert(SessionKey key, StoredSession session) throws IOException {
        int rows =
                call(
                        "insert a session",
                        "insert into serval_session (id, confirmed, created_ms, last_accessed_ms,"
                                + " accessed_ms, timeout_s, deadline_ms, attributes, version, app,"
                                + " id_hash) select ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?"
                                + " where not exists (select 1 from serval_session"
                                + WHERE
                                + ")",
                        statement -> {
                            columns(statement, session);
                            key(statement, 9, key);
                            key(statement, 11, key);
                            return statement.executeUpdate();
                        });
        return checked(rows, 1);
    }

    private long update(SessionKey key, StoredSession session) throws IOException {
        int rows =
                call(
                        "update a session",
                        "update serval_session set id = ?, confirmed = ?, created_ms = ?,"
                                + " last_accessed_ms = ?, accessed_ms = ?, timeout_s = ?,"
                                + " deadline_ms = ?, attributes = ?, version = version + 1"
                                + WHERE
                                + " and version = ?",
                        statement -> {
                            columns(statement, session);
                            key(statement, 9, key);
                            statement.setLong(11, session.version());
                            return statement.executeUpdate();
                        });
        return checked(rows, session.version() + 1);
    }

    private static long checked(int rows, long version) throws ConflictException {
        if (rows != 1) {
            throw new ConflictException("another server has changed or removed the session");
        }
        return version;
    }

    private static void columns(PreparedStatement statement, StoredSession session)
            throws SQLException {
        statement.setString(1, session.id());
        statement.setInt(2, session.confirmed() ? 1 : 0);
        statement.setLong(3, session.createdMillis());
        statement.setLong(4, session.lastAccessedMillis());
        statement.setLong(5, session.accessedMillis());
        statement.setInt(6, session.maxInactiveSeconds());
        statement.setLong(7, session.deadlineMillis());
        statement.setBytes(8, session.attributes());
    }

    @Override
    public void touch(SessionKey key, long accessedMillis, int maxInactiveSeconds)
            throws IOException {
        // A later time only: two servers may touch a session in any order.
        int _ =
                call(
                        "renew the time of a session",
                        "update serval_session set accessed_ms = ?, deadline_ms = ?"
                                + WHERE
                                + " and accessed_ms < ?",
                        statement -> {
                            statement.setLong(1, accessedMillis);
                            statement.setLong(
                                    2,
                                    StoredSession.deadlineMillis(
                                            accessedMillis, maxInactiveSeconds));
                            key(statement, 3, key);
                            statement.setLong(5, accessedMillis);
                            return statement.executeUpdate();
                        });
    }

    @Override
    public void remove(SessionKey key) throws IOException {
        int _ =
                call(
                        "delete a session",
                        "delete from serval_session" + WHERE,
                        statement -> {
                            key(statement, 1, key);
                            return statement.executeUpdate();
                        });
    }

    @Override
    public List<SessionKey> overdue(long nowMillis, int max) throws IOException {
        return call(
                "find the overdue sessions",
                "select id_hash from serval_session where app = ? and deadline_ms < ?"
                        + " order by deadline_ms",
                statement -> {
                    statement.setString(1, app);
                    statement.setLong(2, Math.min(nowMillis, NEVER - 1));
                    statement.setMaxRows(max);
                    List<SessionKey> keys = new ArrayList<>();
                    try (ResultSet rows = statement.executeQuery()) {
                        while (rows.next()) {
                            keys.add(SessionKey.ofHex(rows.getString(1)));
                        }
                    }
                    return keys;
                });
    }

    @Override
    public long version(SessionKey key) throws IOException {
        return call(
                "read the version of a session",
                "select version from serval_session" + WHERE,
                statement -> {
                    key(statement, 1, key);
                    try (ResultSet rows = statement.executeQuery()) {
                        return rows.next() ? rows.getLong(1) : -1L;
                    }
                });
    }

    @Override
    public String place() {
        return "the table serval_session of " + database;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    /// Returns 0, because other servers change the number.
    @Override
    public int size() {
        return 0;
    }

    /// Returns 0, because the database knows.
    @Override
    public long bytes() {
        return 0;
    }

    /// Does nothing: the caller of open owns the source.
    @Override
    public void close() {}
}
