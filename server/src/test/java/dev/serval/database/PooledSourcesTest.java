package dev.serval.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariDataSource;
import dev.serval.servlet.database.DatabaseSettings;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/// Pools for declared data sources.
@Timeout(60)
final class PooledSourcesTest {
    private static final ClassLoader LOADER = PooledSourcesTest.class.getClassLoader();

    private final PooledSources sources = new PooledSources();

    private static DatabaseSettings settings(
            @Nullable String url, String className, Map<String, String> properties) {
        return new DatabaseSettings(
                "jdbc/a", url, className, "ann", "geheim", 2, 3, 1, null, properties);
    }

    private HikariDataSource open(DatabaseSettings settings) {
        return (HikariDataSource) sources.open(settings, LOADER);
    }

    @Test
    void dataSourceWithoutAUrlGetsItsProperties() {
        Map<String, String> properties =
                Map.of(
                        "serverName",
                        "db",
                        "portNumber",
                        "77",
                        "databaseName",
                        "shop",
                        "ssl",
                        "true");
        String className = PGSimpleDataSource.class.getName();
        try (HikariDataSource pool = open(settings(null, className, properties))) {
            PGSimpleDataSource source = (PGSimpleDataSource) pool.getDataSource();
            assertThat(source.getServerNames()).containsExactly("db");
            assertThat(source.getPortNumbers()).containsExactly(77);
            assertThat(source.getDatabaseName()).isEqualTo("shop");
            assertThat(source.getSsl()).isTrue();
            assertThat(source.getUser()).isEqualTo("ann");
            assertThat(source.getPassword()).isEqualTo("geheim");
            assertThat(pool.getMaximumPoolSize()).isEqualTo(3);
            assertThat(pool.getMinimumIdle()).isEqualTo(2);
            assertThat(pool.getIdleTimeout()).isEqualTo(10_000);
        }
    }

    @Test
    void urlIsAPropertyOfADataSource() throws Exception {
        DatabaseSettings h2 =
                settings("jdbc:h2:mem:property", "org.h2.jdbcx.JdbcDataSource", Map.of());
        try (HikariDataSource pool = open(h2);
                Connection connection = pool.getConnection()) {
            assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:property");
            assertThat(connection.getMetaData().getUserName()).isEqualTo("ANN");
        }
    }

    @Test
    void unknownPropertyIsRefused() {
        String className = PGSimpleDataSource.class.getName();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(settings(null, className, Map.of("colour", "geheim"))))
                .withMessageContaining("has no property \"colour\"")
                .withMessageNotContaining("geheim");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(settings(null, className, Map.of("portNumber", "geheim"))))
                .withMessageContaining("does not take the value of the property \"portNumber\"")
                .withMessageNotContaining("geheim");
    }

    @Test
    void driverWithoutAUrlIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> open(settings(null, "org.h2.Driver", Map.of())))
                .withMessageContaining("it has no URL");
    }

    @Test
    void brokenDriverOfAnApplicationIsExplained(@TempDir Path folder) throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.sql.Driver"), "com.acme.Missing");
        try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            DatabaseSettings settings = DatabaseSettings.of("jdbc/a", "jdbc:h2:mem:x");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> sources.open(settings, loader))
                    .withMessageContaining("com.acme.Missing")
                    .withMessageContaining("Remove or replace that jar");
        }
    }

    @Test
    void driverOfTheApplicationComesFirst(@TempDir Path folder) throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve("java.sql.Driver"), OwnDriver.class.getName());
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, new OnlyClasses(LOADER))) {
            DatabaseSettings settings = DatabaseSettings.of("jdbc/a", "jdbc:h2:mem:own");
            HikariDataSource pool = (HikariDataSource) sources.open(settings, loader);
            try (pool) {
                assertThatExceptionOfType(SQLException.class)
                        .isThrownBy(() -> pool.getDataSource().getConnection())
                        .withMessageContaining(OwnDriver.class.getName());
            }
        }
    }

    /// A parent that has the classes of the tests, and no services.
    private static final class OnlyClasses extends ClassLoader {
        OnlyClasses(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) {
            return Collections.emptyEnumeration();
        }
    }

    /// Knows every URL and connects to none.
    public static final class OwnDriver implements Driver {
        @Override
        public @Nullable Connection connect(String url, Properties info) {
            return null;
        }

        @Override
        public boolean acceptsURL(String url) {
            return true;
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
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
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException();
        }
    }

    @Test
    void threadsOfAPoolKeepNoContextOfTheApplication(@TempDir Path folder) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader app = new URLClassLoader(new URL[] {folder.toUri().toURL()}, LOADER);
                HikariDataSource pool =
                        open(settings("jdbc:h2:mem:threads", "org.h2.Driver", Map.of()))) {
            thread.setContextClassLoader(app);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
            assertThat(Thread.getAllStackTraces().keySet())
                    .anyMatch(one -> one.getName().startsWith("serval-database jdbc/a "))
                    .noneMatch(
                            one -> !one.equals(thread) && app.equals(one.getContextClassLoader()));
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
