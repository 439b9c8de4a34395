package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Purchase;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// A purchase of the customer: the one with the number in the query, or the last.
public final class OrderServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Visit visit = SignIn.required(request, response, "inquiry");
        if (visit == null) {
            return;
        }
        Shop shop = Shop.of(getServletContext());
        Integer id =
                Fields.text(request, "id").isEmpty()
                        ? shop.purchases().last(visit.customer())
                        : Integer.valueOf(Fields.number(request, "id"));
        if (id == null) {
            Page.go("inquiry", request, response);
            return;
        }
        Purchase purchase = shop.purchases().of(visit.customer(), id);
        if (purchase == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        request.setAttribute("purchase", purchase);
        request.setAttribute("thanks", !Fields.text(request, "thanks").isEmpty());
        request.setAttribute("kept", !Fields.text(request, "kept").isEmpty());
        Page.show("order", request, response);
    }
}
