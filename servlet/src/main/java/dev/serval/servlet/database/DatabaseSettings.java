package dev.serval.servlet.database;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How to open a data source. Immutable.
///
/// @param name relative to `java:comp/env`, such as `jdbc/shop`, or a name that begins with `java:`
/// @param url of JDBC; null if `className` names a data source with properties of its own
/// @param className a `java.sql.Driver` or `javax.sql.DataSource`; null to find the driver by the URL
/// @param user null for none
/// @param password null for none
/// @param connectionsMin that are kept open while they are not used; -1 for the factory's choice
/// @param connectionsMax that are open at a time; -1 for the factory's choice
/// @param idleSeconds after which an unused connection is closed; -1 for the factory's choice
/// @param isolation the name of a constant of `java.sql.Connection`, such as
///     `TRANSACTION_SERIALIZABLE`; null for the driver's choice
/// @param properties for the driver, or of the data source, such as `serverName`
public record DatabaseSettings(
        String name,
        @Nullable String url,
        @Nullable String className,
        @Nullable String user,
        @Nullable String password,
        int connectionsMin,
        int connectionsMax,
        int idleSeconds,
        @Nullable String isolation,
        Map<String, String> properties) {
    /// Copies the properties.
    public DatabaseSettings {
        properties = Map.copyOf(properties);
    }

    /// Returns settings with a URL and the factory's choices.
    public static DatabaseSettings of(String name, String url) {
        return new DatabaseSettings(name, url, null, null, null, -1, -1, -1, null, Map.of());
    }

    /// Returns these settings with a user or a password in place of the present ones.
    ///
    /// @param otherUser null to keep the present one
    /// @param otherPassword null to keep the present one
    public DatabaseSettings as(@Nullable String otherUser, @Nullable String otherPassword) {
        return new DatabaseSettings(
                name,
                url,
                className,
                otherUser == null ? user : otherUser,
                otherPassword == null ? password : otherPassword,
                connectionsMin,
                connectionsMax,
                idleSeconds,
                isolation,
                properties);
    }

    /// Returns a URL of JDBC for people, without what may be a password: the part before an `@`, and
    /// everything after the first `?` or `;`.
    public static String shown(String url) {
        int end = 0;
        while (end < url.length() && url.charAt(end) != '?' && url.charAt(end) != ';') {
            end++;
        }
        String place = url.substring(0, end);
        int at = place.lastIndexOf('@');
        int slashes = place.indexOf("//");
        int from = slashes >= 0 && slashes < at ? slashes + 2 : place.lastIndexOf(':', at) + 1;
        return at > from ? place.substring(0, from) + "…" + place.substring(at) : place;
    }

    /// Leaves out the password, because a log may show the settings.
    @Override
    public String toString() {
        return "data source " + name + " (" + (url == null ? className : shown(url)) + ")";
    }
}
