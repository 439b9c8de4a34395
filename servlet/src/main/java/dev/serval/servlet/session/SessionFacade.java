package dev.serval.servlet.session;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpSession;
import java.io.Serializable;
import java.util.Collections;
import java.util.Enumeration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A session as applications see it: one object for all requests and listeners, so that code which
/// synchronizes on it excludes other requests. The container calls [#release] at the end of each
/// request that uses the session; until then the session does not expire.
///
/// Applications must not keep it longer (Javadoc of HttpSession, since 6.1), but older ones do. So
/// it still works then: it belongs to its session for ever and never shows another. Any thread.
public final class SessionFacade implements HttpSession {
    private final Sessions sessions;
    private final Session session;

    SessionFacade(Sessions sessions, Session session) {
        this.sessions = sessions;
        this.session = session;
    }

    /// Returns whether the session is live: not invalidated, expired or about to be.
    public boolean isValid() {
        return session.isLive();
    }

    /// Gives the session a new id, and calls the listeners of ids. The caller sends the id to the
    /// client.
    ///
    /// @return the new id
    /// @throws IllegalStateException if the session has ended
    public String changeId() {
        return sessions.changeId(session);
    }

    /// Ends the use of the session by a request. The container calls it once for each use.
    public void release() {
        sessions.release(session);
    }

    /// Returns a value that the container keeps here.
    ///
    /// @throws IllegalStateException if the session has ended
    public @Nullable Object held(String name) {
        session.checkNotEnded();
        return session.attribute(Session.HELD + name);
    }

    /// Keeps a value that applications and listeners do not see.
    ///
    /// @param value of the JDK's classes, so that any store can keep it; null to remove it
    /// @throws IllegalStateException if the session has ended
    public void hold(String name, @Nullable Serializable value) {
        if (value == null) {
            Object _ = session.remove(Session.HELD + name);
        } else {
            Object _ = session.put(Session.HELD + name, value);
        }
    }

    @Override
    public long getCreationTime() {
        session.checkNotEnded();
        return session.createdMillis();
    }

    /// Returns the id, also after the session has ended.
    @Override
    public String getId() {
        return session.id();
    }

    /// Returns when the request before the latest one began (Servlet 6.1 §7.6).
    @Override
    public long getLastAccessedTime() {
        session.checkNotEnded();
        return session.lastAccessedMillis();
    }

    @Override
    public ServletContext getServletContext() {
        return sessions.context();
    }

    /// Sets the timeout. Has no effect after the session has ended.
    @Override
    public void setMaxInactiveInterval(int seconds) {
        sessions.maxInactiveSeconds(session, seconds);
    }

    @Override
    public int getMaxInactiveInterval() {
        return session.maxInactiveSeconds();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        session.checkNotEnded();
        return Session.isHeld(name) ? null : session.attribute(name);
    }

    /// Returns the names at the time of the call.
    @Override
    public Enumeration<String> getAttributeNames() {
        session.checkNotEnded();
        return Collections.enumeration(session.attributeNames());
    }

    /// Binds a value. The value learns of it before others can read it (Servlet 6.1 §7.4). A value
    /// that replaces itself is neither bound nor unbound, but listeners of attributes are called.
    ///
    /// @throws IllegalArgumentException if the name is null
    @Override
    @SuppressWarnings("ReferenceEquality") // a value that listens is bound once as an object
    public void setAttribute(@Nullable String name, @Nullable Object value) {
        if (name == null) {
            throw new IllegalArgumentException(
                    "The attribute of the session has no name; pass one to setAttribute");
        }
        if (Session.isHeld(name)) {
            throw new IllegalArgumentException(
                    "The name of an attribute of the session must not begin with a NUL; choose"
                            + " another one");
        }
        if (value == null) {
            removeAttribute(name);
            return;
        }
        session.checkNotEnded();
        SessionNotices notices = sessions.notices();
        boolean isNew = session.attribute(name) != value;
        if (isNew) {
            notices.bound(this, name, value);
        }
        Object before;
        try {
            before = session.put(name, value);
        } catch (IllegalStateException e) { // it ended meanwhile
            if (isNew) {
                notices.unbound(this, name, value);
            }
            throw e;
        }
        if (before != null && before != value) {
            notices.unbound(this, name, before);
        }
        notices.attributeSet(this, name, value, before);
    }

    @Override
    public void removeAttribute(@Nullable String name) {
        session.checkNotEnded();
        Object before = name == null || Session.isHeld(name) ? null : session.remove(name);
        if (name != null && before != null) {
            sessions.notices().attributeRemoved(this, name, before);
        }
    }

    /// Ends the session, in use or not. Does nothing if it is about to end, so that a listener or a
    /// second request may call it too.
    @Override
    public void invalidate() {
        sessions.invalidate(session);
    }

    /// Returns whether no client has returned the id yet.
    @Override
    public boolean isNew() {
        session.checkNotEnded();
        return session.state() == Session.State.UNCONFIRMED;
    }

    /// Returns access to the session after the request, for as long as it keeps its id.
    @Override
    public Accessor getAccessor() {
        session.checkNotEnded();
        return new IdAccessor(sessions, session.id());
    }

    /// Finds the session by its id at each call, so that it may have left memory meanwhile.
    private record IdAccessor(Sessions sessions, String id) implements Accessor {
        @Override
        public void access(Consumer<HttpSession> sessionConsumer) {
            SessionFacade present = sessions.find(id);
            if (present == null) {
                throw new IllegalStateException(
                        "The session of this accessor has ended or has another id; get a new"
                                + " accessor during a request");
            }
            try {
                sessionConsumer.accept(present);
            } finally {
                present.release();
            }
        }
    }
}
