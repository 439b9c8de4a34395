package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.SearchField;
import dev.serval.examples.shop.store.Subjects;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The books that a search finds.
public final class ResultsServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        SearchField field = SearchField.of(Fields.text(request, "by"));
        String text = Fields.text(request, "q");
        Shop shop = Shop.of(getServletContext());
        Shelf.of(shop.catalogue().search(field, text)).keep(request);
        request.setAttribute("by", field.word());
        request.setAttribute("q", text);
        request.setAttribute("subjects", Subjects.ALL);
        Page.show("results", request, response);
    }
}
