package dev.serval.servlet.loader;

import static dev.serval.servlet.loader.TestApp.bytes;
import static dev.serval.servlet.loader.TestApp.compiled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Finds drivers of applications that only name them in META-INF/services, as most drivers do.
final class AppDriversTest {
    private static final String DRIVER =
            """
            package com.own;
            public class OwnDriver implements java.sql.Driver {
                static {
                    try {
                        java.sql.DriverManager.registerDriver(new OwnDriver());
                    } catch (java.sql.SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
                public java.sql.Connection connect(String url, java.util.Properties p) { return null; }
                public boolean acceptsURL(String url) { return url.startsWith("jdbc:own:"); }
                public java.sql.DriverPropertyInfo[] getPropertyInfo(String url, java.util.Properties p) { return null; }
                public int getMajorVersion() { return 1; }
                public int getMinorVersion() { return 0; }
                public boolean jdbcCompliant() { return false; }
                public java.util.logging.Logger getParentLogger() { return null; }
            }
            """;

    private static final String USER =
            """
            package com.shop;
            public class User implements java.util.function.Supplier<String> {
                public String get() {
                    try {
                        return java.sql.DriverManager.getDriver("jdbc:own:x").getClass().getName();
                    } catch (java.sql.SQLException e) {
                        return e.getMessage();
                    }
                }
            }
            """;

    private final TestApp app = new TestApp();

    @AfterEach
    void delete() {
        app.close();
    }

    @Test
    void everyVersionOfAnApplicationHasItsDrivers() throws Exception {
        app.source("com.shop.User", USER);
        app.jar(
                "driver.jar",
                Map.of(
                        "com/own/OwnDriver.class",
                        compiled("com.own.OwnDriver", DRIVER),
                        "META-INF/services/java.sql.Driver",
                        bytes("# drivers\ncom.own.Missing # absent\n\ncom.own.OwnDriver\n")));
        try (AppClassLoader first = app.open();
                AppClassLoader second = app.open()) {
            assertThat(driver(first)).isEqualTo("com.own.OwnDriver");
            assertThat(driver(second)).isEqualTo("com.own.OwnDriver");
            assertThat(LeakReport.of(first).leaks())
                    .isEmpty(); // the application has not registered it
            assertThat(driver(first)).contains("No suitable driver");
            assertThat(driver(second)).isEqualTo("com.own.OwnDriver");
            assertThat(LeakReport.of(second).leaks()).isEmpty();
        }
    }

    private static String driver(AppClassLoader loader) throws ReflectiveOperationException {
        Object user = loader.loadClass("com.shop.User").getConstructor().newInstance();
        return String.valueOf(((Supplier<?>) user).get());
    }
}
