package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Subjects;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The books of a subject that were published last.
public final class NewServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String subject = Subjects.known(Fields.text(request, "subject"));
        Shop shop = Shop.of(getServletContext());
        Shelf.of(shop.catalogue().newest(subject)).keep(request);
        request.setAttribute("subject", subject);
        request.setAttribute("subjects", Subjects.ALL);
        Page.show("new", request, response);
    }
}
