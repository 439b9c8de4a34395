package dev.serval.examples.shop.store;

import java.io.Serializable;

/// Copies of one book that somebody wants.
public record Line(int book, int quantity) implements Serializable {}
