package dev.serval.access;

import dev.serval.servlet.password.KeyedHash;
import dev.serval.servlet.request.Identity;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Remembers for a moment whose credentials were right, so that a loop can tell without the users,
/// which may need the disk. The time is not prolonged: a user who was removed is let in for a second
/// longer at most. Any thread.
final class RecentLogins {
    static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final int MAX = 1_000;

    private record Entry(Identity user, long untilNanos) {}

    private final Map<KeyedHash.Value, Entry> entries = new ConcurrentHashMap<>();

    /// Returns whose credentials these are, or null if that is not known.
    @Nullable Identity get(KeyedHash.Value key, long nowNanos) {
        @Nullable Entry entry = entries.get(key);
        return entry == null || nowNanos - entry.untilNanos >= 0 ? null : entry.user;
    }

    /// Remembers right credentials. If there are too many, all others are forgotten.
    void put(KeyedHash.Value key, Identity user, long nowNanos) {
        if (entries.size() >= MAX && !entries.containsKey(key)) {
            entries.clear();
        }
        entries.put(key, new Entry(user, nowNanos + VALID_NANOS));
    }

    int size() {
        return entries.size();
    }
}
