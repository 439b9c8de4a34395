package dev.serval.servlet.request;

import jakarta.servlet.DispatcherType;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The attributes of a request: those that a dispatch sets (Servlet 6.1 §9.3.1, §9.4.2), those of TLS,
/// and the application's own, whose listeners are called. Stateless; the exchange has them.
final class RequestAttributes {
    private RequestAttributes() {}

    static @Nullable Object get(ServletExchange exchange, String name) {
        @Nullable Object special = exchange.view().special().get(name);
        if (special != null && !name.equals(Dispatches.QUERY)) {
            return special;
        }
        @Nullable Object own = exchange.attributes().get(name);
        if (own != null) {
            return own;
        }
        return name.equals(Dispatches.REQUEST)
                ? exchange.request()
                : TlsAttributes.get(exchange.engine().connection(), name);
    }

    static Enumeration<String> names(ServletExchange exchange) {
        Set<String> names = new LinkedHashSet<>(exchange.view().special().keySet());
        names.remove(Dispatches.QUERY);
        names.addAll(exchange.attributes().keySet());
        names.addAll(TlsAttributes.names(exchange.engine().connection()));
        return Collections.enumeration(names);
    }

    static void set(ServletExchange exchange, String name, @Nullable Object value) {
        if (value == null) {
            remove(exchange, name);
            return;
        }
        @Nullable Map<String, Object> special = ofDispatch(exchange, name);
        if (special != null) {
            special.put(name, value);
            return;
        }
        AttributeEvents events = exchange.view().app().attributeEvents();
        @Nullable Object before = exchange.attributesToChange().put(name, value);
        if (before == null) {
            events.added(exchange.request(), name, value);
        } else {
            events.replaced(exchange.request(), name, before);
        }
    }

    static void remove(ServletExchange exchange, String name) {
        @Nullable Map<String, Object> special = ofDispatch(exchange, name);
        if (special != null && special.remove(name) != null) {
            return;
        }
        if (!exchange.attributes().containsKey(name)) {
            return;
        }
        @Nullable Object before = exchange.attributesToChange().remove(name);
        if (before != null) {
            exchange.view().app().attributeEvents().removed(exchange.request(), name, before);
        }
    }

    /// Returns the attributes of the dispatch that runs, if `name` is such as they have; else null. What
    /// code sets must end with the dispatch, as what it replaces does (Servlet 6.1 §9.3.1): the page
    /// of an include removes its attributes before it forwards, and then puts them back.
    private static @Nullable Map<String, Object> ofDispatch(ServletExchange exchange, String name) {
        View view = exchange.view();
        boolean known =
                view.type() != DispatcherType.REQUEST
                        && (name.startsWith("jakarta.servlet.include.")
                                || name.startsWith("jakarta.servlet.forward.")
                                || name.startsWith("jakarta.servlet.async."));
        return known ? view.special() : null;
    }
}
