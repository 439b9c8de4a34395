package dev.serval.examples.shop.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.shop.store.BookCard;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShelfTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "9, 9", "10, 10", "11, 10", "50, 10"})
    void tenBooksHaveTheirCovers(int count, int covers) {
        List<BookCard> books =
                IntStream.range(0, count)
                        .mapToObj(id -> new BookCard(id, "title", "author", 1, 1, 0))
                        .toList();
        Shelf shelf = Shelf.of(books);
        assertThat(shelf.shown()).isEqualTo(books.subList(0, covers));
        assertThat(shelf.listed()).isEqualTo(books.subList(covers, count));
    }
}
