package dev.serval.examples.shop.store;

import java.util.List;

/// What a purchase asks for.
///
/// @param ticket of the page for buying; a second purchase with it is the first one
/// @param customer who buys
/// @param lines each of another book; at least one
/// @param total in cents, as the customer has seen it
public record Basket(
        String ticket, int customer, List<Line> lines, long total, Address to, Payment pay) {
    /// @throws IllegalArgumentException if there are no lines
    public Basket {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("A basket without books cannot be bought");
        }
    }

    /// How the customer pays.
    ///
    /// @param kind of the card
    /// @param lastDigits four, of its number
    public record Payment(String kind, String lastDigits) {
        /// The cards that the shop takes.
        public static final List<String> KINDS = List.of("Acorn", "Heron", "Otter");
    }
}
