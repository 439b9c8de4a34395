package dev.serval.examples.shop.web;

import dev.serval.examples.shop.store.BookCard;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/// A list of books: the first with their covers, the others in lines.
record Shelf(List<BookCard> shown, List<BookCard> listed) {
    private static final int COVERS = 10;

    static Shelf of(List<BookCard> books) {
        int covers = Math.min(COVERS, books.size());
        return new Shelf(books.subList(0, covers), books.subList(covers, books.size()));
    }

    /// Gives both parts to the page.
    void keep(HttpServletRequest request) {
        request.setAttribute("shown", shown);
        request.setAttribute("listed", listed);
    }
}
