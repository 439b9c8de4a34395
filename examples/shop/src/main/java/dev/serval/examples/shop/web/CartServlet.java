package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Line;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The shopping cart. A form adds a book, or changes the numbers of copies.
public final class CartServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Shop shop = Shop.of(getServletContext());
        Visit visit = Visit.started(request);
        request.setAttribute("cart", CartView.of(visit.cart(), shop.catalogue()));
        request.setAttribute("promoted", Promotion.of(shop));
        Page.show("cart", request, response);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Visit visit = Visit.started(request);
        Cart cart = visit.cart();
        int added = Fields.number(request, "add");
        if (added >= 0) {
            if (Shop.of(getServletContext()).catalogue().book(added) == null) {
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
                return;
            }
            cart = cart.plus(added);
        }
        for (Line line : visit.cart().lines()) {
            int quantity = Fields.number(request, "copies-" + line.book());
            if (quantity >= 0) {
                cart = cart.with(line.book(), quantity);
            }
        }
        visit.with(cart.without(Fields.number(request, "remove"))).keep(request);
        Page.go("cart", request, response);
    }
}
