package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Subjects;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The form for a search.
public final class SearchServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute("promoted", Promotion.of(Shop.of(getServletContext())));
        request.setAttribute("subjects", Subjects.ALL);
        Page.show("search", request, response);
    }
}
