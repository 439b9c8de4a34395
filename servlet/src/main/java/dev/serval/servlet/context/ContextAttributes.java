package dev.serval.servlet.context;

import dev.serval.servlet.registration.Listeners;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The attributes of a context, whose changes listeners see (Servlet 6.1 §4.5). Any thread may call
/// it; listeners run on that thread.
final class ContextAttributes {
    private final Map<String, Object> values = new ConcurrentHashMap<>();
    private final Listeners listeners;

    ContextAttributes(Listeners listeners) {
        this.listeners = listeners;
    }

    @Nullable Object value(String name) {
        return values.get(name);
    }

    Enumeration<String> names() {
        return Collections.enumeration(List.copyOf(values.keySet()));
    }

    /// Sets an attribute without an event.
    void preset(String name, Object value) {
        values.put(name, value);
    }

    void set(String name, @Nullable Object value) {
        if (value == null) {
            remove(name);
            return;
        }
        @Nullable Object old = values.put(name, value);
        if (old == null) {
            listeners.contextAttributeAdded(name, value);
        } else {
            listeners.contextAttributeReplaced(name, old);
        }
    }

    void remove(String name) {
        @Nullable Object old = values.remove(name);
        if (old != null) {
            listeners.contextAttributeRemoved(name, old);
        }
    }
}
