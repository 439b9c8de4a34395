package dev.serval.servlet.security;

import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.Users;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Remembers for a short time which credentials were right, because BASIC sends them with each
/// request and their hash is slow by intention. The time begins again with each use if a change of
/// the users is noticed. An entry is found by a digest of the field that the client sent, made with
/// a random key of the process, so that the entries show no password in a heap dump. Any thread.
final class CredentialCache {
    private static final String ALGORITHM = "SHA-256";
    private static final int RENEWALS = 64; // while an entry is valid, at most
    private static final int KEY_BYTES = 64; // a whole block, so that it is digested once
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /// The digest of credentials: 256 bits.
    record Key(long first, long second, long third, long fourth) {
        @Override
        public int hashCode() {
            return (int) first; // as random as any other part
        }
    }

    private static final class Entry {
        final Account account;
        final long version;
        volatile long untilNanos;

        Entry(Account account, long version, long untilNanos) {
            this.account = account;
            this.version = version;
            this.untilNanos = untilNanos;
        }
    }

    private final int max;
    private final long validNanos;
    private final MessageDigest keyed;
    private final Map<Key, Entry> entries = new ConcurrentHashMap<>();

    CredentialCache(int max, long validNanos, SecureRandom random) {
        this.max = max;
        this.validNanos = validNanos;
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        try {
            keyed = MessageDigest.getInstance(ALGORITHM);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK has no " + ALGORITHM, e);
        }
        keyed.update(key);
    }

    /// Returns the key of credentials. The digest is not shown to clients, so a key in front of the
    /// text is enough.
    Key key(String credentials) {
        byte[] digest;
        try {
            digest =
                    ((MessageDigest) keyed.clone())
                            .digest(credentials.getBytes(StandardCharsets.UTF_8));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The " + ALGORITHM + " of this JDK has no copies", e);
        }
        return new Key(
                (long) LONGS.get(digest, 0),
                (long) LONGS.get(digest, 8),
                (long) LONGS.get(digest, 16),
                (long) LONGS.get(digest, 24));
    }

    /// Returns whose credentials these are; null if that is not known.
    ///
    /// @param version of the users
    @Nullable Account get(Key key, long version, long nowNanos) {
        @Nullable Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.version != version || nowNanos - entry.untilNanos >= 0) {
            entries.remove(key, entry);
            return null;
        }
        if (version != Users.UNKNOWN_VERSION) {
            renew(entry, nowNanos + validNanos); // a change of the users would be known
        }
        return entry.account;
    }

    /// Prolongs an entry. Writes seldom, because requests on other processors read it.
    private void renew(Entry entry, long untilNanos) {
        if (untilNanos - entry.untilNanos > validNanos / RENEWALS) {
            entry.untilNanos = untilNanos;
        }
    }

    /// Remembers right credentials, in place of any others if there are too many.
    void put(Key key, Account account, long version, long nowNanos) {
        entries.put(key, new Entry(account, version, nowNanos + validNanos));
        if (entries.size() > max) {
            shrink(nowNanos);
        }
    }

    private void shrink(long nowNanos) {
        entries.values().removeIf(entry -> nowNanos - entry.untilNanos >= 0);
        Iterator<Key> any = entries.keySet().iterator();
        while (entries.size() > max && any.hasNext()) {
            any.next();
            any.remove();
        }
    }

    int size() {
        return entries.size();
    }
}
