package dev.serval.examples.osp.record;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Inserts records into the table `osp_usage` of a database, one transaction for each batch. The
/// table is created if it does not exist. A connection that failed is opened again with the next
/// batch.
///
/// A connection may be lost after a commit and before its confirmation. The clients then repeat, so
/// a record whose digest is in the table is not inserted again.
public final class DatabaseStore implements RecordStore {
    private static final int LOGIN_SECONDS = 10;
    private static final int VALID_SECONDS = 5;

    /// How long the database may be silent, so that a lost connection does not hold all records.
    private static final int NETWORK_MILLIS = 30_000;

    private static final String DIGEST = "component_digest";
    private static final String DIGEST_COLUMN =
            DIGEST + " VARCHAR(" + CallRecord.DIGEST_MAX_CHARS + ") UNIQUE";
    private static final String INSERT = insertion();
    private static final System.Logger LOG = System.getLogger(DatabaseStore.class.getName());

    private final String url;
    private @Nullable Connection connection;

    /// Opens the database.
    ///
    /// @param url a JDBC address of H2 or PostgreSQL, with user and password if it needs them
    /// @throws IOException if it cannot be reached
    public DatabaseStore(String url) throws IOException {
        this.url = url;
        DriverManager.setLoginTimeout(LOGIN_SECONDS);
        try {
            connect();
        } catch (SQLException e) {
            throw new IOException("The database cannot be opened: " + e.getMessage(), e);
        }
    }

    private Connection connect() throws SQLException {
        Connection opened = DriverManager.getConnection(url);
        try (Statement statement = opened.createStatement()) {
            if (opened.getNetworkTimeout() == 0) { // else the address sets one
                opened.setNetworkTimeout(Runnable::run, NETWORK_MILLIS);
            }
            opened.setAutoCommit(false);
            create(statement);
            opened.commit();
        } catch (SQLException e) {
            close(opened);
            throw e;
        }
        connection = opened;
        return opened;
    }

    private static void create(Statement statement) throws SQLException {
        String columns =
                Arrays.stream(Field.values())
                        .map(field ->
                                field.column() + " VARCHAR(" + CallRecord.TEXT_MAX_CHARS + ")")
                        .collect(Collectors.joining(", "));
        statement.execute(
                "CREATE TABLE IF NOT EXISTS osp_usage (" + columns + ", " + DIGEST_COLUMN + ")");
        if (!hasDigest(statement)) { // a table of an older version
            statement.execute("ALTER TABLE osp_usage ADD COLUMN IF NOT EXISTS " + DIGEST_COLUMN);
        }
    }

    private static boolean hasDigest(Statement statement) throws SQLException {
        try (ResultSet none = statement.executeQuery("SELECT * FROM osp_usage WHERE 1 = 0")) {
            ResultSetMetaData columns = none.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                if (columns.getColumnName(i).equalsIgnoreCase(DIGEST)) {
                    return true;
                }
            }
            return false;
        }
    }

    @Override
    public void append(List<CallRecord> records) throws IOException {
        Connection used = connection;
        try {
            if (used == null) {
                used = connect();
            }
            insert(used, records);
        } catch (SQLException e) {
            connection = null;
            if (used != null) {
                close(used);
            }
            throw new IOException("The database did not store the records: " + e.getMessage(), e);
        }
    }

    private static void insert(Connection used, List<CallRecord> records) throws SQLException {
        try (PreparedStatement insert = used.prepareStatement(INSERT)) {
            for (CallRecord each : records) {
                int column = 1;
                for (Field field : Field.values()) {
                    // PostgreSQL's texts cannot hold a zero character.
                    insert.setString(column++, each.value(field).replace("\0", ""));
                }
                String digest = each.digest().isEmpty() ? null : each.digest();
                insert.setString(column++, digest);
                insert.setString(column, digest);
                insert.addBatch();
            }
            insert.executeBatch();
            used.commit();
        }
    }

    /// Returns the statement that inserts a record if its digest is not in the table. It is the
    /// same for H2 and PostgreSQL, which must be told the types.
    private static String insertion() {
        StringBuilder columns = new StringBuilder();
        StringBuilder values = new StringBuilder();
        for (Field field : Field.values()) {
            columns.append(field.column()).append(", ");
            values.append("CAST(? AS VARCHAR(").append(CallRecord.TEXT_MAX_CHARS).append(")), ");
        }
        String digest = "CAST(? AS VARCHAR(" + CallRecord.DIGEST_MAX_CHARS + "))";
        return "INSERT INTO osp_usage ("
                + columns
                + DIGEST
                + ") SELECT "
                + values
                + digest
                + " WHERE NOT EXISTS (SELECT 1 FROM osp_usage WHERE "
                + DIGEST
                + " = "
                + digest
                + ")";
    }

    /// Closes a connection that the database has closed while the server was idle.
    @Override
    public void tick() {
        Connection used = connection;
        try {
            if (used != null && used.isClosed()) {
                connection = null;
            }
        } catch (SQLException e) {
            connection = null;
        }
    }

    @Override
    public String place() {
        int parameters = url.indexOf('?');
        String shown = parameters < 0 ? url : url.substring(0, parameters);
        int more = shown.indexOf(';');
        // Passwords are among the parameters.
        return (more < 0 ? shown : shown.substring(0, more)).replaceAll("//[^/@]*@", "//");
    }

    @Override
    public void close() {
        Connection used = connection;
        connection = null;
        if (used != null) {
            close(used);
        }
    }

    private static void close(Connection used) {
        try {
            if (!used.isClosed() && used.isValid(VALID_SECONDS)) {
                used.rollback();
            }
            used.close();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a connection to the database", e);
        }
    }
}
