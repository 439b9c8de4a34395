package dev.serval.servlet.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps sessions in memory only, until they end or the application stops. [Sessions] bounds their
/// number. Any thread.
public final class MemorySessions implements SessionStore {
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    /// Creates an empty store.
    public MemorySessions() {}

    @Override
    public void open(Sessions owner) {}

    @Override
    public boolean add(String id, Session session) {
        return sessions.putIfAbsent(id, session) == null;
    }

    @Override
    public @Nullable Session get(String id) {
        return sessions.get(id);
    }

    @Override
    public @Nullable Session peek(String id) {
        return sessions.get(id);
    }

    @Override
    public boolean hasOthers() {
        return false;
    }

    @Override
    public int inMemory() {
        return sessions.size();
    }

    @Override
    public void remove(String id, Session session) {
        sessions.remove(id, session);
    }

    /// Returns true, because no other server has the session.
    @Override
    public boolean endsEverywhere(Session session, SessionEnd reason) {
        return true;
    }

    /// Does nothing, because nothing is stored.
    @Override
    public void forget(Session session) {}

    /// Does nothing, because sessions in memory may hold anything.
    @Override
    public void check(String name, Object value) {}

    /// Does nothing, because the session is where it stays.
    @Override
    public void save(Session session) {}

    /// Does nothing, because the session is where it stays.
    @Override
    public void released(Session session) {}

    /// Does nothing, because sessions cannot leave the memory.
    @Override
    public void trim() {}

    @Override
    public boolean makeRoom() {
        return false;
    }

    @Override
    public void tick() {}

    @Override
    public SessionStore.Figures figures() {
        return new SessionStore.Figures(sessions.size(), 0, 0);
    }

    /// Does nothing, because sessions in memory belong to one version of the application.
    @Override
    public void follow(SessionStore earlier) {}

    /// Does nothing, as [#follow].
    @Override
    public void handOver(Consumer<Session> end) {}

    @Override
    public Sessions newest(Sessions own) {
        return own;
    }

    @Override
    public void close(Consumer<Session> end) {
        sessions.values().forEach(end);
    }
}
