package dev.serval.examples.shop.store;

import java.time.LocalDateTime;

/// What a list of purchases shows of each.
///
/// @param placed in UTC
/// @param total in cents
public record Receipt(int id, LocalDateTime placed, long total, int copies) {}
