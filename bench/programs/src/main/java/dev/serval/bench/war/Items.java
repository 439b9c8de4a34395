package dev.serval.bench.war;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import tools.jackson.databind.json.JsonMapper;

/// Items as JSON, and their database. The application brings what it needs for both, the same in
/// every container. Apart from the servlet, so that containers can look at that without these jars.
/// Thread-safe.
final class Items {
    /// As many as Serval's data sources have by default.
    private static final int CONNECTIONS = 10;

    private static final String QUERY = "SELECT id, name, price FROM item WHERE id = ?";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HikariDataSource pool;

    Items(String address) {
        HikariConfig config = new HikariConfig();
        config.setDriverClassName("org.postgresql.Driver");
        config.setJdbcUrl(address);
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
    }

    /// Returns an item as JSON.
    static byte[] json(Item item) {
        return JSON.writeValueAsBytes(item);
    }

    /// Reads an item.
    Item read(int id) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement query = connection.prepareStatement(QUERY)) {
            query.setInt(1, id);
            try (ResultSet rows = query.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("no item " + id);
                }
                return new Item(rows.getInt(1), rows.getString(2), rows.getInt(3));
            }
        }
    }

    void close() {
        pool.close();
    }
}
