package dev.serval.examples.shop.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/// The tables of the shop, from `schema.sql` and `indexes.sql`.
public final class Schema {
    /// The version of the tables, which the table `shop` repeats.
    public static final int VERSION = 2;

    /// In the order in which they can be dropped.
    private static final List<String> TABLES =
            List.of(
                    "shop",
                    "payment",
                    "purchase_line",
                    "purchase",
                    "customer",
                    "book_word",
                    "book_related",
                    "book",
                    "author");

    private Schema() {}

    /// Returns whether the database has the tables of this version with all their rows.
    ///
    /// @throws SQLException also if the tables are of another version
    public static boolean isComplete(Connection connection) throws SQLException {
        if (!exists(connection, "shop")) {
            return false;
        }
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT version FROM shop")) {
            if (!rows.next()) {
                return false;
            }
            if (rows.getInt(1) != VERSION) {
                throw new SQLException(
                        "The database has tables of version "
                                + rows.getInt(1)
                                + ", and this shop needs version "
                                + VERSION
                                + ". Give the shop another database.");
            }
            return true;
        }
    }

    /// Returns the identity of a complete database.
    public static String identity(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT identity FROM shop")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static boolean exists(Connection connection, String table) throws SQLException {
        DatabaseMetaData facts = connection.getMetaData();
        String name = facts.storesUpperCaseIdentifiers() ? table.toUpperCase(Locale.ROOT) : table;
        try (ResultSet tables = facts.getTables(null, connection.getSchema(), name, null)) {
            return tables.next();
        }
    }

    /// Creates empty tables. Drops those that an interrupted creation has left.
    public static void create(Connection connection, boolean postgres) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.executeUpdate("DROP TABLE IF EXISTS " + table);
            }
        }
        run(connection, text("schema.sql").replace("${bytewise}", postgres ? "COLLATE \"C\"" : ""));
    }

    /// Creates the indexes.
    public static void index(Connection connection) throws SQLException {
        run(connection, text("indexes.sql"));
    }

    private static void run(Connection connection, String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String command : script.replaceAll("--[^\n]*", "").split(";", -1)) {
                if (!command.isBlank()) {
                    statement.executeUpdate(command);
                }
            }
        }
    }

    private static String text(String name) {
        try (InputStream in = Schema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource missing: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
