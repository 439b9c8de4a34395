package dev.serval.examples.shop.sample;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Inserts rows many at a time, and commits them. Used by one thread.
final class Batch implements AutoCloseable {
    private static final int ROWS = 2_000;

    private final Connection connection;
    private final PreparedStatement statement;
    private final @Nullable Batch parents;
    private int waiting;

    /// @param columns the table with its columns, such as `author (id, name)`
    Batch(Connection connection, String columns) throws SQLException {
        this(connection, columns, null);
    }

    /// @param parents the rows that rows of this batch refer to
    Batch(Connection connection, String columns, @Nullable Batch parents) throws SQLException {
        this.connection = connection;
        this.parents = parents;
        int count = columns.split(",", -1).length;
        this.statement =
                connection.prepareStatement(
                        "INSERT INTO " + columns + " VALUES (" + "?, ".repeat(count - 1) + "?)");
    }

    void add(Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        statement.addBatch();
        if (++waiting == ROWS) {
            send();
        }
    }

    /// Inserts the rows that wait.
    void send() throws SQLException {
        if (parents != null) {
            parents.send();
        }
        statement.executeBatch();
        connection.commit();
        waiting = 0;
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
