package dev.serval.servlet.password;

import dev.serval.servlet.request.Identity;
import dev.serval.servlet.users.Users;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Remembers for a short time which credentials were right, because BASIC sends them with each
/// request and their hash is slow by intention. The time begins again with each use if a change of
/// the users is noticed. An entry is found by a hash of the field that the client sent, made with a
/// random key of the process. Entries hold no password, but a heap dump has the key, too: who has
/// the dump can try passwords against the hashes, fast, and so finds weak ones. Any thread.
final class CredentialCache {
    private static final int RENEWALS = 64; // while an entry is valid, at most

    private static final class Entry {
        final Identity user;
        final long version;
        volatile long untilNanos;

        Entry(Identity user, long version, long untilNanos) {
            this.user = user;
            this.version = version;
            this.untilNanos = untilNanos;
        }
    }

    private final int max;
    private final long validNanos;
    private final KeyedHash hash;
    private final Map<KeyedHash.Value, Entry> entries = new ConcurrentHashMap<>();

    CredentialCache(int max, long validNanos, SecureRandom random) {
        this.max = max;
        this.validNanos = validNanos;
        byte[] key = new byte[KeyedHash.KEY_BYTES];
        random.nextBytes(key);
        hash = new KeyedHash(key);
    }

    /// Returns the key of credentials.
    KeyedHash.Value key(String credentials) {
        return hash.of(credentials.getBytes(StandardCharsets.UTF_8));
    }

    /// Returns whose credentials these are; null if that is not known.
    ///
    /// @param version of the users
    @Nullable Identity get(KeyedHash.Value key, long version, long nowNanos) {
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
        return entry.user;
    }

    /// Prolongs an entry. Writes seldom, because requests on other processors read it.
    private void renew(Entry entry, long untilNanos) {
        if (untilNanos - entry.untilNanos > validNanos / RENEWALS) {
            entry.untilNanos = untilNanos;
        }
    }

    /// Remembers right credentials, in place of any others if there are too many.
    void put(KeyedHash.Value key, Identity user, long version, long nowNanos) {
        entries.put(key, new Entry(user, version, nowNanos + validNanos));
        if (entries.size() > max) {
            shrink(nowNanos);
        }
    }

    private void shrink(long nowNanos) {
        entries.values().removeIf(entry -> nowNanos - entry.untilNanos >= 0);
        Iterator<KeyedHash.Value> any = entries.keySet().iterator();
        while (entries.size() > max && any.hasNext()) {
            any.next();
            any.remove();
        }
    }

    int size() {
        return entries.size();
    }
}
