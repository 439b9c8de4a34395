package dev.serval.servlet.database;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How to open a data source. Immutable.
///
/// @param name relative to `java:comp/env`, such as `jdbc/shop`
/// @param url of JDBC; null if `className` names a data source with properties of its own
/// @param className a `java.sql.Driver` or `javax.sql.DataSource`; null to find the driver by the URL
/// @param user null for none
/// @param password null for none
/// @param connectionsMin that are kept open while they are not used; -1 for the factory's choice
/// @param connectionsMax that are open at a time; -1 for the factory's choice
/// @param idleSeconds after which an unused connection is closed; -1 for the factory's choice
/// @param properties for the driver
public record DatabaseSettings(
        String name,
        @Nullable String url,
        @Nullable String className,
        @Nullable String user,
        @Nullable String password,
        int connectionsMin,
        int connectionsMax,
        int idleSeconds,
        Map<String, String> properties) {
    /// Copies the properties.
    public DatabaseSettings {
        properties = Map.copyOf(properties);
    }

    /// Returns settings with a URL and the factory's choices.
    public static DatabaseSettings of(String name, String url) {
        return new DatabaseSettings(name, url, null, null, null, -1, -1, -1, Map.of());
    }

    /// Returns these settings with a user.
    public DatabaseSettings as(String otherUser, @Nullable String otherPassword) {
        return new DatabaseSettings(
                name,
                url,
                className,
                otherUser,
                otherPassword,
                connectionsMin,
                connectionsMax,
                idleSeconds,
                properties);
    }

    /// Leaves out the password, because a log may show the settings.
    @Override
    public String toString() {
        return "data source " + name + " (" + (url == null ? className : url) + ")";
    }
}
