package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Address;
import dev.serval.examples.shop.store.Customer;
import dev.serval.examples.shop.store.NewCustomer;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Tells who a visitor is: a customer who signs in, or a new one.
public final class RegisterServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int NAME_MAX = 40;
    private static final int EMAIL_MAX = 80;
    private static final int PASSWORD_MIN = 8;
    private static final int PASSWORD_MAX = 200;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        show(request, response);
    }

    private static void show(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute("to", next(request));
        Page.showForm("register", request, response);
    }

    /// Returns the page that comes afterwards.
    private static String next(HttpServletRequest request) {
        return Fields.text(request, "to").equals("buy") ? "buy" : "";
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        if (Fields.text(request, "form").equals("known")) {
            SignIn.attempt(
                    Shop.of(getServletContext()), request, response, "register", next(request));
        } else {
            register(request, response);
        }
    }

    private void register(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Fields fields = new Fields(request);
        NewCustomer who = read(fields);
        if (fields.areRight()) {
            Customer customer = Shop.of(getServletContext()).customers().register(who);
            if (customer != null) {
                SignIn.enter(customer, request);
                Page.go(next(request), request, response);
                return;
            }
            fields.wrong("user", "This name is taken. Please choose another one.");
        }
        request.setAttribute("errors", fields.errors());
        show(request, response);
    }

    private static NewCustomer read(Fields fields) {
        String password = fields.password("password");
        if (password.length() < PASSWORD_MIN || password.length() > PASSWORD_MAX) {
            fields.wrong(
                    "password",
                    "Please use " + PASSWORD_MIN + " to " + PASSWORD_MAX + " characters.");
        }
        String email = fields.required("email", EMAIL_MAX);
        if (!email.isEmpty() && !email.matches("[^@ ]+@[^@ ]+")) {
            fields.wrong("email", "This is not an e-mail address, such as ann@example.org.");
        }
        return new NewCustomer(
                fields.required("user", NAME_MAX),
                password,
                fields.required("given", NAME_MAX),
                fields.required("family", NAME_MAX),
                email,
                fields.required("street", Address.STREET_MAX),
                fields.required("town", Address.TOWN_MAX),
                fields.required("postcode", Address.POSTCODE_MAX),
                fields.required("country", Address.COUNTRY_MAX));
    }
}
