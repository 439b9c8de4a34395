package dev.serval.servlet.session;

import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.StoredSession;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What is known of the stored form of a session in memory. Its lock is held while that form is
/// written or removed, so that a session that has ended is never written again. No code of the
/// application runs under it. A session has one only if there is reason to store it.
public final class StoredCopy {
    private long version;
    private boolean tried; // to write it, so the vault may have it
    private volatile boolean written; // under the lock, but the timer reads it
    private byte[] content = new byte[0]; // a digest of what was written
    private volatile long usedMillis; // likewise
    private int tickets; // the order in which forms were made
    private int writtenTicket;
    private int seenChanges = -1;
    private boolean dead;
    private volatile boolean left;
    private volatile boolean stale;
    private volatile int unkeepableChanges = -1;
    private volatile int failedChanges = -1;
    private List<String> formerIds = List.of();

    /// Creates the copy of a session that is not stored.
    StoredCopy() {}

    /// Creates the copy of a session that was read.
    StoredCopy(StoredSession stored) {
        version = stored.version();
        tried = true;
        written = true;
        content = digest(stored);
        usedMillis = stored.accessedMillis();
        seenChanges = 0;
    }

    /// Returns a digest of what a session stores, without its times.
    public static byte[] digest(StoredSession session) {
        byte[] hash = SessionKey.digest(session.attributes());
        return ByteBuffer.allocate(hash.length + Integer.BYTES + 1)
                .put(hash)
                .putInt(session.maxInactiveSeconds())
                .put((byte) (session.confirmed() ? 1 : 0))
                .array();
    }

    /// Returns the place of a form that is made now among all forms of the session.
    public synchronized int ticket() {
        tried = true;
        return ++tickets;
    }

    public synchronized long version() {
        return version;
    }

    /// Returns the ids under which the session may still be stored, and forgets them.
    public synchronized List<String> takeFormerIds() {
        List<String> taken = formerIds;
        formerIds = List.of();
        return taken;
    }

    /// Records that the session has left an id. The caller holds the session's lock, so a form that
    /// is made later has the new id.
    ///
    /// @return whether the session may be stored under that id
    public synchronized boolean renamed(String before) {
        if (!tried) {
            return false;
        }
        if (formerIds.isEmpty()) {
            formerIds = new ArrayList<>(1);
        }
        formerIds.add(before);
        written = false;
        version = 0;
        stale = false; // no other server knows the new id
        return true;
    }

    /// Returns whether a form with this digest is what is stored already. Caller holds the lock.
    public boolean isSame(byte[] digest) {
        return written && Arrays.equals(content, digest);
    }

    /// Returns whether a form with this digest is what is stored already, but for its confirmation,
    /// which another server may have stored. Caller holds the lock.
    public boolean isLike(byte[] digest) {
        int end = digest.length - 1;
        return content.length > end && Arrays.equals(content, 0, end, digest, 0, end);
    }

    /// Returns whether the attributes of what was written last have these bytes.
    public synchronized boolean holds(byte[] attributes) {
        byte[] hash = SessionKey.digest(attributes);
        return content.length >= hash.length
                && Arrays.equals(content, 0, hash.length, hash, 0, hash.length);
    }

    /// Returns whether a newer form was written, or the session has ended. Caller holds the lock.
    public boolean isPast(int ticket) {
        return dead || ticket < writtenTicket;
    }

    /// Records that a form is being written. If that fails, the vault may have this form or the one
    /// before. Caller holds the lock.
    public void unsure() {
        content = new byte[0];
    }

    /// Records what was written. Caller holds the lock.
    public void wrote(int ticket, long newVersion, byte[] digest, long used, int changes) {
        writtenTicket = ticket;
        version = newVersion;
        written = true;
        content = digest;
        usedMillis = used;
        seenChanges = changes;
    }

    /// Records that the stored form was as it should be, or was touched. Caller holds the lock.
    public void checked(long used, int changes) {
        usedMillis = used;
        seenChanges = changes;
    }

    /// Records a later time of use. Caller holds the lock.
    public void touched(long used) {
        usedMillis = used;
    }

    /// Returns the time of use that is stored.
    public long usedMillis() {
        return usedMillis;
    }

    /// Records that the client learns that these changes were not stored.
    public synchronized void seen(int changes) {
        seenChanges = changes;
    }

    /// Returns whether the session was changed by its methods since it was stored.
    public synchronized boolean isBehind(int changes) {
        return seenChanges != changes;
    }

    /// Records that the stored form was removed, because the session is in memory.
    public synchronized void removed() {
        written = false;
        version = 0;
    }

    /// Returns whether the vault has a form of the session.
    public boolean isWritten() {
        return written;
    }

    /// Records that the session has ended, so that no form is written any more. Caller holds the
    /// lock.
    ///
    /// @return whether the vault may have a form
    public boolean die() {
        dead = true;
        return tried;
    }

    /// Records that the form of a session that has ended could not be removed.
    public void stays() {
        left = true;
    }

    /// Returns whether the form was left when the session ended: other servers may accept it until it
    /// is removed.
    public boolean isLeft() {
        return left;
    }

    /// Records that another server has changed or ended the session.
    public void stale() {
        stale = true;
    }

    /// Returns whether another server has changed or ended the session, so that no form is written
    /// any more under this id.
    public boolean isStale() {
        return stale;
    }

    /// Records that the session cannot be stored as it is.
    public void unkeepable(int changes) {
        unkeepableChanges = changes;
    }

    /// Returns whether the session could not be stored, and has not changed since.
    public boolean isUnkeepable(int changes) {
        return unkeepableChanges == changes;
    }

    /// Records that the session could not be turned into bytes, which may succeed later.
    public void failed(int changes) {
        failedChanges = changes;
    }

    /// Forgets that the last attempt failed.
    public void mayRetry() {
        failedChanges = -1;
    }

    /// Returns whether the last attempt failed, and the session has not changed since.
    boolean hasFailed(int changes) {
        return failedChanges == changes;
    }
}
