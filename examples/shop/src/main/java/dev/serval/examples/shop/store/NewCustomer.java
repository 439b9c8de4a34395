package dev.serval.examples.shop.store;

/// What a person says who registers. The recipient of the address is that person.
public record NewCustomer(
        String userName,
        String password,
        String givenName,
        String familyName,
        String email,
        String street,
        String town,
        String postcode,
        String country) {}
