package dev.serval.applications.rest;

/// A thing that is for sale.
///
/// @param name such as "lamp"
/// @param cents its price
public record Item(String name, int cents) {}
