package dev.serval.servlet.session;

import jakarta.servlet.http.HttpSession;

/// Receives the events of sessions, for the listeners of the application.
///
/// Called on the thread of a request, or on a thread of the setup's executor if a timeout ends the
/// session; never under a lock. An exception is logged and changes nothing.
public interface SessionEvents {
    /// Returns whether a listener hears that sessions end, or lose their attributes by that.
    default boolean hearsEnds() {
        return true;
    }

    /// Reports a new session.
    void created(HttpSession session);

    /// Reports that the session is about to end. Its attributes can still be read.
    void destroyed(HttpSession session);

    /// Reports that the session has a new id.
    void idChanged(HttpSession session, String oldId);

    /// Reports a new attribute.
    void attributeAdded(HttpSession session, String name, Object value);

    /// Reports that another value has replaced `oldValue`.
    void attributeReplaced(HttpSession session, String name, Object oldValue);

    /// Reports that `oldValue` was removed, also by the end of the session.
    void attributeRemoved(HttpSession session, String name, Object oldValue);
}
