package dev.serval.examples.shop.sample;

import dev.serval.examples.shop.store.Basket;
import dev.serval.examples.shop.store.Database;
import dev.serval.examples.shop.store.PasswordHash;
import dev.serval.examples.shop.store.Schema;
import dev.serval.examples.shop.store.Shipping;
import dev.serval.examples.shop.store.Subjects;
import dev.serval.examples.shop.store.Words;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/// A new database with invented rows. The same numbers give the same rows, from a fixed seed, except
/// for the identity of the database.
///
/// - Authors are a quarter as many as books, and purchases nine tenths as many as customers.
/// - Customers are `reader1`, `reader2` and so on, all with the password `reading`. They share one
///   hash, because a hash for each of 100,000 would take an hour.
///
/// Used by one thread.
public final class Sample {
    /// The password of all invented customers.
    public static final String PASSWORD = "reading";

    private static final int BOOKS_MIN = 10;
    private static final long SEED = 20_060_110;
    private static final LocalDate LAST_DAY = LocalDate.of(2025, 12, 31);
    private static final int PUBLISHED_DAYS = 12_000;
    private static final int PURCHASE_DAYS = 60;
    private static final int RELATED = 5;
    private static final int LINES_MAX = 5;
    private static final int WORDS_MAX = 12;

    private final Random random = new Random(SEED);
    private final Vocabulary vocabulary = new Vocabulary(random);
    private final int books;
    private final int customers;
    private final PasswordHash hash;

    /// The price of each book.
    private final long[] cents;

    /// @param books at least 10
    /// @param customers at least 1
    /// @param hash of the password
    public Sample(int books, int customers, PasswordHash hash) {
        if (books < BOOKS_MIN || customers < 1) {
            throw new IllegalArgumentException(
                    "The shop needs at least " + BOOKS_MIN + " books and 1 customer");
        }
        this.books = books;
        this.customers = customers;
        this.hash = hash;
        this.cents = new long[books + 1];
    }

    /// Creates the tables and their rows, unless the database is complete.
    ///
    /// @return whether it has created them
    public boolean fill(Database database) {
        return database.read(connection -> {
            if (Schema.isComplete(connection)) {
                return false;
            }
            Schema.create(connection, database.isPostgres());
            connection.setAutoCommit(false);
            random.setSeed(SEED);
            fill(connection);
            connection.setAutoCommit(true);
            Schema.index(connection);
            finish(connection);
            return true;
        });
    }

