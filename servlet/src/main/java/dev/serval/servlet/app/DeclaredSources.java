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
/// application's descriptors declare. The server's choice of a name comes first, because whoever
/// runs an application knows its database. Used by the thread that deploys.
public final class DeclaredSources {
    private static final String KIND = "data-source";
    private static final String PREFIX = "java:comp/env/";

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
        @Nullable DatabaseOpener present = factory;
        if (present == null) {
            throw new DescriptorException(
                    origin,
                    "The data source \""
                            + settings.name()
                            + "\" cannot be opened, because this server has no factory for data"
                            + " sources. Set one by ServletContainer.Builder.dataSources.");
        }
        try {
            DataSource source = present.open(settings, loader);
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
        return new DatabaseSettings(
                declared.name(),
                values.get("url"),
                values.get("class-name"),
                values.get("user"),
                values.get("password"),
                number(declared, "min-pool-size"),
                number(declared, "max-pool-size"),
                number(declared, "max-idle-time"),
                Map.of());
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
