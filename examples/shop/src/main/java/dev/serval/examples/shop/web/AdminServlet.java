package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Book;
import dev.serval.examples.shop.store.Guesses;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Changes the price and the cover of a book, for who knows the password of the clerk.
public final class AdminServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// An account for [Guesses] that no customer can name, because of the blank.
    private static final String CLERK = " clerk";

    /// Three digits of euros at most, so that the total of the fullest cart is a number that a form can
    /// have.
    private static final Pattern PRICE = Pattern.compile("([0-9]{1,3})([.,]([0-9]{2}))?");

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        show(Fields.number(request, "id"), request, response);
    }

    private void show(int id, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Shop shop = Shop.of(getServletContext());
        Book book = shop.catalogue().book(id);
        if (book == null) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        request.setAttribute("book", book);
        request.setAttribute("open", !shop.clerk().isEmpty());
        request.setAttribute("changed", !Fields.text(request, "changed").isEmpty());
        Page.showForm("admin", request, response);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Shop shop = Shop.of(getServletContext());
        int id = Fields.number(request, "id");
        Fields fields = new Fields(request);
        long cents = cents(Fields.text(request, "price"));
        if (cents <= 0) {
            fields.wrong("price", "Please type a price below 1000, such as 12.50.");
        }
        Guesses.Result<Boolean> clerk =
                shop.guesses()
                        .attempt(
                                CLERK,
                                request.getRemoteAddr(),
                                () ->
                                        isClerk(shop.clerk(), fields.password("password"))
                                                ? true
                                                : null);
        if (clerk.found() == null) {
            fields.wrong(
                    "password",
                    clerk.isRefused()
                            ? SignIn.refuse(clerk, response)
                            : "This is not the password of the clerk.");
        }
        if (fields.areRight() && shop.catalogue().book(id) != null) {
            shop.catalogue().revise(id, cents);
            Page.go("admin?id=" + id + "&changed=1", request, response);
            return;
        }
        request.setAttribute("errors", fields.errors());
        show(id, request, response);
    }

    private static boolean isClerk(String expected, String password) {
        return !expected.isEmpty()
                && MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8),
                        password.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns the cents of a price such as `12.50`, or -1.
    private static long cents(String price) {
        Matcher parts = PRICE.matcher(price);
        if (!parts.matches()) {
            return -1;
        }
        long cents = parts.group(3) == null ? 0 : Long.parseLong(parts.group(3));
        return 100 * Long.parseLong(parts.group(1)) + cents;
    }
}
