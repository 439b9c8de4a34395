package dev.serval.examples.shop.web;

import dev.serval.examples.shop.store.BookCard;
import dev.serval.examples.shop.store.Catalogue;
import dev.serval.examples.shop.store.Line;
import dev.serval.examples.shop.store.Shipping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A cart with the prices of this moment, in cents.
public record CartView(List<Row> rows, long subtotal, long shipping, long total) {
    /// Copies of one book.
    ///
    /// @param cents of all of them
    public record Row(BookCard book, int quantity, long cents) {}

    static CartView of(Cart cart, Catalogue catalogue) {
        Map<Integer, BookCard> books =
                catalogue.cards(cart.books()).stream()
                        .collect(Collectors.toMap(BookCard::id, Function.identity()));
        List<Row> rows = new ArrayList<>();
        long subtotal = 0;
        for (Line line : cart.lines()) {
            BookCard book = books.get(line.book());
            if (book != null) {
                long cents = book.cents() * line.quantity();
                rows.add(new Row(book, line.quantity(), cents));
                subtotal += cents;
            }
        }
        long shipping = Shipping.cents(cart.copies());
        return new CartView(List.copyOf(rows), subtotal, shipping, subtotal + shipping);
    }
}
