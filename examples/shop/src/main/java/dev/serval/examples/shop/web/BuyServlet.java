package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Address;
import dev.serval.examples.shop.store.Basket;
import dev.serval.examples.shop.store.Customer;
import dev.serval.examples.shop.store.Outcome;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Shows what is to be bought, and buys it.
public final class BuyServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int LAST_DIGITS = 4;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Shop shop = Shop.of(getServletContext());
        Visit visit = Visit.of(request);
        if (visit == null || visit.cart().isEmpty()) {
            Page.go("cart", request, response);
            return;
        }
        Customer customer = shop.customers().byId(visit.customer());
        if (customer == null) {
            Page.go("register?to=buy", request, response);
            return;
        }
        request.setAttribute("address", customer.address());
        show(shop, visit, request, response);
    }

    private static void show(
            Shop shop, Visit visit, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute("cart", CartView.of(visit.cart(), shop.catalogue()));
        request.setAttribute("ticket", visit.ticket());
        request.setAttribute("cards", Basket.Payment.KINDS);
        Page.show("buy", request, response);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Visit visit = SignIn.required(request, response, "register?to=buy");
        if (visit == null) {
            return;
        }
        Shop shop = Shop.of(getServletContext());
        String ticket = Fields.text(request, "ticket");
        if (!ticket.equals(visit.ticket())) {
            Integer before = shop.purchases().byTicket(visit.customer(), ticket);
            Page.go(before == null ? "buy" : "order?id=" + before, request, response);
            return;
        }
        if (visit.cart().isEmpty()) {
            // The page for buying is older than the last change of the cart.
            Page.go("cart", request, response);
            return;
        }
        buy(shop, visit, request, response);
    }

    private static void buy(
            Shop shop, Visit visit, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Fields fields = new Fields(request);
        Address to = address(fields);
        Basket.Payment pay = payment(fields, request);
        if (fields.areRight()) {
            Basket basket =
                    new Basket(
                            visit.ticket(),
                            visit.customer(),
                            visit.cart().lines(),
                            Fields.number(request, "total"),
                            to,
                            pay);
            switch (shop.purchases().buy(basket)) {
                case Outcome.Bought(int purchase) -> {
                    Visit.change(request, now -> now.bought(visit.ticket(), visit.cart()));
                    Page.go("order?id=" + purchase + "&thanks=1", request, response);
                    return;
                }
                case Outcome.Used(int purchase) -> {
                    Visit.change(request, now -> now.bought(visit.ticket(), Cart.EMPTY));
                    Page.go("order?id=" + purchase + "&kept=1", request, response);
                    return;
                }
                case Outcome.SoldOut(int book, int left) -> {
                    request.setAttribute("scarce", shop.catalogue().book(book));
                    request.setAttribute("left", left);
                }
                case Outcome.Repriced() -> request.setAttribute("repriced", true);
            }
        }
        request.setAttribute("errors", fields.errors());
        request.setAttribute("address", to);
        show(shop, visit, request, response);
    }

    private static Address address(Fields fields) {
        return new Address(
                fields.required("recipient", Address.RECIPIENT_MAX),
                fields.required("street", Address.STREET_MAX),
                fields.required("town", Address.TOWN_MAX),
                fields.required("postcode", Address.POSTCODE_MAX),
                fields.required("country", Address.COUNTRY_MAX));
    }

    /// Reads the card. Only the last digits of its number are kept.
    private static Basket.Payment payment(Fields fields, HttpServletRequest request) {
        String card = Fields.text(request, "card");
        if (!Basket.Payment.KINDS.contains(card)) {
            fields.wrong("card", "Please choose a card.");
        }
        String digits = Fields.text(request, "number").replaceAll("[ -]", "");
        if (!digits.matches("[0-9]{12,19}")) {
            fields.wrong("number", "Please type the 12 to 19 digits of the card.");
            return new Basket.Payment(card, "");
        }
        return new Basket.Payment(card, digits.substring(digits.length() - LAST_DIGITS));
    }
}
