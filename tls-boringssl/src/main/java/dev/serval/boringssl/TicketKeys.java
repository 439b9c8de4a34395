package dev.serval.boringssl;

import io.netty.internal.tcnative.SessionTicketKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/// The keys that seal session tickets (RFC 5077 §4). A new one seals each hour, and the former ones
/// still open tickets for a day, as with the JDK's engine. Immutable.
///
/// @param keys the one that seals first
/// @param fromNanos when it began
record TicketKeys(List<SessionTicketKey> keys, long fromNanos) {
    /// How long a key seals.
    static final long SEALS_NANOS = 3_600_000_000_000L;

    /// How many keys open tickets, which is also how many hours a session may last.
    static final int KEPT = 24;

    private static final SecureRandom RANDOM = new SecureRandom();

    /// Copies the list.
    TicketKeys {
        keys = List.copyOf(keys);
    }

    /// Returns the first key.
    static TicketKeys begin(long nowNanos) {
        return new TicketKeys(List.of(key()), nowNanos);
    }

    /// Returns whether another key has to seal.
    boolean isOver(long nowNanos) {
        return nowNanos - fromNanos >= SEALS_NANOS;
    }

    /// Returns the keys with a new one, and without those that are too old: one for each hour that has
    /// passed, also if no connection began in it.
    TicketKeys next(long nowNanos) {
        long passed = (nowNanos - fromNanos) / SEALS_NANOS;
        List<SessionTicketKey> next = new ArrayList<>(List.of(key()));
        next.addAll(keys.subList(0, Math.clamp(KEPT - passed, 0, keys.size())));
        return new TicketKeys(next, nowNanos);
    }

    /// Returns the keys as BoringSSL takes them.
    SessionTicketKey[] array() {
        return keys.toArray(new SessionTicketKey[0]);
    }

    private static SessionTicketKey key() {
        return new SessionTicketKey(
                random(SessionTicketKey.NAME_SIZE),
                random(SessionTicketKey.HMAC_KEY_SIZE),
                random(SessionTicketKey.AES_KEY_SIZE));
    }

    private static byte[] random(int bytes) {
        byte[] made = new byte[bytes];
        RANDOM.nextBytes(made);
        return made;
    }
}
