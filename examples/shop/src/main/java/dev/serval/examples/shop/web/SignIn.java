package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Customer;
import dev.serval.examples.shop.store.Guesses;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Signs customers in.
final class SignIn {
    private static final int TOO_MANY_REQUESTS = 429; // RFC 6585 §4
    private static final int MINUTE_SECONDS = 60;

    private SignIn() {}

    /// Returns the visit of a customer who has signed in. Sends the browser of another visitor to a
    /// page, and returns null.
    static @Nullable Visit required(
            HttpServletRequest request, HttpServletResponse response, String otherwise) {
        Visit visit = Visit.signedIn(request);
        if (visit == null) {
            Page.go(otherwise, request, response);
        }
        return visit;
    }

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
        String name = Fields.text(request, "name");
        Guesses.Result<Customer> result =
                shop.guesses()
                        .attempt(
                                name,
                                request.getRemoteAddr(),
                                () -> shop.customers().signIn(name, fields.password("secret")));
        Customer customer = result.found();
        if (customer == null) {
            fields.wrong(
                    "secret",
                    result.isRefused()
                            ? refuse(result, response)
                            : "There is no customer with this name and password.");
            request.setAttribute("errors", fields.errors());
            request.setAttribute("to", next);
            Page.show(page, request, response);
            return;
        }
        enter(customer, request);
        Page.go(next, request, response);
    }

    /// Sets the status and the time for a client whose password was not checked.
    ///
    /// @return the message
    static String refuse(Guesses.Result<?> refused, HttpServletResponse response) {
        response.setStatus(TOO_MANY_REQUESTS);
        response.setHeader("Retry-After", Long.toString(refused.waitSeconds()));
        long minutes = (refused.waitSeconds() + MINUTE_SECONDS - 1) / MINUTE_SECONDS;
        return "There were too many wrong passwords. Please try again in "
                + (minutes == 1 ? "a minute." : minutes + " minutes.");
    }

    /// Makes the session one of the customer, under another id: who knew the former one learns nothing.
    static void enter(Customer customer, HttpServletRequest request) {
        Visit.started(request);
        request.changeSessionId();
        Visit.change(request, visit -> visit.of(customer));
    }
}
