package dev.serval.servlet.session;

import static java.lang.System.Logger.Level.ERROR;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Calls application code about sessions: the [SessionEvents], and attributes that listen to their
/// binding. An exception of that code is logged and does not reach the session. Stateless; the
/// caller must hold no lock.
public final class SessionNotices {
    private final SessionEvents events;
    private final System.Logger log;

    SessionNotices(SessionEvents events, System.Logger log) {
        this.events = events;
        this.log = log;
    }

    /// Returns whether a listener hears that sessions end. A value may hear it even if none does.
    public boolean hearEnds() {
        return events.hearsEnds();
    }

    /// Returns whether a value is told that it leaves its session, or that the session moves.
    public static boolean isTold(Object value) {
        return value instanceof HttpSessionBindingListener
                || value instanceof HttpSessionActivationListener;
    }

    void created(HttpSession session) {
        guard(() -> events.created(session));
    }

    void destroyed(HttpSession session) {
        guard(() -> events.destroyed(session));
    }

    void idChanged(HttpSession session, String oldId) {
        guard(() -> events.idChanged(session, oldId));
    }

    /// Reports that `name` has a new value in place of `oldValue`, which is null if it had none.
    void attributeSet(HttpSession session, String name, Object value, @Nullable Object oldValue) {
        if (oldValue == null) {
            guard(() -> events.attributeAdded(session, name, value));
        } else {
            guard(() -> events.attributeReplaced(session, name, oldValue));
        }
    }

    /// Reports that `oldValue` is gone, first to the value itself, then to the listeners.
    void attributeRemoved(HttpSession session, String name, Object oldValue) {
        unbound(session, name, oldValue);
        guard(() -> events.attributeRemoved(session, name, oldValue));
    }

    void bound(HttpSession session, String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            guard(() -> listener.valueBound(new HttpSessionBindingEvent(session, name, value)));
        }
    }

    void unbound(HttpSession session, String name, Object value) {
        if (value instanceof HttpSessionBindingListener listener) {
            guard(() -> listener.valueUnbound(new HttpSessionBindingEvent(session, name, value)));
        }
    }

    /// Tells attributes that their session leaves the memory (Servlet 6.1 §7.7.2).
    public void willPassivate(HttpSession session, Map<String, Object> attributes) {
        for (Object value : attributes.values()) {
            if (value instanceof HttpSessionActivationListener listener) {
                guard(() -> listener.sessionWillPassivate(new HttpSessionEvent(session)));
            }
        }
    }

    /// Tells attributes that their session has come to memory.
    public void didActivate(HttpSession session, Map<String, Object> attributes) {
        for (Object value : attributes.values()) {
            if (value instanceof HttpSessionActivationListener listener) {
                guard(() -> listener.sessionDidActivate(new HttpSessionEvent(session)));
            }
        }
    }

    private void guard(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.log(ERROR, "A session listener threw an exception; the session continues", e);
        }
    }
}
