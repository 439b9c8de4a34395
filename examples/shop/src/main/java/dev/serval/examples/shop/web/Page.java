package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Ends a request with a page or with the way to another one.
final class Page {
    /// The pages need no script, no frame and nothing of other servers.
    private static final String POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
                    + " base-uri 'none'; frame-ancestors 'none'";

    private Page() {}

    /// Shows a JSP page, with the attributes of the request. Each page may show the visitor's name and
    /// cart, so no cache may keep it for others.
    static void show(String name, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        request.setAttribute("work", Shop.of(request.getServletContext()).work().calculate());
        prepare(response);
        Visit visit = Visit.of(request);
        request.setAttribute("visitor", visit == null ? "" : visit.name());
        request.setAttribute("token", visit == null ? "" : visit.token());
        request.setAttribute("copies", visit == null ? 0 : visit.cart().copies());
        request.setAttribute("page", name);
        request.getRequestDispatcher("/WEB-INF/pages/" + name + ".jsp").forward(request, response);
    }

    /// Sets the headers of a page.
    static void prepare(HttpServletResponse response) {
        response.setContentType("text/html;charset=UTF-8");
        response.setHeader("Cache-Control", "private, no-cache");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "same-origin");
    }

    /// Shows a page that has forms, and so needs a session for their token.
    static void showForm(String name, HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Visit.started(request);
        show(name, request, response);
    }

    /// Sends the browser to another page of the shop. It will use GET, so that a reload of that page
    /// does not repeat the form (RFC 9110 §15.4.4).
    static void go(String page, HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", request.getContextPath() + "/" + page);
        response.setHeader("Cache-Control", "no-store");
    }
}
