package dev.serval.servlet.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Holds the sessions of one application by id. [Sessions] keeps the rules of their life, so a
/// store only keeps and finds them. [MemorySessions] keeps them in memory.
///
/// A store that serialises sessions writes one in [#released], reads it back in [#get], deletes it
/// in [#remove], and keeps all in [#close]. Any thread may call; [#get] and [#released] may block.
public interface SessionStore {
    /// Adds a session under `id`, unless the id is taken.
    ///
    /// @return whether it was added
    boolean add(String id, Session session);

    /// Returns the session with the id, or null if there is none.
    @Nullable Session get(String id);

    /// Removes the session from under `id`. Does nothing if the id belongs to another session.
    void remove(String id, Session session);

    /// Reports that no request uses the session any more. Another request may begin at any time.
    void released(Session session);

    /// Stops the store because the application stops.
    ///
    /// @param end ends a session; the store calls it for each session that it does not keep
    void close(Consumer<Session> end);
}
