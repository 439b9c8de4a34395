package dev.serval.examples.shop.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// The customers: registers them and checks who they are. May be used by any thread.
public final class Customers {
    private static final String QUERY =
            "SELECT id, user_name, given_name, family_name, email, street, town, postcode, country,"
                    + " password FROM customer WHERE ";

    private final Database database;
    private final PasswordHash hash;

    /// What an unknown user's password is compared with, so that the answer takes as long as for a
    /// known one.
    private final String unknown;

    /// A customer with the hash of the password.
    private record Row(Customer customer, String hash) {}

    /// @param hash makes the hashes of new customers
    public Customers(Database database, PasswordHash hash) {
        this.database = database;
        this.hash = hash;
        this.unknown = hash.ofNobody();
    }

    /// Registers a customer.
    ///
    /// @return null if the user name is taken
    public @Nullable Customer register(NewCustomer who) {
        String hashed = hash.of(who.password());
        Integer id =
                database.<@Nullable Integer>change(connection -> {
                    try {
                        return inserted(connection, who, hashed);
                    } catch (SQLException e) {
                        if (Database.isTaken(e)) {
                            connection.rollback();
                            return null;
                        }
                        throw e;
                    }
                });
        return id == null ? null : byId(id);
    }

    private static int inserted(Connection connection, NewCustomer who, String hashed)
            throws SQLException {
        String insert =
                "INSERT INTO customer (user_name, password, given_name, family_name, email, street,"
                        + " town, postcode, country) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
        try (PreparedStatement statement =
                connection.prepareStatement(insert, new String[] {"id"})) {
            statement.setString(1, who.userName());
            statement.setString(2, hashed);
            statement.setString(3, who.givenName());
            statement.setString(4, who.familyName());
            statement.setString(5, who.email());
            statement.setString(6, who.street());
            statement.setString(7, who.town());
            statement.setString(8, who.postcode());
            statement.setString(9, who.country());
            statement.executeUpdate();
            return newId(statement);
        }
    }

    /// Returns the id that the database has given to a new row.
    static int newId(Statement statement) throws SQLException {
        try (ResultSet keys = statement.getGeneratedKeys()) {
            keys.next();
            return keys.getInt(1);
        }
    }

    /// Returns the customer with that name and password, or null.
    public @Nullable Customer signIn(String userName, String password) {
        Row row = row("user_name = ?", userName);
        boolean right = PasswordHash.matches(row == null ? unknown : row.hash, password);
        return row != null && right ? row.customer : null;
    }

    /// Returns a customer, or null.
    public @Nullable Customer byId(int id) {
        Row row = row("id = ?", id);
        return row == null ? null : row.customer;
    }

    private @Nullable Row row(String condition, Object value) {
        return database.<@Nullable Row>read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(QUERY + condition)) {
                statement.setObject(1, value);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? row(row) : null;
                }
            }
        });
    }

    private static Row row(ResultSet row) throws SQLException {
        String given = row.getString(3);
        String family = row.getString(4);
        Address address =
                new Address(
                        given + " " + family,
                        row.getString(6),
                        row.getString(7),
                        row.getString(8),
                        row.getString(9));
        return new Row(
                new Customer(
                        row.getInt(1), row.getString(2), given, family, row.getString(5), address),
                row.getString(10));
    }
}
