package dev.serval.servlet.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps sessions in memory, until they end or the application stops. [Sessions] bounds their
/// number. Any thread.
public final class MemorySessions implements SessionStore {
    private final Map<String, Session> sessions = new ConcurrentHashMap<>();

    /// Creates an empty store.
    public MemorySessions() {}

    @Override
    public boolean add(String id, Session session) {
        return sessions.putIfAbsent(id, session) == null;
    }

    @Override
    public @Nullable Session get(String id) {
        return sessions.get(id);
    }

    @Override
    public void remove(String id, Session session) {
        sessions.remove(id, session);
    }

    /// Does nothing, because the session is where it stays.
    @Override
    public void released(Session session) {}

    @Override
    public void close(Consumer<Session> end) {
        sessions.values().forEach(end);
    }
}
