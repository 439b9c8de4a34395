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
        int added = Fields.number(request, "add");
        if (added >= 0 && Shop.of(getServletContext()).catalogue().book(added) == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        Visit.change(request, visit -> visit.with(changed(visit.cart(), added, request)));
        Page.go("cart", request, response);
    }

    /// Returns the cart that the form asks for.
    ///
    /// @param added the number of a book, or -1
    private static Cart changed(Cart before, int added, HttpServletRequest request) {
        Cart cart = added >= 0 ? before.plus(added) : before;
        for (Line line : before.lines()) {
            int quantity = Fields.number(request, "copies-" + line.book());
            if (quantity >= 0) {
                cart = cart.with(line.book(), quantity);
            }
        }
        return cart.without(Fields.number(request, "remove"));
    }
}
