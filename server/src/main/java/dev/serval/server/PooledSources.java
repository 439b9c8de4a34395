package dev.serval.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.serval.servlet.database.DatabaseOpener;
import dev.serval.servlet.database.DatabaseSettings;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Opens data sources as HikariCP pools. The drivers of the application come first, then those of
/// the server (H2, PostgreSQL). A pool connects when it is first used. Stateless.
final class PooledSources implements DatabaseOpener {
    private static final int CONNECTIONS_MAX = 10;
    private static final long CONNECT_MAX_MILLIS = 10_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    @Override
    public DataSource open(DatabaseSettings settings, ClassLoader loader) {
        int most = settings.connectionsMax() > 0 ? settings.connectionsMax() : CONNECTIONS_MAX;
        HikariDataSource pool = new HikariDataSource(); // connects when it is first used
        pool.setPoolName(settings.name());
        pool.setDataSource(source(settings, loader));
        pool.setMaximumPoolSize(most);
        pool.setMinimumIdle(Math.clamp(settings.connectionsMin(), 0, most));
        pool.setConnectionTimeout(CONNECT_MAX_MILLIS);
        if (settings.idleSeconds() > 0) {
            pool.setIdleTimeout(
                    Math.max(settings.idleSeconds() * MILLIS_PER_SECOND, CONNECT_MAX_MILLIS));
        }
        pool.setRegisterMbeans(false);
        HikariConfig checked = pool;
        checked.setInitializationFailTimeout(-1);
        return pool;
    }

    private static DataSource source(DatabaseSettings settings, ClassLoader loader) {
        @Nullable String className = settings.className();
        @Nullable String url = settings.url();
        Properties properties = new Properties();
        properties.putAll(settings.properties());
        if (settings.user() != null) {
            properties.setProperty("user", settings.user());
        }
        if (settings.password() != null) {
            properties.setProperty("password", settings.password());
        }
        if (url == null) {
            throw new IllegalArgumentException(
                    "it has no URL. Write <url>jdbc:…</url> in the data-source.");
        }
        @Nullable Driver driver = className == null ? null : driver(className, loader);
        if (driver == null) {
            driver = driverFor(url, loader);
        }
        return new DriverSource(driver, url, properties);
    }

    /// Returns the driver of this class; null if the class is a data source, whose URL names the
    /// driver.
    private static @Nullable Driver driver(String className, ClassLoader loader) {
        try {
            Class<?> type = loaded(className, loader);
            return Driver.class.isAssignableFrom(type)
                    ? (Driver) type.getDeclaredConstructor().newInstance()
                    : null;
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "its class "
                            + className
                            + " cannot be used ("
                            + e
                            + "). Add the driver's jar to WEB-INF/lib.",
                    e);
        }
    }

    private static Class<?> loaded(String className, ClassLoader loader)
            throws ClassNotFoundException {
        try {
            return Class.forName(className, true, loader);
        } catch (ClassNotFoundException e) {
            return Class.forName(className, true, PooledSources.class.getClassLoader());
        }
    }

    private static Driver driverFor(String url, ClassLoader loader) {
        @Nullable Driver own = accepting(url, loader);
        @Nullable Driver found =
                own == null ? accepting(url, PooledSources.class.getClassLoader()) : own;
        if (found == null) {
            throw new IllegalArgumentException(
                    "no driver knows the URL \""
                            + url
                            + "\". Add the driver's jar to WEB-INF/lib, or correct the URL.");
        }
        return found;
    }

    private static @Nullable Driver accepting(String url, @Nullable ClassLoader loader) {
        for (Driver driver : ServiceLoader.load(Driver.class, loader)) {
            try {
                if (driver.acceptsURL(url)) {
                    return driver;
                }
            } catch (SQLException e) {
                // this driver cannot tell, so it is not the one
            }
        }
        return null;
    }

    /// Connects by one driver, without the JDK's list of drivers, which all applications share.
    private record DriverSource(Driver driver, String url, Properties properties)
            implements DataSource {
        @Override
        public Connection getConnection() throws SQLException {
            @Nullable Connection connection = driver.connect(url, properties);
            if (connection == null) {
                throw new SQLException("The driver " + driver + " does not know the URL " + url);
            }
            return connection;
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            Properties other = new Properties();
            other.putAll(properties);
            other.setProperty("user", user);
            other.setProperty("password", password);
            return new DriverSource(driver, url, other).getConnection();
        }

        @Override
        public @Nullable PrintWriter getLogWriter() {
            return null;
        }

        @Override
        public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
            throw new SQLFeatureNotSupportedException("Data sources write no log");
        }

        @Override
        public void setLoginTimeout(int seconds) throws SQLException {
            throw new SQLFeatureNotSupportedException("Set the driver's own timeout in its URL");
        }

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException("Data sources write no log");
        }

        @Override
        public <T> T unwrap(Class<T> type) throws SQLException {
            if (type.isInstance(this)) {
                return type.cast(this);
            }
            throw new SQLException("This data source is no " + type.getName());
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return type.isInstance(this);
        }
    }
}
