package dev.serval.servlet.app;

import dev.serval.servlet.registration.Listeners;
import dev.serval.servlet.request.AttributeEvents;
import dev.serval.servlet.session.SessionEvents;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpSession;

/// Passes the events of requests and sessions to an application's listeners.
///
/// @param listeners the listeners
record ListenerEvents(Listeners listeners) implements AttributeEvents, SessionEvents {
    @Override
    public void added(ServletRequest request, String name, Object value) {
        listeners.requestAttributeAdded(request, name, value);
    }

    @Override
    public void replaced(ServletRequest request, String name, Object oldValue) {
        listeners.requestAttributeReplaced(request, name, oldValue);
    }

    @Override
    public void removed(ServletRequest request, String name, Object oldValue) {
        listeners.requestAttributeRemoved(request, name, oldValue);
    }

    @Override
    public boolean hearsEnds() {
        return listeners.hearSessionEnds();
    }

    @Override
    public void created(HttpSession session) {
        listeners.sessionCreated(session);
    }

    @Override
    public void destroyed(HttpSession session) {
        listeners.sessionDestroyed(session);
    }

    @Override
    public void idChanged(HttpSession session, String oldId) {
        listeners.sessionIdChanged(session, oldId);
    }

    @Override
    public void attributeAdded(HttpSession session, String name, Object value) {
        listeners.sessionAttributeAdded(session, name, value);
    }

    @Override
    public void attributeReplaced(HttpSession session, String name, Object oldValue) {
        listeners.sessionAttributeReplaced(session, name, oldValue);
    }

    @Override
    public void attributeRemoved(HttpSession session, String name, Object oldValue) {
        listeners.sessionAttributeRemoved(session, name, oldValue);
    }
}
