package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.BookCard;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// The five books that some pages show: those beside any book.
final class Promotion {
    private Promotion() {}

    static List<BookCard> of(Shop shop) {
        int any = 1 + ThreadLocalRandom.current().nextInt(shop.books());
        return shop.catalogue().related(any);
    }
}
