package dev.serval.servlet.session;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Holds the sessions of one application by id. [Sessions] keeps the rules of their life, so a
/// store only keeps and finds them. [MemorySessions] keeps them in memory, and `KeptSessions` also
/// in a vault.
///
/// [#open] is called first and [#close] last. Any thread may call; most methods may block, so an
/// event loop calls only [#peek] and [#hasOthers].
public interface SessionStore {
    /// What a store holds at one moment. Immutable.
    ///
    /// @param inMemory the sessions in memory
    /// @param stored the sessions in the vault, of which some may be in memory, too
    /// @param storedBytes the space that they take there, as far as this server knows
    record Figures(int inMemory, int stored, long storedBytes) {}

    /// Starts the store.
    void open(Sessions sessions);

    /// Adds a session under `id`, unless the id is taken. Does not block, because the session's lock
    /// may be held.
    ///
    /// @return whether it was added
    boolean add(String id, Session session);

    /// Returns the session with the id, or null if there is none.
    ///
    /// @throws SessionUnavailableException if that cannot be found out now
    @Nullable Session get(String id);

    /// Returns the session with the id; null if it is not in memory, or if the time of its last use
    /// that is stored is so old that this use must be stored.
    @Nullable Session peek(String id);

    /// Returns whether there may be sessions that are not in memory.
    boolean hasOthers();

    /// Returns how many sessions are in memory.
    int inMemory();

    /// Removes the session from under `id`. Does nothing if the id belongs to another session. May
    /// wait while the session is written, as its lock may be held.
    void remove(String id, Session session);

    /// Returns whether a session that has ended here by a timeout or an eviction has ended for all
    /// servers. If not, this server forgets it without telling its listeners.
    boolean endsEverywhere(Session session, SessionEnd reason);

    /// Deletes what is stored of a session that was removed and ends.
    void forget(Session session);

    /// Checks the value of a new attribute.
    ///
    /// @throws IllegalArgumentException if the application is distributable and the value is not
    ///   serialisable
    void check(String name, Object value);

    /// Stores the session if the store does so at the end of each request.
    ///
    /// @throws SessionUnavailableException if the client must learn that this failed
    void save(Session session);

    /// Reports that no request uses the session any more. Another request may begin at any time.
    void released(Session session);

    /// Has sessions leave the memory if too many idle ones are there. The caller holds no lock.
    void trim();

    /// Has some idle sessions leave the memory.
    ///
    /// @return whether one has left
    boolean makeRoom();

    /// Starts what is due, without waiting for it. Called about once a second.
    void tick();

    /// Returns what the store holds now.
    Figures figures();

    /// Takes over the sessions of an earlier version of the application, each when a request asks
    /// for it. Requests of all versions may run meanwhile. Does nothing if one of the two stores
    /// cannot move sessions.
    void follow(SessionStore earlier);

    /// Gives all sessions to the newest of the later versions, after the requests of this one have
    /// ended, and is closed then. Does nothing if no later version runs.
    ///
    /// @param end ends a session that cannot move
    void handOver(Consumer<Session> end);

    /// Returns the sessions of the newest version of the application that stays.
    ///
    /// @param own the sessions of this version
    Sessions newest(Sessions own);

    /// Stops the store because the application stops.
    ///
    /// @param end ends a session; the store calls it for each session that it does not keep
    void close(Consumer<Session> end);
}
