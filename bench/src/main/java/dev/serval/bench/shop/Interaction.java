package dev.serval.bench.shop;

import dev.serval.bench.scenario.ShopCell;
import java.util.Arrays;
import java.util.Locale;

/// What a visitor of the shop does next: a page with its images, or a form and the page that answers
/// it. The shares and limits are those of the published rules of TPC-W.
public enum Interaction {
    HOME(29.00, 16.20, 9.12, 3),
    NEW_PRODUCTS(11.00, 5.06, 0.46, 5),
    BEST_SELLERS(11.00, 5.06, 0.46, 5),
    PRODUCT_DETAIL(21.01, 17.14, 12.35, 3),
    SEARCH_REQUEST(12.00, 20.12, 14.54, 3),
    SEARCH_RESULTS(11.00, 17.10, 13.08, 10),
    SHOPPING_CART(2.00, 11.15, 13.53, 3),
    CUSTOMER_REGISTRATION(0.82, 2.88, 12.86, 3),
    BUY_REQUEST(0.75, 2.50, 12.73, 3),
    BUY_CONFIRM(0.69, 1.15, 10.18, 5),
    ORDER_INQUIRY(0.30, 0.76, 0.25, 3),
    ORDER_DISPLAY(0.25, 0.67, 0.22, 3),
    ADMIN_REQUEST(0.10, 0.10, 0.12, 3),
    ADMIN_CONFIRM(0.09, 0.09, 0.11, 20);

    private final double browsing;
    private final double shopping;
    private final double ordering;
    private final int limitSeconds;

    Interaction(double browsing, double shopping, double ordering, int limitSeconds) {
        this.browsing = browsing;
        this.shopping = shopping;
        this.ordering = ordering;
        this.limitSeconds = limitSeconds;
    }

    /// Returns the name for tables.
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /// Returns the published share in percent.
    double share(ShopCell.Mix mix) {
        return switch (mix) {
            case BROWSING -> browsing;
            case SHOPPING -> shopping;
            case ORDERING -> ordering;
        };
    }

    /// Returns the limit of the 90th percentile.
    int limitSeconds() {
        return limitSeconds;
    }

    /// Returns whether a visitor can go from this page to that one: by the head of the page, by a link
    /// or by a form of it. A cart is asked for only where it is not empty afterwards.
    boolean leadsTo(Interaction next) {
        return switch (next) {
            case HOME, NEW_PRODUCTS, BEST_SELLERS, SEARCH_REQUEST, ORDER_INQUIRY -> true;
            // The pages up to the cart have links to books.
            case PRODUCT_DETAIL -> compareTo(SHOPPING_CART) <= 0;
            case SEARCH_RESULTS -> this == SEARCH_REQUEST;
            case SHOPPING_CART ->
                    this == PRODUCT_DETAIL
                            || this == SHOPPING_CART
                            || this == CUSTOMER_REGISTRATION
                            || this == BUY_REQUEST;
            case CUSTOMER_REGISTRATION -> this == SHOPPING_CART;
            case BUY_REQUEST -> this == CUSTOMER_REGISTRATION;
            case BUY_CONFIRM -> this == BUY_REQUEST;
            case ORDER_DISPLAY -> this == ORDER_INQUIRY;
            case ADMIN_REQUEST -> this == PRODUCT_DETAIL;
            case ADMIN_CONFIRM -> this == ADMIN_REQUEST;
        };
    }

    /// Returns the sum of the published shares, which were rounded.
    static double sum(ShopCell.Mix mix) {
        return Arrays.stream(values()).mapToDouble(one -> one.share(mix)).sum();
    }
}
