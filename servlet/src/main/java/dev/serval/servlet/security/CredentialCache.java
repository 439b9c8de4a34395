package dev.serval.servlet.security;

import dev.serval.servlet.users.Account;
import dev.serval.servlet.users.Users;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Remembers for a short time which credentials were right, because BASIC sends them with each
/// request and their hash is slow by intention. The time begins again with each use if a change of
/// the users is noticed. The key of an entry is an HMAC of the credentials
/// with a random key of the process, so that a heap dump shows no password. Any thread.
final class CredentialCache {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

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
    private final Mac prototype;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    CredentialCache(int max, long validNanos, SecureRandom random) {
        this.max = max;
        this.validNanos = validNanos;
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        try {
            prototype = Mac.getInstance(ALGORITHM);
            prototype.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no " + ALGORITHM, e);
        }
    }

    /// Returns the key of credentials.
    String key(String credentials) {
        try {
            Mac mac = (Mac) prototype.clone();
            byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
            return Base64.getEncoder().encodeToString(mac.doFinal(bytes));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The " + ALGORITHM + " of this JDK has no copies", e);
        }
    }

    /// Returns whose credentials these are; null if that is not known.
    ///
    /// @param version of the users
    @Nullable Account get(String key, long version, long nowNanos) {
        @Nullable Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        if (entry.version != version || nowNanos - entry.untilNanos >= 0) {
            entries.remove(key, entry);
            return null;
        }
        if (version != Users.UNKNOWN_VERSION) {
            entry.untilNanos = nowNanos + validNanos; // a change of the users would be known
        }
        return entry.account;
    }

    /// Remembers right credentials, in place of any others if there are too many.
    void put(String key, Account account, long version, long nowNanos) {
        entries.put(key, new Entry(account, version, nowNanos + validNanos));
        if (entries.size() > max) {
            shrink(nowNanos);
        }
    }

    private void shrink(long nowNanos) {
        entries.values().removeIf(entry -> nowNanos - entry.untilNanos >= 0);
        Iterator<String> any = entries.keySet().iterator();
        while (entries.size() > max && any.hasNext()) {
            any.next();
            any.remove();
        }
    }

    int size() {
        return entries.size();
    }
}
