package dev.serval.servlet.users;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Users of a database. The data source decides how many connections there are. Any thread that may
/// wait.
public final class JdbcUsers implements Users {
    private static final int ROLES_MAX = 1_000;
    private static final int TIMEOUT_SECONDS = 10;

    private final DataSource source;
    private final String passwordQuery;
    private final String rolesQuery;

    /// Creates users.
    ///
    /// @param passwordQuery selects the text of the [StoredSecret] of the user `?`
    /// @param rolesQuery selects the roles of the user `?`, one in each row
    public JdbcUsers(DataSource source, String passwordQuery, String rolesQuery) {
        this.source = source;
        this.passwordQuery = passwordQuery;
        this.rolesQuery = rolesQuery;
    }

    @Override
    public @Nullable Account find(String name) throws IOException {
        try (Connection connection = source.getConnection()) {
            @Nullable String text = password(connection, name);
            // Also for a name that does not exist, so that the time does not tell.
            Set<String> roles = roles(connection, name);
            if (text == null) {
                return null;
            }
            @Nullable Secret secret = StoredSecret.parse(text);
            if (secret == null) {
                throw new IOException(
                        "The password query has returned no hash for the user "
                                + name
                                + ". It must look like pbkdf2-sha256:600000:SALT:HASH, with a blank"
                                + " and digest-sha256:REALM:HASH after it if the user logs in by"
                                + " DIGEST.");
            }
            return new Account(name, roles, secret);
        } catch (SQLException e) {
            throw new IOException(
                    "The database failed to find a user ("
                            + e.getMessage()
                            + "): check that it runs, and the two queries for passwords and roles",
                    e);
        }
    }

    private @Nullable String password(Connection connection, String name) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(passwordQuery)) {
            query.setQueryTimeout(TIMEOUT_SECONDS);
            query.setString(1, name);
            query.setMaxRows(1);
            try (ResultSet rows = query.executeQuery()) {
                return rows.next() ? rows.getString(1) : null;
            }
        }
    }

    private Set<String> roles(Connection connection, String name) throws SQLException {
        Set<String> roles = new LinkedHashSet<>();
        try (PreparedStatement query = connection.prepareStatement(rolesQuery)) {
            query.setQueryTimeout(TIMEOUT_SECONDS);
            query.setString(1, name);
            query.setMaxRows(ROLES_MAX);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    @Nullable String role = rows.getString(1);
                    if (role != null) {
                        roles.add(role);
                    }
                }
            }
        }
        return roles;
    }

    @Override
    public Secret decoy() {
        return PasswordHash.decoy(PasswordHash.ITERATIONS);
    }
}
