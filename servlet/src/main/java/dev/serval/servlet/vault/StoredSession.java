package dev.serval.servlet.vault;

/// A session outside memory. Times are milliseconds since 1970. Immutable; the bytes must not be
/// changed.
///
/// @param id the session's id
/// @param confirmed whether a client has returned the id
/// @param createdMillis when it was created
/// @param lastAccessedMillis when the request before the latest one began
/// @param accessedMillis when it was used last
/// @param maxInactiveSeconds its timeout; 0 or less for never
/// @param version counts the writes of a vault that servers share; 0 for one that was never stored
/// @param attributes what [AttributeCodec#write] returned
public record StoredSession(
        String id,
        boolean confirmed,
        long createdMillis,
        long lastAccessedMillis,
        long accessedMillis,
        int maxInactiveSeconds,
        long version,
        byte[] attributes) {
    /// Returns when the session is overdue; [Long#MAX_VALUE] for never.
    public long deadlineMillis() {
        return deadlineMillis(accessedMillis, maxInactiveSeconds);
    }

    /// Returns this session with another version.
    public StoredSession withVersion(long other) {
        return new StoredSession(
                id,
                confirmed,
                createdMillis,
                lastAccessedMillis,
                accessedMillis,
                maxInactiveSeconds,
                other,
                attributes);
    }

    /// Returns when a session is overdue that was used last at a time.
    static long deadlineMillis(long accessedMillis, int maxInactiveSeconds) {
        return maxInactiveSeconds <= 0
                ? Long.MAX_VALUE
                : accessedMillis + maxInactiveSeconds * 1_000L;
    }
}
