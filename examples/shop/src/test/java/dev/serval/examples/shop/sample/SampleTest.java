package dev.serval.examples.shop.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.examples.shop.store.Audit;
import dev.serval.examples.shop.store.Catalogue;
import dev.serval.examples.shop.store.Database;
import dev.serval.examples.shop.store.DatabaseFailure;
import dev.serval.examples.shop.store.TestStore;
import dev.serval.examples.shop.store.TestStore.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
final class SampleTest {
    private static final TestStore STORE = new TestStore();

    @AfterAll
    static void stop() {
        STORE.close();
    }

    private static List<Object> books(Database database) {
        Catalogue catalogue = new Catalogue(database, System::nanoTime);
        List<Object> books = new ArrayList<>();
        for (int id = 1; id <= catalogue.size(); id++) {
            books.add(catalogue.book(id));
            books.add(catalogue.related(id));
        }
        books.add(TestStore.number(database, "SELECT SUM(total * id) FROM purchase"));
        return books;
    }

    @Test
    void sameNumbersGiveTheSameRowsInBothDatabases() throws Exception {
        try (Database first = STORE.filled(Kind.H2);
                Database second = STORE.filled(Kind.POSTGRES)) {
            assertThat(books(first)).isEqualTo(books(second));
        }
    }

    @ParameterizedTest
    @EnumSource
    void databaseHasSoManyRowsAndItsSumsAgree(Kind kind) throws Exception {
        try (Database database = STORE.empty(kind)) {
            assertThat(new Sample(1_000, 2_500, TestStore.HASH).fill(database)).isTrue();
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM author")).isEqualTo(250);
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM book")).isEqualTo(1_000);
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM book_related"))
                    .isEqualTo(5_000);
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM customer"))
                    .isEqualTo(2_500);
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM purchase"))
                    .isEqualTo(2_250);
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM payment")).isEqualTo(2_250);
            assertThat(database.read(Audit::faults)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void completeDatabaseStaysAndAnIncompleteOneIsMadeAnew(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            Sample sample = new Sample(50, 20, TestStore.HASH);
            assertThat(sample.fill(database)).isFalse();
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM book")).isEqualTo(40);
            database.change(connection -> TestStore.update(connection, "DELETE FROM shop"));
            assertThat(sample.fill(database)).isTrue();
            assertThat(TestStore.number(database, "SELECT COUNT(*) FROM book")).isEqualTo(50);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "H2")
    void tablesOfAnotherVersionAreRefused(Kind kind) throws Exception {
        try (Database database = STORE.filled(kind)) {
            database.change(
                    connection -> TestStore.update(connection, "UPDATE shop SET version = 99"));
            assertThatThrownBy(() -> new Sample(50, 20, TestStore.HASH).fill(database))
                    .isInstanceOf(DatabaseFailure.class)
                    .hasMessageContaining("version 99");
        }
    }

    @Test
    void articlesFitTheirWords() {
        Vocabulary vocabulary = new Vocabulary(new Random(1));
        for (int i = 0; i < 3_000; i++) {
            String text =
                    vocabulary.title("Art")
                            + " "
                            + vocabulary.about("Ann Ash")
                            + vocabulary.description("Title", "Ann Ash", "Art");
            assertThat(text)
                    .doesNotContainPattern("\\b[Aa] ([AEIOUaeiou]|[Hh]our|Honest)")
                    .doesNotContainPattern("\\b[Aa]n (?![AEIOUaeiou]|[Hh]our|Honest)");
        }
    }

    @Test
    void tooFewBooksAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Sample(9, 1, TestStore.HASH))
                .withMessageContaining("at least 10 books");
    }
}
