package dev.serval.examples.shop.store;

/// A customer, without the password.
public record Customer(
        int id,
        String userName,
        String givenName,
        String familyName,
        String email,
        Address address) {}
