package dev.serval.servlet.request;

import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
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
        AttributeEvents events = exchange.view().app().attributeEvents();
        @Nullable Object before = exchange.attributesToChange().put(name, value);
        if (before == null) {
            events.added(exchange.request(), name, value);
        } else {
            events.replaced(exchange.request(), name, before);
        }
    }

    static void remove(ServletExchange exchange, String name) {
        if (!exchange.attributes().containsKey(name)) {
            return;
        }
        @Nullable Object before = exchange.attributesToChange().remove(name);
        if (before != null) {
            exchange.view().app().attributeEvents().removed(exchange.request(), name, before);
        }
    }
}
