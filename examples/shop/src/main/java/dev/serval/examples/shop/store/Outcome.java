package dev.serval.examples.shop.store;

/// How an attempt to buy has ended.
public sealed interface Outcome {
    /// The books are bought.
    ///
    /// @param purchase its number
    record Bought(int purchase) implements Outcome {}

    /// Nothing was bought, because the ticket has bought other books before.
    ///
    /// @param purchase the number of what it has bought
    record Used(int purchase) implements Outcome {}

    /// Nothing was bought, because there are too few copies of a book.
    ///
    /// @param left the copies that there are
    record SoldOut(int book, int left) implements Outcome {}

    /// Nothing was bought, because the books cost something else than the customer has seen.
    record Repriced() implements Outcome {}
}
