package dev.serval.servlet.app;

import dev.serval.servlet.database.DatabaseOpener;
import dev.serval.servlet.database.DatabaseSettings;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.NamingDescription;
import dev.serval.servlet.descriptor.Origin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Opens the data sources of one application: those that the server gives to all, and those that the
/// application's descriptors and annotations declare. The server's choice of a name comes first,
/// because the person who runs an application knows its database. Used by the thread that deploys.
public final class DeclaredSources {
    private static final String KIND = "data-source";
    private static final String PREFIX = "java:comp/env/";

    /// The elements that say where the database is, with the property of `javax.sql.DataSource` for
    /// each (JDBC 4.3 §9.6.1).
    private static final Map<String, String> PLACE =
            Map.of(
                    "server-name", "serverName",
                    "port-number", "portNumber",
                    "database-name", "databaseName");

    private static final List<String> ISOLATIONS =
            List.of(
                    "TRANSACTION_READ_UNCOMMITTED",
                    "TRANSACTION_READ_COMMITTED",
                    "TRANSACTION_REPEATABLE_READ",
                    "TRANSACTION_SERIALIZABLE");

    private final @Nullable DatabaseOpener factory;
    private final List<DatabaseSettings> given;

    /// Creates the data sources that a container gives to its applications.
    ///
    /// @param factory null if there is none
    /// @param given for every application
    public DeclaredSources(@Nullable DatabaseOpener factory, List<DatabaseSettings> given) {
        this.factory = factory;
        this.given = List.copyOf(given);
    }

    /// Opens the data sources of an application.
    ///
    /// @param opened receives those that must be closed
    /// @return the data sources by name
    /// @throws DescriptorException if one is declared wrongly or has no driver
    public Map<String, Object> open(
            NamingDescription declared, ClassLoader loader, List<AutoCloseable> opened)
            throws DescriptorException {
        Map<String, DatabaseSettings> wanted = new LinkedHashMap<>();
        Map<String, Origin> origins = new LinkedHashMap<>();
        for (NamingDescription.Reference one : declared.references()) {
            if (one.kind().equals(KIND)) {
                wanted.put(relative(one.name()), settings(one));
                origins.put(relative(one.name()), one.origin());
            }
        }
        for (DatabaseSettings one : given) {
            wanted.put(relative(one.name()), one);
            origins.put(relative(one.name()), Origin.code("the server's data sources"));
        }
        Map<String, Object> sources = new LinkedHashMap<>();
        for (Map.Entry<String, DatabaseSettings> entry : wanted.entrySet()) {
            Origin origin = origins.getOrDefault(entry.getKey(), Origin.code(KIND));
            sources.put(entry.getKey(), open(entry.getValue(), origin, loader, opened));
        }
        return sources;
    }

    private DataSource open(
            DatabaseSettings settings,
            Origin origin,
            ClassLoader loader,
            List<AutoCloseable> opened)
            throws DescriptorException {
        if (factory == null) {
            throw new DescriptorException(
                    origin,
                    "The data source \""
                            + settings.name()
                            + "\" cannot be opened, because this server has no factory for data"
                            + " sources. Set one by ServletContainer.Builder.dataSources.");
        }
        try {
            DataSource source = factory.open(settings, loader);
            if (source instanceof AutoCloseable closeable) {
                opened.add(closeable);
            }
            return source;
        } catch (IllegalArgumentException e) {
            throw new DescriptorException(
                    origin,
                    "The data source \""
                            + settings.name()
                            + "\" cannot be opened: "
                            + e.getMessage(),
                    e);
        }
    }

    private static String relative(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    private static DatabaseSettings settings(NamingDescription.Reference declared)
            throws DescriptorException {
        Map<String, String> values = declared.values();
        @Nullable String url = values.get("url");
        return new DatabaseSettings(
                declared.name(),
                url,
                values.get("class-name"),
                values.get("user"),
                values.get("password"),
                number(declared, "min-pool-size"),
                number(declared, "max-pool-size"),
                number(declared, "max-idle-time"),
                isolation(declared),
                properties(values, url == null));
    }

    /// Returns the properties of the driver or the data source.
    ///
    /// @param withPlace whether server, port and database count, which a URL replaces
    private static Map<String, String> properties(Map<String, String> values, boolean withPlace) {
        Map<String, String> properties = new LinkedHashMap<>();
        values.forEach((element, value) -> {
            if (element.startsWith(NamingDescription.Reference.PROPERTY)) {
                properties.put(
                        element.substring(NamingDescription.Reference.PROPERTY.length()), value);
            }
        });
        if (withPlace) {
            PLACE.forEach((element, property) -> {
                @Nullable String value = values.get(element);
                if (value != null) {
                    properties.putIfAbsent(property, value);
                }
            });
        }
        return properties;
    }

    private static @Nullable String isolation(NamingDescription.Reference declared)
            throws DescriptorException {
        @Nullable String level = declared.values().get("isolation-level");
        if (level != null && !ISOLATIONS.contains(level)) {
            throw new DescriptorException(
                    declared.origin(),
                    "The <isolation-level> of the data-source \""
                            + declared.name()
                            + "\" is \""
                            + level
                            + "\". Write one of "
                            + String.join(", ", ISOLATIONS)
                            + ".");
        }
        return level;
    }

    private static int number(NamingDescription.Reference declared, String element)
            throws DescriptorException {
        @Nullable String text = declared.values().get(element);
        if (text == null) {
            return -1;
        }
        try {
            int number = Integer.parseInt(text.strip());
            if (number >= -1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new DescriptorException(
                declared.origin(),
                "The <"
                        + element
                        + "> of the data-source \""
                        + declared.name()
                        + "\" is \""
                        + text
                        + "\". Write a number, or leave it out.");
    }
}
