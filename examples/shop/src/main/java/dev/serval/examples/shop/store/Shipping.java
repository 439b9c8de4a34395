package dev.serval.examples.shop.store;

/// What it costs to send books.
public final class Shipping {
    private static final long PARCEL_CENTS = 300;
    private static final long COPY_CENTS = 100;

    private Shipping() {}

    /// Returns the price in cents of sending so many copies.
    public static long cents(int copies) {
        return copies == 0 ? 0 : PARCEL_CENTS + COPY_CENTS * copies;
    }
}
