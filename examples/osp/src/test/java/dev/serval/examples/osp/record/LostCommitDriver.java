package dev.serval.examples.osp.record;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/// A JDBC driver whose connections are those of another one, except that a commit may succeed in
/// the database and fail for the program, as if the connection were lost in between.
public final class LostCommitDriver implements Driver, AutoCloseable {
    private static final String PREFIX = "jdbc:lost:";

    private final AtomicBoolean losing = new AtomicBoolean();
    private final AtomicInteger timeoutMillis = new AtomicInteger();

    /// Registers the driver until it is closed.
    public LostCommitDriver() throws SQLException {
        DriverManager.registerDriver(this);
    }

    /// Returns the address for an address of the other driver.
    public String url(String other) {
        return PREFIX + other;
    }

    /// Makes the next commit fail after it has succeeded.
    public void loseNextCommit() {
        losing.set(true);
    }

    /// Returns the last network timeout that was set.
    public int networkTimeoutMillis() {
        return timeoutMillis.get();
    }

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        Connection real = DriverManager.getConnection(url.substring(PREFIX.length()), properties);
        return (Connection)
                Proxy.newProxyInstance(
                        LostCommitDriver.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("setNetworkTimeout")) {
                                timeoutMillis.set((int) arguments[1]);
                            }
                            try {
                                Object result = method.invoke(real, arguments);
                                if (method.getName().equals("commit")
                                        && losing.compareAndSet(true, false)) {
                                    throw new SQLException("the connection is lost");
                                }
                                return result;
                            } catch (InvocationTargetException e) {
                                throw e.getTargetException();
                            }
                        });
    }

    @Override
    public boolean acceptsURL(String url) {
        return url.startsWith(PREFIX);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(LostCommitDriver.class.getName());
    }

    @Override
    public void close() throws SQLException {
        DriverManager.deregisterDriver(this);
    }
}
