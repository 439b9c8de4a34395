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
    private volatile Session session; // another object after it was outside memory

    SessionFacade(Sessions sessions, Session session) {
        this.sessions = sessions;
        this.session = session;
    }

    /// Returns whether the session is live: not invalidated, expired or about to be.
    public boolean isValid() {
        return session.isLive() || session.isOutside();
    }

    /// Gives the session a new id, and calls the listeners of ids. The caller sends the id to the
    /// client.
    ///
    /// @return the new id
    /// @throws IllegalStateException if the session has ended
    public String changeId() {
        return sessions.changeId(here());
    }

    /// Stores the session before the client sees the end of its request, if the store does so.
    ///
    /// @throws SessionUnavailableException if the client must learn that this failed
    public void save() {
        sessions.save(session);
    }

    /// Returns the session in memory. It is read again if an application has kept this object while
    /// no request used the session.
    private Session here() {
        Session present = session;
        if (present.isStored()) {
            present = sessions.recall(present);
            session = present;
        }
        return present;
    }

    /// Ends the use of the session by a request. The container calls it once for each use.
    public void release() {
        sessions.release(session);
    }

    /// Returns a value that the container keeps here.
    ///
    /// @throws IllegalStateException if the session has ended
    public @Nullable Object held(String name) {
        Session here = here();
        here.checkNotEnded();
        return here.attribute(Session.HELD + name);
    }

    /// Keeps a value that applications and listeners do not see. A removal, as by a logout, also
    /// reaches the next version of the application if that has a copy of the session.
    ///
    /// @param value of the JDK's classes, so that any store can keep it; null to remove it
    /// @throws IllegalStateException if the session has ended
    public void hold(String name, @Nullable Serializable value) {
        Session here = here();
        if (value == null) {
            Object _ = here.remove(Session.HELD + name);
            sessions.alsoWhereMoved(here, other -> other.hold(name, null));
        } else {
            Object _ = here.put(Session.HELD + name, value);
        }
    }

    /// Keeps a value as [#hold] does, unless the session has it already.
    ///
    /// @return whether it is kept by this call; of several calls at once, one returns true
    /// @throws IllegalStateException if the session has ended
    public boolean claim(String name, Serializable value) {
        Session here = here();
        synchronized (here) {
            here.checkNotEnded();
            if (value.equals(here.attribute(Session.HELD + name))) {
                return false;
            }
            Object _ = here.put(Session.HELD + name, value);
            return true;
        }
    }

    @Override
    public long getCreationTime() {
        Session here = here();
        here.checkNotEnded();
        return here.createdMillis();
    }

    /// Returns the id, also after the session has ended.
    @Override
    public String getId() {
        return session.id();
    }

    /// Returns when the request before the latest one began (Servlet 6.1 §7.6).
    @Override
    public long getLastAccessedTime() {
        Session here = here();
        here.checkNotEnded();
        return here.lastAccessedMillis();
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
    public @Nullable Object getAttribute(@Nullable String name) {
        Session here = here();
        here.checkNotEnded();
        return name == null || Session.isHeld(name) ? null : here.attribute(name);
    }

    /// Returns the names at the time of the call.
    @Override
    public Enumeration<String> getAttributeNames() {
        Session here = here();
        here.checkNotEnded();
        return Collections.enumeration(here.attributeNames());
    }

    /// Binds a value. The value learns of it before others can read it (Servlet 6.1 §7.4). A value
    /// that replaces itself is neither bound nor unbound, but listeners of attributes are called.
    ///
    /// @throws IllegalArgumentException if the name is null, or the application is distributable and
    ///   the value is not serialisable
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
        Session here = here();
        here.checkNotEnded();
        sessions.check(name, value);
        SessionNotices notices = sessions.notices();
        boolean isNew = here.attribute(name) != value;
        if (isNew) {
            notices.bound(this, name, value);
        }
        Object before;
        try {
            before = here.put(name, value);
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
        Session here = here();
        here.checkNotEnded();
        Object before = name == null || Session.isHeld(name) ? null : here.remove(name);
        if (name != null && before != null) {
            sessions.notices().attributeRemoved(this, name, before);
        }
    }

    /// Ends the session, in use or not. Does nothing if it is about to end, so that a listener or a
    /// second request may call it too.
    @Override
    public void invalidate() {
        sessions.invalidate(here());
    }

    /// Returns whether no client has returned the id yet.
    @Override
    public boolean isNew() {
        Session here = here();
        here.checkNotEnded();
        return here.state() == Session.State.UNCONFIRMED;
    }

    /// Returns access to the session after the request, for as long as it keeps its id.
    @Override
    public Accessor getAccessor() {
        Session here = here();
        here.checkNotEnded();
        return new IdAccessor(sessions, here.id());
    }

    /// Finds the session by its id at each call, so that it may have left memory meanwhile. No
    /// record, as all that pages can reach.
    private static final class IdAccessor implements Accessor {
        private final Sessions sessions;
        private final String id;

        IdAccessor(Sessions sessions, String id) {
            this.sessions = sessions;
            this.id = id;
        }

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
