package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.shop.sample.Sample;
import dev.serval.examples.shop.store.TestStore.Kind;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Lists and searches, on both databases.
@Timeout(120)
final class CatalogueTest {
    private static final TestStore STORE = new TestStore();

    private final AtomicLong nanos = new AtomicLong();

    @AfterAll
    static void stop() {
        STORE.close();
    }

    private Catalogue catalogue(Database database) {
        return new Catalogue(database, nanos::get);
    }

    /// Gives a book a title, an author and a subject of its own.
    private static void write(
            Database database, int id, String title, String author, String subject) {
        database.change(connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement(
                            "UPDATE book SET title = ?, subject = ? WHERE id = ?")) {
                statement.setString(1, title);
                statement.setString(2, subject);
                statement.setInt(3, id);
                statement.executeUpdate();
            }
            TestStore.update(connection, "DELETE FROM book_word WHERE book = " + id);
            try (PreparedStatement statement =
                    connection.prepareStatement(
                            "INSERT INTO book_word (field, word, book) VALUES (?, ?, ?)")) {
                for (String word : Words.of(title, 9)) {
                    add(statement, "title", word, id);
                }
                for (String word : Words.of(author, 9)) {
                    add(statement, "author", word, id);
                }
            }
            return id;
        });
    }

    private static void add(PreparedStatement statement, String field, String word, int id)
            throws SQLException {
        statement.setString(1, field);
        statement.setString(2, word);
        statement.setInt(3, id);
        statement.executeUpdate();
    }

    private static List<Integer> ids(List<BookCard> books) {
        return books.stream().map(BookCard::id).toList();
    }

    @ParameterizedTest
    @EnumSource
    void wordsAreFoundByTheirBeginnings(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            write(database, 1, "Zyxel Äpfel & <Quux>", "Öyvind Zzyzx", "Art");
            write(database, 2, "A zyxelated quuxotic", "Nobody", "Art");
            Catalogue catalogue = catalogue(database);
            assertThat(ids(catalogue.search(SearchField.TITLE, "zyx"))).containsExactly(2, 1);
            assertThat(ids(catalogue.search(SearchField.TITLE, "QUUX zyxel")))
                    .containsExactly(2, 1);
            assertThat(ids(catalogue.search(SearchField.TITLE, "apfel"))).containsExactly(1);
            assertThat(ids(catalogue.search(SearchField.TITLE, "zyxelated"))).containsExactly(2);
            assertThat(catalogue.search(SearchField.TITLE, "yxel")).isEmpty();
            assertThat(catalogue.search(SearchField.TITLE, "zyxel absent")).isEmpty();
            assertThat(catalogue.search(SearchField.TITLE, "oyvind")).isEmpty();
            assertThat(ids(catalogue.search(SearchField.AUTHOR, "oyvind"))).containsExactly(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void wordsAfterTheFifthAreIgnored(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            write(database, 1, "aa bb cc dd ee", "Nobody", "Art");
            Catalogue catalogue = catalogue(database);
            assertThat(ids(catalogue.search(SearchField.TITLE, "aa bb cc dd ee zyxel")))
                    .containsExactly(1);
            assertThat(catalogue.search(SearchField.TITLE, "aa bb cc dd zyxel")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void listsHaveFiftyBooksAtMost(Kind kind) throws Exception {
        try (Database database = STORE.empty(kind)) {
            new Sample(51, 2, TestStore.HASH).fill(database);
            database.change(connection -> {
                TestStore.update(connection, "UPDATE book SET subject = 'Art'");
                TestStore.update(
                        connection,
                        "INSERT INTO book_word (field, word, book) SELECT 'title', 'zyxel', id FROM book");
                TestStore.update(connection, "DELETE FROM purchase_line");
                return TestStore.update(
                        connection,
                        "INSERT INTO purchase_line (purchase, place, book, quantity, cents)"
                                + " SELECT 1, id, id, 1, 1 FROM book");
            });
            Catalogue catalogue = catalogue(database);
            assertThat(catalogue.newest("Art")).hasSize(50);
            assertThat(catalogue.bestSellers("Art")).hasSize(50);
            assertThat(catalogue.search(SearchField.SUBJECT, "Art")).hasSize(50);
            assertThat(catalogue.search(SearchField.TITLE, "zyxel")).hasSize(50);
        }
    }

    @ParameterizedTest
    @EnumSource
    void signsOfSqlAreNoWords(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            Catalogue catalogue = catalogue(database);
            for (String text : List.of("", "%", "_", "' OR 1=1 --zz", "\\", "\u0000")) {
                assertThat(catalogue.search(SearchField.TITLE, text)).as(text).isEmpty();
            }
            assertThat(catalogue.search(SearchField.SUBJECT, "' OR '1'='1")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void subjectsListTheirBooks(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            database.change(connection ->
                    TestStore.update(
                            connection, "UPDATE book SET subject = 'Weather' WHERE id <= 20"));
            Catalogue catalogue = catalogue(database);
            List<BookCard> bySubject = catalogue.search(SearchField.SUBJECT, "Weather");
            assertThat(bySubject).hasSizeGreaterThanOrEqualTo(20);
            assertThat(bySubject).extracting(BookCard::title).isSorted();
            assertThat(catalogue.newest("Weather"))
                    .extracting(book ->
                            Objects.requireNonNull(catalogue.book(book.id()))
                                    .published()
                                    .toEpochDay())
                    .isSortedAccordingTo((a, b) -> Long.compare(b, a))
                    .hasSameSizeAs(bySubject);
            assertThat(catalogue.newest("None")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void bestSellersAreThoseOfTheLastPurchases(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            database.change(connection -> {
                TestStore.update(connection, "UPDATE book SET subject = 'Art'");
                TestStore.update(connection, "DELETE FROM purchase_line");
                TestStore.update(
                        connection,
                        "INSERT INTO purchase_line (purchase, place, book, quantity, cents) VALUES"
                                + " (1, 0, 5, 2, 1), (2, 0, 6, 9, 1), (3, 0, 5, 8, 1)");
                return 0;
            });
            assertThat(ids(catalogue(database).bestSellers("Art"))).containsExactly(5, 6);
            database.change(connection -> {
                TestStore.update(
                        connection, "ALTER TABLE purchase ALTER COLUMN id RESTART WITH 3335");
                return TestStore.update(
                        connection,
                        "INSERT INTO purchase (ticket, customer, placed, subtotal, shipping, total,"
                                + " recipient, street, town, postcode, country) VALUES"
                                + " ('x', 1, '2026-01-01 00:00:00', 0, 0, 0, '', '', '', '', '')");
            });
            assertThat(ids(catalogue(database).bestSellers("Art"))).containsExactly(5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void listsAreKeptForHalfAMinute(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            database.change(
                    connection -> TestStore.update(connection, "UPDATE book SET subject = 'Art'"));
            Catalogue catalogue = catalogue(database);
            int size = catalogue.newest("Art").size();
            int best = catalogue.bestSellers("Art").size();
            database.change(connection ->
                    TestStore.update(
                            connection, "UPDATE book SET subject = 'Music' WHERE id > 10"));
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(30));
            assertThat(catalogue.newest("Art")).hasSize(size);
            assertThat(catalogue.bestSellers("Art")).hasSize(best);
            nanos.addAndGet(1);
            assertThat(catalogue.newest("Art")).hasSize(10);
            assertThat(catalogue.bestSellers("Art")).hasSizeLessThanOrEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource
    void revisedBookHasItsPriceCoverAndRelatedBooks(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            database.change(connection -> {
                TestStore.update(connection, "DELETE FROM purchase_line");
                TestStore.update(connection, "UPDATE purchase SET customer = 1 WHERE id <= 2");
                TestStore.update(connection, "UPDATE purchase SET customer = 2 WHERE id > 2");
                return TestStore.update(
                        connection,
                        "INSERT INTO purchase_line (purchase, place, book, quantity, cents) VALUES"
                                + " (1, 0, 5, 2, 1), (1, 1, 6, 1, 1), (2, 0, 7, 3, 1),"
                                + " (3, 0, 8, 9, 1)");
            });
            Catalogue catalogue = catalogue(database);
            Book before = Objects.requireNonNull(catalogue.book(5));
            catalogue.revise(5, 4_321);
            Book after = Objects.requireNonNull(catalogue.book(5));
            assertThat(after.cents()).isEqualTo(4_321);
            assertThat(after.cover()).isEqualTo(before.cover() + 1);
            List<Integer> related = ids(catalogue.related(5));
            assertThat(related).hasSize(5).doesNotHaveDuplicates().startsWith(7, 6);
            assertThat(catalogue.book(0)).isNull();
            assertThat(catalogue.size()).isEqualTo(40);
            assertThat(ids(catalogue.cards(List.of(9, 4, 99)))).containsExactly(4, 9);
            assertThat(catalogue.cards(List.of())).isEmpty();
        }
    }
}