    private void fill(Connection connection) throws SQLException {
        List<String> authors = fillAuthors(connection);
        fillBooks(connection, authors);
        fillRelated(connection);
        fillCustomers(connection);
        fillPurchases(connection);
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "UPDATE book SET received = stock + COALESCE((SELECT SUM(l.quantity)"
                            + " FROM purchase_line l WHERE l.book = book.id), 0)");
            connection.commit();
        }
    }

    private List<String> fillAuthors(Connection connection) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Batch authors = new Batch(connection, "author (id, name, about)")) {
            for (int id = 1; id <= Math.max(1, books / 4); id++) {
                String name = vocabulary.givenName() + " " + vocabulary.familyName();
                authors.add(id, name, vocabulary.about(name));
                names.add(name);
            }
            authors.send();
        }
        return names;
    }

    private void fillBooks(Connection connection, List<String> authors) throws SQLException {
        try (Batch rows =
                        new Batch(
                                connection,
                                "book (id, title, author, subject, published, publisher,"
                                        + " description, pages, cents, stock, received, cover)");
                Batch words = new Batch(connection, "book_word (field, word, book)")) {
            for (int id = 1; id <= books; id++) {
                int author = random.nextInt(authors.size());
                String name = authors.get(author);
                String subject = Subjects.ALL.get(random.nextInt(Subjects.ALL.size()));
                String title = vocabulary.title(subject);
                cents[id] = 695 + 100L * random.nextInt(32);
                rows.add(
                        id,
                        title,
                        author + 1,
                        subject,
                        LAST_DAY.minusDays(random.nextInt(PUBLISHED_DAYS)),
                        vocabulary.press(),
                        vocabulary.description(title, name, subject),
                        80 + random.nextInt(600),
                        cents[id],
                        10 + random.nextInt(21),
                        0,
                        0);
                for (String word : Words.of(title, WORDS_MAX)) {
                    words.add("title", word, id);
                }
                for (String word : Words.of(name, WORDS_MAX)) {
                    words.add("author", word, id);
                }
            }
            rows.send();
            words.send();
        }
    }

    private void fillRelated(Connection connection) throws SQLException {
        try (Batch related = new Batch(connection, "book_related (book, place, other)")) {
            for (int id = 1; id <= books; id++) {
                Set<Integer> others = new LinkedHashSet<>();
                while (others.size() < RELATED) {
                    int other = 1 + random.nextInt(books);
                    if (other != id && others.add(other)) {
                        related.add(id, others.size() - 1, other);
                    }
                }
            }
            related.send();
        }
    }

    private void fillCustomers(Connection connection) throws SQLException {
        String shared = hash.of(PASSWORD);
        try (Batch rows =
                new Batch(
                        connection,
                        "customer (id, user_name, password, given_name, family_name, email,"
                                + " street, town, postcode, country)")) {
            for (int id = 1; id <= customers; id++) {
                String name = "reader" + id;
                rows.add(
                        id,
                        name,
                        shared,
                        vocabulary.givenName(),
                        vocabulary.familyName(),
                        name + "@example.org",
                        vocabulary.street(),
                        vocabulary.place(),
                        Integer.toString(10_000 + random.nextInt(90_000)),
                        "Caldria");
            }
            rows.send();
        }
    }

    private void fillPurchases(Connection connection) throws SQLException {
        try (Batch purchases =
                        new Batch(
                                connection,
                                "purchase (id, ticket, customer, placed, subtotal, shipping,"
                                        + " total, recipient, street, town, postcode, country)");
                Batch lines =
                        new Batch(
                                connection,
                                "purchase_line (purchase, place, book, quantity, cents)",
                                purchases);
                Batch payments =
                        new Batch(
                                connection,
                                "payment (purchase, cents, card, last_digits)",
                                purchases)) {
            for (int id = 1; id <= customers * 9 / 10; id++) {
                fillPurchase(id, purchases, lines, payments);
            }
            purchases.send();
            lines.send();
            payments.send();
        }
    }

    private void fillPurchase(int id, Batch purchases, Batch lines, Batch payments)
            throws SQLException {
        long subtotal = 0;
        int copies = 0;
        Set<Integer> wanted = new LinkedHashSet<>();
        for (int place = random.nextInt(LINES_MAX); place >= 0; place--) {
            wanted.add(1 + random.nextInt(books));
        }
        LocalDateTime placed =
                LAST_DAY.minusDays(random.nextInt(PURCHASE_DAYS))
                        .atTime(random.nextInt(24), random.nextInt(60));
        List<Object[]> rows = new ArrayList<>();
        for (int book : wanted) {
            int quantity = 1 + random.nextInt(3);
            rows.add(new Object[] {id, rows.size(), book, quantity, cents[book]});
            subtotal += quantity * cents[book];
            copies += quantity;
        }
        long shipping = Shipping.cents(copies);
        purchases.add(
                id,
                "sample-" + id,
                1 + random.nextInt(customers),
                placed,
                subtotal,
                shipping,
                subtotal + shipping,
                vocabulary.givenName() + " " + vocabulary.familyName(),
                vocabulary.street(),
                vocabulary.place(),
                Integer.toString(10_000 + random.nextInt(90_000)),
                "Caldria");
        for (Object[] row : rows) {
            lines.add(row);
        }
        payments.add(
                id,
                subtotal + shipping,
                Basket.Payment.KINDS.get(random.nextInt(Basket.Payment.KINDS.size())),
                Integer.toString(1_000 + random.nextInt(9_000)));
    }

    /// Lets new rows get the numbers after those of the sample, and marks the database as complete.
    private void finish(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "ALTER TABLE customer ALTER COLUMN id RESTART WITH " + (customers + 1));
            statement.executeUpdate(
                    "ALTER TABLE purchase ALTER COLUMN id RESTART WITH "
                            + (customers * 9 / 10 + 1));
            statement.executeUpdate("ANALYZE");
        }
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO shop VALUES (?, ?, ?, ?)")) {
            insert.setInt(1, Schema.VERSION);
            insert.setString(2, UUID.randomUUID().toString());
            insert.setInt(3, books);
            insert.setInt(4, customers);
            insert.executeUpdate();
        }
    }
}
