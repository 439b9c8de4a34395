package dev.serval.servlet.database;

import javax.sql.DataSource;

/// Opens data sources for applications, such as pools of connections.
@FunctionalInterface
public interface DatabaseOpener {
    /// Opens a data source. It should not connect before it is used, so that an application starts
    /// although its database does not answer yet. If it is an [AutoCloseable], it is closed after the
    /// application has ended.
    ///
    /// @param loader of the application, which may have the driver
    /// @throws IllegalArgumentException if the settings are wrong, or no driver knows the URL; the
    ///     message says which and what would be right
    DataSource open(DatabaseSettings settings, ClassLoader loader);
}
