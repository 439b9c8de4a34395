package dev.serval.servlet.registration;

import jakarta.servlet.ServletContextAttributeListener;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.EventListener;
import java.util.List;

/// Listeners by kind, each kind in the order of declaration. Immutable; the arrays never change.
///
/// @param attributes listeners for attributes of the context
/// @param requests listeners for requests
/// @param requestAttributes listeners for attributes of requests
/// @param sessions listeners for sessions
/// @param sessionIds listeners for changed ids of sessions
/// @param sessionAttributes listeners for attributes of sessions
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ListenerKinds(
        ServletContextAttributeListener[] attributes,
        ServletRequestListener[] requests,
        ServletRequestAttributeListener[] requestAttributes,
        HttpSessionListener[] sessions,
        HttpSessionIdListener[] sessionIds,
        HttpSessionAttributeListener[] sessionAttributes) {
    /// The kinds that code may add at any time before the end of the start (Servlet 6.1 §4.4.3.1).
    private static final List<Class<? extends EventListener>> ADDABLE =
            List.of(
                    ServletContextAttributeListener.class,
                    ServletRequestListener.class,
                    ServletRequestAttributeListener.class,
                    HttpSessionListener.class,
                    HttpSessionIdListener.class,
                    HttpSessionAttributeListener.class);

    static ListenerKinds of(List<EventListener> listeners) {
        return new ListenerKinds(
                only(listeners, ServletContextAttributeListener.class)
                        .toArray(ServletContextAttributeListener[]::new),
                only(listeners, ServletRequestListener.class)
                        .toArray(ServletRequestListener[]::new),
                only(listeners, ServletRequestAttributeListener.class)
                        .toArray(ServletRequestAttributeListener[]::new),
                only(listeners, HttpSessionListener.class).toArray(HttpSessionListener[]::new),
                only(listeners, HttpSessionIdListener.class).toArray(HttpSessionIdListener[]::new),
                only(listeners, HttpSessionAttributeListener.class)
                        .toArray(HttpSessionAttributeListener[]::new));
    }

    /// Returns whether a class implements one of the interfaces that can be registered.
    public static boolean isListener(Class<?> type) {
        return isContextListener(type)
                || ADDABLE.stream().anyMatch(kind -> kind.isAssignableFrom(type));
    }

    static boolean isContextListener(Class<?> type) {
        return ServletContextListener.class.isAssignableFrom(type);
    }

    private static <T> List<T> only(List<EventListener> listeners, Class<T> kind) {
        return listeners.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
