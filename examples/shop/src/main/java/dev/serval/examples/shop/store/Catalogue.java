package dev.serval.examples.shop.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The books: finds and lists them, and changes one. May be used by any thread.
public final class Catalogue {
    /// The books of a list.
    static final int LIST_MAX = 50;

    /// The words of a search; more are ignored.
    private static final int WORDS_MAX = 5;

    /// The books beside a book.
    private static final int RELATED = 5;

    /// The lists of new books and of best sellers may be half a minute old.
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /// Best sellers are counted in so many last purchases, related books in more.
    private static final int BEST_OF = 3_333;

    private static final int RELATED_OF = 10_000;

    private static final String CARDS =
            "SELECT " + BookCard.COLUMNS + " FROM book b JOIN author a ON a.id = b.author ";

    private final Database database;
    private final Kept newest;
    private final Kept best;

    /// @param clock the time in nanoseconds
    public Catalogue(Database database, LongSupplier clock) {
        this.database = database;
        this.newest = new Kept(KEPT_NANOS, clock);
        this.best = new Kept(KEPT_NANOS, clock);
    }

    /// Returns a book, or null if there is none.
    public @Nullable Book book(int id) {
        String query =
                "SELECT b.title, a.name, a.about, b.subject, b.published, b.publisher,"
                        + " b.description, b.pages, b.cents, b.stock, b.cover"
                        + " FROM book b JOIN author a ON a.id = b.author WHERE b.id = ?";
        return database.<@Nullable Book>read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                statement.setInt(1, id);
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? book(id, row) : null;
                }
            }
        });
    }

    private static Book book(int id, ResultSet row) throws SQLException {
        return new Book(
                id,
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getObject(5, LocalDate.class),
                row.getString(6),
                row.getString(7),
                row.getInt(8),
                row.getLong(9),
                row.getInt(10),
                row.getInt(11));
    }

    /// Returns those of the books that exist, in the order of their numbers.
    public List<BookCard> cards(List<Integer> ids) {
        if (ids.isEmpty()) {
            return List.of();
        }
        String marks = "?, ".repeat(ids.size() - 1) + "?";
        return cards(CARDS + "WHERE b.id IN (" + marks + ") ORDER BY b.id", ids.toArray());
    }

    /// Returns the five books that are shown beside a book.
    public List<BookCard> related(int id) {
        return cards(
                CARDS + "JOIN book_related r ON r.other = b.id WHERE r.book = ? ORDER BY r.place",
                id);
    }

    /// Returns the last published books of a subject. The list may be half a minute old.
    public List<BookCard> newest(String subject) {
        return newest.of(
                subject,
                each ->
                        cards(
                                CARDS
                                        + "WHERE b.subject = ? ORDER BY b.published DESC, b.id LIMIT ?",
                                each,
                                LIST_MAX));
    }

    /// Returns the books of a subject that the last purchases have most copies of. The list may be
    /// half a minute old.
    public List<BookCard> bestSellers(String subject) {
        return best.of(
                subject,
                each ->
                        cards(
                                CARDS
                                        + "JOIN (SELECT l.book AS book, SUM(l.quantity) AS sold"
                                        + " FROM purchase_line l JOIN book s ON s.id = l.book"
                                        + " WHERE s.subject = ?"
                                        + " AND l.purchase > (SELECT MAX(id) FROM purchase) - ?"
                                        + " GROUP BY l.book) top ON top.book = b.id"
                                        + " ORDER BY top.sold DESC, b.id LIMIT ?",
                                each,
                                BEST_OF,
                                LIST_MAX));
    }

    /// Returns the books of a subject, or those whose title or author has words that begin with all
    /// words of the text, in the order of their titles.
    public List<BookCard> search(SearchField field, String text) {
        if (field == SearchField.SUBJECT) {
            return cards(
                    CARDS + "WHERE b.subject = ? ORDER BY b.title, b.id LIMIT ?", text, LIST_MAX);
        }
        List<String> words = Words.of(text, WORDS_MAX);
        if (words.isEmpty()) {
            return List.of();
        }
        StringBuilder query = new StringBuilder(CARDS);
        List<Object> values = new ArrayList<>();
        for (String word : words) {
            query.append(values.isEmpty() ? "WHERE " : "AND ")
                    .append("b.id IN (SELECT w.book FROM book_word w")
                    .append(" WHERE w.field = ? AND w.word >= ? AND w.word < ?) ");
            values.addAll(List.of(field.word(), word, word + '\uffff'));
        }
        values.add(LIST_MAX);
        return cards(query.append("ORDER BY b.title, b.id LIMIT ?").toString(), values.toArray());
    }

    private List<BookCard> cards(String query, Object... values) {
        return database.read(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(query)) {
                put(statement, values);
                try (ResultSet rows = statement.executeQuery()) {
                    return BookCard.all(rows);
                }
            }
        });
    }

    private static void put(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    /// Returns the number of books. Their ids are 1 to this number.
    public int size() {
        return database.read(connection -> {
            try (PreparedStatement count = connection.prepareStatement("SELECT MAX(id) FROM book");
                    ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        });
    }

    /// Gives a book another price and its next cover, and finds its related books anew: those that
    /// were bought most often by the buyers of this book, in the last 10,000 purchases. If these are
    /// fewer than five, some of the present ones stay.
    public void revise(int id, long cents) {
        database.change(connection -> {
            try (PreparedStatement update =
                    connection.prepareStatement(
                            "UPDATE book SET cents = ?, cover = cover + 1 WHERE id = ?")) {
                update.setLong(1, cents);
                update.setInt(2, id);
                update.executeUpdate();
            }
            Set<Integer> related = new LinkedHashSet<>(boughtTogether(connection, id));
            related.addAll(presentRelated(connection, id));
            relate(connection, id, related.stream().limit(RELATED).toList());
            return id;
        });
    }

    private static List<Integer> boughtTogether(Connection connection, int id) throws SQLException {
        String query =
                "SELECT l.book FROM purchase_line l WHERE l.book <> ?"
                        + " AND l.purchase > (SELECT MAX(id) FROM purchase) - ?"
                        + " AND l.purchase IN (SELECT p.id FROM purchase p WHERE p.customer IN"
                        + " (SELECT q.customer FROM purchase q JOIN purchase_line k"
                        + " ON k.purchase = q.id WHERE k.book = ?))"
                        + " GROUP BY l.book ORDER BY SUM(l.quantity) DESC, l.book LIMIT ?";
        return ids(connection, query, id, RELATED_OF, id, RELATED);
    }

    private static List<Integer> presentRelated(Connection connection, int id) throws SQLException {
        return ids(connection, "SELECT other FROM book_related WHERE book = ? ORDER BY place", id);
    }

    private static List<Integer> ids(Connection connection, String query, Object... values)
            throws SQLException {
        List<Integer> books = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            put(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    books.add(rows.getInt(1));
                }
            }
        }
        return books;
    }

    private static void relate(Connection connection, int id, List<Integer> others)
            throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE book_related SET other = ? WHERE book = ? AND place = ?")) {
            for (int i = 0; i < others.size(); i++) {
                update.setInt(1, others.get(i));
                update.setInt(2, id);
                update.setInt(3, i);
                update.addBatch();
            }
            update.executeBatch();
        }
    }
}
