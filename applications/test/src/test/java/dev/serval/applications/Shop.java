package dev.serval.applications;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/// The example shop of a test: its WAR, and a small database, which the test can look into while servers
/// use it.
///
/// @param folder for files
/// @param url of the database
record Shop(Path folder, String url) {
    static final String CLERK = "the clerk's password";
    private static final String BOOKS = "120";
    private static final String CUSTOMERS = "50";

    /// A shop with a database of H2 in its folder. The first to open it serves the others.
    Shop(Path folder) {
        this(folder, "jdbc:h2:file:" + folder.resolve("database/shop") + ";AUTO_SERVER=TRUE");
    }

    private static Path target() {
        return Path.of(System.getProperty("serval.shop", "examples/shop/target"));
    }

    static Path war() {
        return target().resolve("shop.war");
    }

    /// Returns the folder of the unpacked WAR.
    static Path exploded() {
        return target().resolve("shop");
    }

    /// Returns the settings of the shop as variables of the environment.
    Map<String, String> environment() {
        return Map.of(
                "SHOP_DATABASE",
                url(),
                "SHOP_BOOKS",
                BOOKS,
                "SHOP_CUSTOMERS",
                CUSTOMERS,
                "SHOP_ROUNDS",
                "100",
                "SHOP_RESTOCK",
                "0",
                "SHOP_CLERK",
                CLERK);
    }

    /// Starts Serval with the shop at `/`.
    ///
    /// @param options more options of `serval run`
    AppServer start(String... options) throws IOException {
        return startWith(BOOKS, CUSTOMERS, options);
    }

    /// Starts Serval as [#start] does. A new database has so many books and customers.
    AppServer startWith(String books, String customers, String... options) throws IOException {
        Map<String, String> environment = new HashMap<>(environment());
        environment.put("SHOP_BOOKS", books);
        environment.put("SHOP_CUSTOMERS", customers);
        environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        // Its pages are compiled once for all tests.
        environment.put("XDG_CACHE_HOME", Path.of("target/shop-cache").toAbsolutePath().toString());
        return AppServer.start(folder, war(), environment, options);
    }

    /// Changes rows of the database.
    void update(String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(command);
        }
    }

    /// Returns the number that a query finds.
    long number(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    /// Runs the shop's own check of its sums, as a program.
    ///
    /// @return what it printed
    String check() throws IOException {
        Path inside = exploded().resolve("WEB-INF");
        Path printed = Files.createTempFile(folder, "check", ".txt");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                inside.resolve("classes") + ":" + inside.resolve("lib") + "/*",
                                "dev.serval.examples.shop.ShopTool",
                                "check",
                                url())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start();
        int exit = process.onExit().join().exitValue();
        String text = Files.readString(printed, StandardCharsets.UTF_8);
        if (exit > 1) {
            throw new IOException("The check has failed: " + text);
        }
        return text;
    }
}
