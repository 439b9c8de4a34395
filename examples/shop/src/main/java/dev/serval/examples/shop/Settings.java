package dev.serval.examples.shop;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What can be set.
///
/// @param database the URL of H2 or PostgreSQL
/// @param user of the database, or an empty text if the URL names it
/// @param password of that user
/// @param books of a new database
/// @param customers of a new database
/// @param connections to the database, at most
/// @param rounds of new hashes of passwords
/// @param restock so many copies come when fewer than ten are left, or 0
/// @param work thousands of steps that each page calculates in addition, for benchmarks
/// @param clerk the password for changing books, or an empty text if nobody may
record Settings(
        String database,
        String user,
        String password,
        int books,
        int customers,
        int connections,
        int rounds,
        int restock,
        int work,
        String clerk) {
    private static final int NUMBER_MAX = 10_000_000;

    /// Reads the settings. Each has a default.
    ///
    /// @param source returns the value of a name such as `shop.books`, or null
    static Settings read(Function<String, @Nullable String> source) {
        String database = source.apply("shop.database");
        int books = number(source, "shop.books", 1_000, 10);
        return new Settings(
                database == null || database.isBlank() ? ownDatabase() : database,
                text(source, "shop.user"),
                text(source, "shop.password"),
                books,
                number(source, "shop.customers", 10 * books, 1),
                number(source, "shop.connections", 20, 1),
                number(source, "shop.rounds", 600_000, 1),
                number(source, "shop.restock", 21, 0),
                number(source, "shop.work", 0, 0),
                text(source, "shop.clerk"));
    }

    /// Returns the environment's name of a setting: `SHOP_BOOKS` for `shop.books`.
    static String environmentName(String name) {
        return name.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    /// Returns a database of H2 in the user's folder for state. The two versions of an application
    /// that is redeployed share it: the first to open it serves the other.
    private static String ownDatabase() {
        String state = System.getenv("XDG_STATE_HOME");
        Path folder =
                state == null || state.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".local", "state")
                        : Path.of(state);
        return "jdbc:h2:file:"
                + folder.resolve("serval-shop").resolve("shop").toAbsolutePath()
                + ";AUTO_SERVER=TRUE";
    }

    private static String text(Function<String, @Nullable String> source, String name) {
        return Objects.requireNonNullElse(source.apply(name), "");
    }

    private static int number(
            Function<String, @Nullable String> source, String name, int otherwise, int min) {
        String value = source.apply(name);
        if (value == null || value.isBlank()) {
            return otherwise;
        }
        int number;
        try {
            number = Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            number = -1;
        }
        if (number < min || number > NUMBER_MAX) {
            throw new IllegalArgumentException(
                    name
                            + " (or "
                            + environmentName(name)
                            + ") is \""
                            + value
                            + "\". Give it a number from "
                            + min
                            + " to "
                            + NUMBER_MAX
                            + ".");
        }
        return number;
    }
}
