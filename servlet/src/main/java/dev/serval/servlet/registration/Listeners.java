package dev.serval.servlet.registration;

import static java.lang.System.Logger.Level.ERROR;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.inject.ComponentFactory;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletContextAttributeListener;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestAttributeEvent;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Notifies the listeners of one application of events (Servlet 6.1 §11).
///
/// - A start or a change notifies listeners in the order of declaration, an end in the reverse
///   order (§11.3.3, §11.3.4).
/// - The exception of a listener propagates to the caller, and the remaining listeners are not
///   notified (§11.6). The end of the context is the exception: it notifies all, and logs
///   exceptions.
///
/// The thread that starts and stops the application adds listeners. Any thread may report the other
/// events, and the listeners run on that thread.
public final class Listeners {
    private final ServletContext context;
    private final ServletContext restricted;
    private final List<Held> declared = new ArrayList<>();
    private final List<Held> added = new ArrayList<>();
    private final List<Held> initialized = new ArrayList<>();
    private volatile ListenerKinds kinds = ListenerKinds.of(List.of());

    /// Creates the listeners of an application.
    ///
    /// @param context the context in events
    /// @param restricted the context in events for context listeners that code added (§4.4)
    public Listeners(ServletContext context, ServletContext restricted) {
        this.context = context;
        this.restricted = restricted;
    }

    private record Held(
            EventListener listener, Origin origin, ServletContext context, boolean created) {}

    // Listeners

    /// Creates the declared listeners, which come before those that code has added.
    ///
    /// @throws DescriptorException if one cannot be created
    public void create(List<ListenerDescription> descriptions, ComponentFactory components)
            throws DescriptorException {
        for (ListenerDescription description : descriptions) {
            Component code = description.component();
            EventListener listener =
                    components.create(code, EventListener.class, description.origin());
            boolean created = !(code instanceof Component.Instance);
            declared.add(new Held(listener, description.origin(), context, created));
            sort();
        }
    }

    /// Adds a listener by code, after all others.
    ///
    /// @param created whether the server created it
    void add(EventListener listener, Origin origin, boolean created) {
        added.add(new Held(listener, origin, restricted, created));
        sort();
    }

    /// Calls @PreDestroy of the listeners that the server created, in reverse order.
    public void destroy(ComponentFactory components) {
        for (Held held : inOrder().reversed()) {
            if (held.created()) {
                components.destroy(held.listener());
            }
        }
        declared.clear();
        added.clear();
        sort();
    }

    // The context

    /// Notifies all context listeners that the application starts.
    ///
    /// @throws DescriptorException if one throws; the remaining ones are not notified
    public void contextInitialized() throws DescriptorException {
        for (Held held : inOrder()) {
            if (!(held.listener() instanceof ServletContextListener listener)) {
                continue;
            }
            try {
                listener.contextInitialized(new ServletContextEvent(held.context()));
            } catch (Throwable thrown) {
                throw new DescriptorException(
                        held.origin(),
                        "The listener "
                                + listener.getClass().getName()
                                + " failed in contextInitialized: "
                                + thrown
                                + ". Correct it or its surroundings.",
                        thrown);
            }
            initialized.add(held);
        }
    }

    /// Notifies the context listeners that the application ends, in reverse order. A listener that
    /// was not notified of the start is not notified of the end.
    public void contextDestroyed(System.Logger log) {
        for (Held held : initialized.reversed()) {
            if (held.listener() instanceof ServletContextListener listener) {
                try {
                    listener.contextDestroyed(new ServletContextEvent(held.context()));
                } catch (Throwable thrown) {
                    log.log(
                            ERROR,
                            "The listener "
                                    + listener.getClass().getName()
                                    + " failed in contextDestroyed. The application ends anyway.",
                            thrown);
                }
            }
        }
        initialized.clear();
    }

    public void contextAttributeAdded(String name, Object value) {
        for (ServletContextAttributeListener listener : kinds.attributes()) {
            listener.attributeAdded(new ServletContextAttributeEvent(context, name, value));
        }
    }

    public void contextAttributeReplaced(String name, Object old) {
        for (ServletContextAttributeListener listener : kinds.attributes()) {
            listener.attributeReplaced(new ServletContextAttributeEvent(context, name, old));
        }
    }

    public void contextAttributeRemoved(String name, Object old) {
        for (ServletContextAttributeListener listener : kinds.attributes()) {
            listener.attributeRemoved(new ServletContextAttributeEvent(context, name, old));
        }
    }

    // Requests

    /// Returns whether a listener learns of requests.
    public boolean listenToRequests() {
        return kinds.requests().length > 0;
    }

