package dev.serval.examples.shop.web;

import dev.serval.examples.shop.Shop;
import dev.serval.examples.shop.store.Customer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a session holds. Immutable, so that a container can store it at any time: a [change][#change]
/// makes a new visit. It belongs to one database: the sessions of another one have none here.
///
/// @param token which forms of this session carry
/// @param ticket of the next purchase
/// @param customer who has signed in, or 0
/// @param name of that customer
public record Visit(String token, String ticket, int customer, String name, Cart cart)
        implements Serializable {
    private static final String ATTRIBUTE = "visit "; // with the database's identity
    private static final int TOKEN_BYTES = 16;
    private static final int LOCKS_COUNT = 64;
    private static final Object[] LOCKS = locks(); // by sessions, for their changes
    private static final SecureRandom RANDOM = new SecureRandom();

    /// Returns the visit of the request's session, or null if there is none.
    static @Nullable Visit of(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && session.getAttribute(attribute(request)) instanceof Visit visit
                ? visit
                : null;
    }

    /// Returns the visit of a customer who has signed in, or null.
    static @Nullable Visit signedIn(HttpServletRequest request) {
        Visit visit = of(request);
        return visit != null && visit.isSignedIn() ? visit : null;
    }

    /// Returns the visit of the request's session. Starts both if they are missing.
    static Visit started(HttpServletRequest request) {
        Visit visit = of(request);
        if (visit == null) {
            visit = new Visit(random(), random(), 0, "", Cart.EMPTY);
            request.getSession().setAttribute(attribute(request), visit);
        }
        return visit;
    }

    /// Changes the visit of the request's session. Requests of one session, such as those of two tabs,
    /// change it one after the other. Does nothing if the session has ended meanwhile, so that a
    /// customer who has signed out stays so.
    static void change(HttpServletRequest request, UnaryOperator<Visit> change) {
        HttpSession session = request.getSession(false);
        if (session == null) {
            return;
        }
        String name = attribute(request);
        try {
            // The id may change, and the object differs between requests.
            synchronized (LOCKS[Math.floorMod(session.getCreationTime(), LOCKS.length)]) {
                if (session.getAttribute(name) instanceof Visit before) {
                    session.setAttribute(name, change.apply(before));
                }
            }
        } catch (IllegalStateException e) {
            return; // another request has ended the session
        }
    }

    private static Object[] locks() {
        Object[] locks = new Object[LOCKS_COUNT];
        Arrays.setAll(locks, _ -> new Object());
        return locks;
    }

    private static String attribute(HttpServletRequest request) {
        return ATTRIBUTE + Shop.of(request.getServletContext()).identity();
    }

    Visit with(Cart other) {
        return new Visit(token, ticket, customer, name, other);
    }

    /// Returns the visit of a customer who has just signed in. The token changes, as the id of the
    /// session must.
    Visit of(Customer who) {
        return new Visit(random(), ticket, who.id(), who.givenName(), cart);
    }

    /// Returns the visit after a purchase: another ticket, and a cart without what was bought. Books
    /// that came into the cart meanwhile stay. A purchase that was noted before changes nothing.
    Visit bought(String usedTicket, Cart what) {
        return usedTicket.equals(ticket)
                ? new Visit(token, random(), customer, name, cart.minus(what))
                : this;
    }

    boolean isSignedIn() {
        return customer != 0;
    }

    /// Returns whether a form carries the token. Takes as long for each wrong one.
    boolean owns(String formToken) {
        return MessageDigest.isEqual(
                token.getBytes(StandardCharsets.UTF_8), formToken.getBytes(StandardCharsets.UTF_8));
    }

    private static String random() {
        byte[] bytes = new byte[TOKEN_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
