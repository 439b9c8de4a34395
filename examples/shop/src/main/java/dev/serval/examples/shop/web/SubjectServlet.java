package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Catalogue;
import dev.serval.examples.shop.store.Subjects;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The books of a subject: those that were published last at `/new`, and those that are bought most at
/// `/best`.
public final class SubjectServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String subject = Subjects.known(Fields.text(request, "subject"));
        Catalogue catalogue = Shop.of(getServletContext()).catalogue();
        boolean isBest = request.getServletPath().equals("/best");
        Shelf.of(isBest ? catalogue.bestSellers(subject) : catalogue.newest(subject)).keep(request);
        request.setAttribute("subject", subject);
        request.setAttribute("subjects", Subjects.ALL);
        Page.show(isBest ? "best" : "new", request, response);
    }
}
