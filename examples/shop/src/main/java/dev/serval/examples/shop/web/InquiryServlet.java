package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Asks who wants to see orders, and lists them.
public final class InquiryServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Visit visit = Visit.started(request);
        if (visit.isSignedIn()) {
            Shop shop = Shop.of(getServletContext());
            request.setAttribute("receipts", shop.purchases().of(visit.customer()));
        }
        Page.show("inquiry", request, response);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        SignIn.attempt(Shop.of(getServletContext()), request, response, "inquiry", "order");
    }
}
