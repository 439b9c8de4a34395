package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Customer;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Signs customers in.
final class SignIn {
    private SignIn() {}

    /// Signs in by the fields `name` and `secret` of a form.
    ///
    /// @param page with the form, which is shown again if they are wrong
    /// @param next the page that comes afterwards
    static void attempt(
            Shop shop,
            HttpServletRequest request,
            HttpServletResponse response,
            String page,
            String next)
            throws ServletException, IOException {
        Fields fields = new Fields(request);
        Customer customer =
                shop.customers().signIn(Fields.text(request, "name"), fields.password("secret"));
        if (customer == null) {
            fields.wrong("secret", "There is no customer with this name and password.");
            request.setAttribute("errors", fields.errors());
            request.setAttribute("to", next);
            Page.show(page, request, response);
            return;
        }
        enter(customer, request);
        Page.go(next, request, response);
    }

    /// Makes the session one of the customer, under another id: who knew the former one learns nothing.
    static void enter(Customer customer, HttpServletRequest request) {
        Visit visit = Visit.started(request);
        request.changeSessionId();
        visit.of(customer).keep(request);
    }
}
