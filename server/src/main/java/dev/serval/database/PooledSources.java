package dev.serval.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.serval.servlet.database.DatabaseOpener;
import dev.serval.servlet.database.DatabaseSettings;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ThreadFactory;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Opens data sources as HikariCP pools. The drivers of the application come first, then those of
/// the server (H2, PostgreSQL). A pool connects when it is first used. Stateless.
public final class PooledSources implements DatabaseOpener {
    private static final int CONNECTIONS_MAX = 10;
    private static final long CONNECT_MAX_MILLIS = 10_000;
    private static final long MILLIS_PER_SECOND = 1_000;

    /// Creates an opener.
    public PooledSources() {}

    @Override
    public DataSource open(DatabaseSettings settings, ClassLoader loader) {
        DataSource connecting = source(settings, loader);
        int most = settings.connectionsMax() > 0 ? settings.connectionsMax() : CONNECTIONS_MAX;
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName(settings.name());
        pool.setDataSource(connecting);
        pool.setThreadFactory(threads(settings.name()));
        pool.setMaximumPoolSize(most);
        pool.setMinimumIdle(Math.clamp(settings.connectionsMin(), 0, most));
        pool.setConnectionTimeout(CONNECT_MAX_MILLIS);
        if (settings.idleSeconds() > 0) {
            pool.setIdleTimeout(
                    Math.max(settings.idleSeconds() * MILLIS_PER_SECOND, CONNECT_MAX_MILLIS));
        }
        pool.setTransactionIsolation(settings.isolation());
        // The first use must not connect on the thread of the application, whose context class
        // loader the threads of a driver would keep.
        pool.setInitializationFailTimeout(-1);
        return pool;
    }

    /// Returns a factory of threads that keep nothing of the application whose request happens to
    /// start them.
    private static ThreadFactory threads(String name) {
        ThreadFactory plain =
                Thread.ofPlatform()
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .name("serval-database " + name + " ", 1)
                        .factory();
        return task -> {
            Thread thread = plain.newThread(task);
            thread.setContextClassLoader(PooledSources.class.getClassLoader());
            return thread;
        };
    }

    private static DataSource source(DatabaseSettings settings, ClassLoader loader) {
        @Nullable String url = settings.url();
        @Nullable String className = settings.className();
        @Nullable Object named = className == null ? null : instance(className, loader);
        if (named instanceof DataSource source) {
            BeanProperties.set(source, properties(settings, url));
            return source;
        }
        if (url == null) {
            throw new IllegalArgumentException(
                    "it has no URL. Write <url>jdbc:…</url> in the data-source, or name a class that"
                            + " is a javax.sql.DataSource.");
        }
        Driver driver = named instanceof Driver own ? own : driverFor(url, loader);
        return new DriverSource(driver, url, properties(settings, null));
    }

    /// @param url null to leave it out
    private static Properties properties(DatabaseSettings settings, @Nullable String url) {
        Properties properties = new Properties();
        properties.putAll(settings.properties());
        put(properties, "url", url);
        put(properties, "user", settings.user());
        put(properties, "password", settings.password());
        return properties;
    }

    private static void put(Properties properties, String name, @Nullable String value) {
        if (value != null) {
            properties.setProperty(name, value);
        }
    }

    private static Object instance(String className, ClassLoader loader) {
        try {
            return loaded(className, loader).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "its class "
                            + className
                            + " does not load ("
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
                            + DatabaseSettings.shown(url)
                            + "\". Add the driver's jar to WEB-INF/lib, or correct the URL.");
        }
        return found;
    }

    private static @Nullable Driver accepting(String url, @Nullable ClassLoader loader) {
        Iterator<Driver> drivers = ServiceLoader.load(Driver.class, loader).iterator();
        try {
            while (drivers.hasNext()) {
                Driver driver = drivers.next();
                if (accepts(driver, url)) {
                    return driver;
                }
            }
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new IllegalArgumentException(
                    "a driver among the jars of WEB-INF/lib does not load ("
                            + e
                            + "). Remove or replace that jar.",
                    e);
        }
        return null;
    }

    private static boolean accepts(Driver driver, String url) {
        try {
            return driver.acceptsURL(url);
        } catch (SQLException e) {
            return false; // this driver cannot tell, so it is not the one
        }
    }

    /// Connects by one driver, without the JDK's list of drivers, which all applications share.
    private record DriverSource(Driver driver, String url, Properties properties)
            implements PlainSource {
        @Override
        public Connection getConnection() throws SQLException {
            @Nullable Connection connection = driver.connect(url, properties);
            if (connection == null) {
                throw new SQLException(
                        "The driver "
                                + driver.getClass().getName()
                                + " does not know the URL "
                                + DatabaseSettings.shown(url));
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
        public String toString() {
            return DatabaseSettings.shown(url);
        }
    }
}
