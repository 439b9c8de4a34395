package dev.serval.examples.shop.store;

/// Where books are sent.
public record Address(
        String recipient, String street, String town, String postcode, String country) {}
