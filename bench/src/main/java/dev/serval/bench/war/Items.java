package dev.serval.bench.war;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/// Reads items from the database, by a pool of connections that the application brings, the same in
/// every container. Apart from the servlet, so that a container can look at that without the jars.
/// Thread-safe.
final class Items implements AutoCloseable {
    /// As many as Serval's data sources have by default.
    private static final int CONNECTIONS = 10;

    private static final String QUERY = "SELECT id, name, price FROM item WHERE id = ?";

    private final HikariDataSource pool;

    Items(String address) {
        HikariConfig config = new HikariConfig();
        config.setDriverClassName("org.postgresql.Driver");
        config.setJdbcUrl(address);
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
    }

    /// Returns the JSON of an item.
    byte[] json(int id) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement query = connection.prepareStatement(QUERY)) {
            query.setInt(1, id);
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("no item " + id);
                }
                return Json.bytes(new Item(rows.getInt(1), rows.getString(2), rows.getInt(3)));
            }
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
