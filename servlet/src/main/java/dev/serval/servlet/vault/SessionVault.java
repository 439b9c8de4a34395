package dev.serval.servlet.vault;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps sessions as bytes. It knows nothing of their life: what is written stays until it is
/// removed.
///
/// The caller lets one thread at a time write or remove the session of one key, while others may read
/// it or record its use. Methods may block, but for [#mayContain], [#size] and [#bytes]. [#close] is
/// last, and removes nothing that is meant to survive.
public interface SessionVault extends AutoCloseable {
    /// Returns whether a session may be stored under the key, without a file or network access if
    /// this server alone uses the vault. So clients that guess ids cause no work.
    boolean mayContain(SessionKey key);

    /// Returns the session; null if there is none.
    ///
    /// @throws DamagedSessionException if its bytes are damaged; they are removed
    /// @throws IOException if the vault cannot be read now
    @Nullable StoredSession read(SessionKey key) throws IOException;

    /// Stores the session in place of what was there.
    ///
    /// @return the version that is now stored
    /// @throws VaultFullException if the quota does not allow it
    /// @throws ConflictException if another server has changed or removed the session since the
    ///     version of `session` was read
    /// @throws IOException if the vault cannot be written now
    long write(SessionKey key, StoredSession session) throws IOException;

    /// Records that a stored session was used. Does nothing if it is not stored.
    void touch(SessionKey key, long accessedMillis, int maxInactiveSeconds) throws IOException;

    /// Removes the session, if it is stored.
    void remove(SessionKey key) throws IOException;

    /// Returns sessions whose recorded deadline has passed. A call examines a part of the vault, so
    /// that its time is bounded; calls in a row examine all.
    ///
    /// @param nowMillis the time; [Long#MAX_VALUE] for the sessions without a deadline, too
    /// @param max the most to return
    List<SessionKey> overdue(long nowMillis, int max) throws IOException;

    /// Returns the stored version of a session; -1 if it is not stored. Only for a shared vault.
    long version(SessionKey key) throws IOException;

    /// Returns where the sessions are, for messages: "the folder /var/lib/serval/shop".
    String place();

    /// Returns whether other servers may change the sessions.
    boolean isShared();

    /// Returns whether another process still has the sessions, so that nothing is known of them yet.
    default boolean isAwaited() {
        return false;
    }

    /// Runs an action as soon as the sessions are known: now, unless they are awaited.
    default void whenKnown(Runnable action) {
        action.run();
    }

    /// Returns how many sessions are stored, as far as this server knows.
    int size();

    /// Returns the space that they take on disk, as far as this server knows.
    long bytes();

    @Override
    void close();
}
