package dev.serval.servlet.session;

import static java.lang.System.Logger.Level.ERROR;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.List;
import java.util.function.Consumer;

/// Calls the listeners of an application in the order of their declaration, and for
/// `sessionDestroyed` in reverse (Servlet 6.1 §8.2.3). If one throws, the exception is logged and
/// the next is called. Immutable; any thread.
public final class SessionListeners implements SessionEvents {
    private final List<HttpSessionListener> life;
    private final List<HttpSessionIdListener> ids;
    private final List<HttpSessionAttributeListener> attributes;
    private final System.Logger log;

    /// Copies the listeners, which are in the order of their declaration.
    public SessionListeners(
            List<HttpSessionListener> life,
            List<HttpSessionIdListener> ids,
            List<HttpSessionAttributeListener> attributes,
            System.Logger log) {
        this.life = List.copyOf(life);
        this.ids = List.copyOf(ids);
        this.attributes = List.copyOf(attributes);
        this.log = log;
    }

    @Override
    public void created(HttpSession session) {
        if (!life.isEmpty()) {
            HttpSessionEvent event = new HttpSessionEvent(session);
            each(life, listener -> listener.sessionCreated(event));
        }
    }

    @Override
    public void destroyed(HttpSession session) {
        if (!life.isEmpty()) {
            HttpSessionEvent event = new HttpSessionEvent(session);
            each(life.reversed(), listener -> listener.sessionDestroyed(event));
        }
    }

    @Override
    public void idChanged(HttpSession session, String oldId) {
        if (!ids.isEmpty()) {
            HttpSessionEvent event = new HttpSessionEvent(session);
            each(ids, listener -> listener.sessionIdChanged(event, oldId));
        }
    }

    @Override
    public void attributeAdded(HttpSession session, String name, Object value) {
        if (!attributes.isEmpty()) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, value);
            each(attributes, listener -> listener.attributeAdded(event));
        }
    }

    @Override
    public void attributeReplaced(HttpSession session, String name, Object oldValue) {
        if (!attributes.isEmpty()) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, oldValue);
            each(attributes, listener -> listener.attributeReplaced(event));
        }
    }

    @Override
    public void attributeRemoved(HttpSession session, String name, Object oldValue) {
        if (!attributes.isEmpty()) {
            HttpSessionBindingEvent event = new HttpSessionBindingEvent(session, name, oldValue);
            each(attributes, listener -> listener.attributeRemoved(event));
        }
    }

    private <T> void each(List<T> listeners, Consumer<T> call) {
        for (T listener : listeners) {
            try {
                call.accept(listener);
            } catch (RuntimeException | Error e) {
                log.log(
                        ERROR,
                        "The session listener "
                                + listener.getClass().getName()
                                + " threw an exception; the session continues",
                        e);
            }
        }
    }
}
