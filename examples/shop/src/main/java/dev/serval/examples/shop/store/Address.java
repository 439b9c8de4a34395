package dev.serval.examples.shop.store;

/// Where books are sent.
public record Address(
        String recipient, String street, String town, String postcode, String country) {
    /// The letters of each part at most, as its column has them.
    public static final int RECIPIENT_MAX = 81;

    public static final int STREET_MAX = 80;
    public static final int TOWN_MAX = 60;
    public static final int POSTCODE_MAX = 12;
    public static final int COUNTRY_MAX = 40;
}
