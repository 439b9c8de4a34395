package dev.serval.examples.shop.store;

import java.time.LocalDate;

/// A book with all that its page shows.
///
/// @param about of the author
/// @param cents the price of a copy
/// @param cover the number of the cover's design
public record Book(
        int id,
        String title,
        String author,
        String about,
        String subject,
        LocalDate published,
        String publisher,
        String description,
        int pages,
        long cents,
        int stock,
        int cover) {}
