package dev.serval.examples.shop.store;

import java.time.LocalDateTime;
import java.util.List;

/// A purchase, as its customer sees it. Amounts are in cents.
///
/// @param placed in UTC
/// @param lastDigits of the card that paid
public record Purchase(
        int id,
        LocalDateTime placed,
        long subtotal,
        long shipping,
        long total,
        Address to,
        String card,
        String lastDigits,
        List<Item> items) {
    /// Copies of one book.
    ///
    /// @param cents of one copy, on that day
    public record Item(
            int book, String title, String author, int cover, int quantity, long cents) {}
}