    /// Notifies the listeners that a request enters the application.
    public void requestInitialized(ServletRequest request) {
        ServletRequestListener[] listeners = kinds.requests();
        if (listeners.length == 0) {
            return;
        }
        ServletRequestEvent event = new ServletRequestEvent(context, request);
        for (ServletRequestListener listener : listeners) {
            listener.requestInitialized(event);
        }
    }

    /// Notifies the listeners, in reverse order, that a request leaves the application.
    public void requestDestroyed(ServletRequest request) {
        ServletRequestListener[] listeners = kinds.requests();
        if (listeners.length == 0) {
            return;
        }
        ServletRequestEvent event = new ServletRequestEvent(context, request);
        @Nullable Throwable failure = null;
        for (int at = listeners.length - 1; at >= 0; at--) {
            try {
                listeners[at].requestDestroyed(event);
            } catch (RuntimeException | Error thrown) { // the others learn of the end, too
                failure = failure == null ? thrown : failure;
            }
        }
        switch (failure) {
            case RuntimeException thrown -> throw thrown;
            case Error thrown -> throw thrown;
            case null, default -> {}
        }
    }

    /// Notifies the listeners that a request has a new attribute.
    public void requestAttributeAdded(ServletRequest request, String name, Object value) {
        for (ServletRequestAttributeListener listener : kinds.requestAttributes()) {
            listener.attributeAdded(
                    new ServletRequestAttributeEvent(context, request, name, value));
        }
    }

    /// Notifies the listeners that an attribute of a request was replaced.
    ///
    /// @param old the value before
    public void requestAttributeReplaced(ServletRequest request, String name, Object old) {
        for (ServletRequestAttributeListener listener : kinds.requestAttributes()) {
            listener.attributeReplaced(
                    new ServletRequestAttributeEvent(context, request, name, old));
        }
    }

    /// Notifies the listeners that a request lost an attribute.
    ///
    /// @param old the value before
    public void requestAttributeRemoved(ServletRequest request, String name, Object old) {
        for (ServletRequestAttributeListener listener : kinds.requestAttributes()) {
            listener.attributeRemoved(
                    new ServletRequestAttributeEvent(context, request, name, old));
        }
    }

    // Sessions

    /// Notifies the listeners that a session was created.
    public void sessionCreated(HttpSession session) {
        for (HttpSessionListener listener : kinds.sessions()) {
            listener.sessionCreated(new HttpSessionEvent(session));
        }
    }

    /// Returns whether a listener is told that a session ends, or that it loses an attribute.
    public boolean hearSessionEnds() {
        return kinds.sessions().length > 0 || kinds.sessionAttributes().length > 0;
    }

    /// Notifies the listeners, in reverse order, that a session is about to end.
    public void sessionDestroyed(HttpSession session) {
        HttpSessionListener[] listeners = kinds.sessions();
        for (int at = listeners.length - 1; at >= 0; at--) {
            listeners[at].sessionDestroyed(new HttpSessionEvent(session));
        }
    }

    /// Notifies the listeners that the id of a session changed.
    public void sessionIdChanged(HttpSession session, String oldId) {
        for (HttpSessionIdListener listener : kinds.sessionIds()) {
            listener.sessionIdChanged(new HttpSessionEvent(session), oldId);
        }
    }

    /// Notifies the listeners that a session has a new attribute.
    public void sessionAttributeAdded(HttpSession session, String name, Object value) {
        for (HttpSessionAttributeListener listener : kinds.sessionAttributes()) {
            listener.attributeAdded(new HttpSessionBindingEvent(session, name, value));
        }
    }

    /// Notifies the listeners that an attribute of a session was replaced.
    ///
    /// @param old the value before
    public void sessionAttributeReplaced(HttpSession session, String name, Object old) {
        for (HttpSessionAttributeListener listener : kinds.sessionAttributes()) {
            listener.attributeReplaced(new HttpSessionBindingEvent(session, name, old));
        }
    }

    /// Notifies the listeners that a session lost an attribute.
    ///
    /// @param old the value before
    public void sessionAttributeRemoved(HttpSession session, String name, Object old) {
        for (HttpSessionAttributeListener listener : kinds.sessionAttributes()) {
            listener.attributeRemoved(new HttpSessionBindingEvent(session, name, old));
        }
    }

    private List<Held> inOrder() {
        List<Held> all = new ArrayList<>(declared);
        all.addAll(added);
        return all;
    }

    private void sort() {
        kinds = ListenerKinds.of(inOrder().stream().map(Held::listener).toList());
    }
}
