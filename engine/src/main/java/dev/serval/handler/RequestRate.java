package dev.serval.handler;

import dev.serval.codec.ClientKey;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Predicate;

/// Limits how many requests each client address may send in a time. A client may send some at once,
/// and then as many as the rate allows. Addresses of IPv6 count by their first 64 bits
/// ([ClientKey]).
///
/// The table has a fixed size. If its places for an address are taken, the client that could send
/// soonest loses its place, and may send as one that has not sent before. Any thread; takes no lock
/// and allocates nothing for IPv4.
public final class RequestRate {
    /// The fewest clients that a table has room for.
    public static final int CLIENTS_MIN = 8;

    private static final int WAYS = 8; // places for one address
    private static final long TOLERANCE_MAX_NANOS = Long.MAX_VALUE / 8;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final long EMPTY = ClientKey.NONE;

    private final long gapNanos; // between two requests
    private final long toleranceNanos; // how much earlier than that a request may come
    private final Predicate<InetAddress> except;
    private final long seed; // so that no client can choose whose place it takes
    private final int sets;
    private final AtomicLongArray keys;
    private final AtomicLongArray nextNanos; // when the client's requests so far are worked off

    /// Creates a limit.
    ///
    /// @param requests how many a client may send in `perNanos`
    /// @param burst how many it may send at once
    /// @param clientsMax how many clients are remembered at most
    /// @param except tells which clients have no limit
    public RequestRate(
            int requests, long perNanos, int burst, int clientsMax, Predicate<InetAddress> except) {
        if (requests < 1 || perNanos < requests || burst < 1 || clientsMax < CLIENTS_MIN) {
            throw new IllegalArgumentException(
                    "A rate needs 1 request or more in its time, and room for "
                            + CLIENTS_MIN
                            + " clients or more");
        }
        this.gapNanos = perNanos / requests;
        // A client may not save up for more than some decades, or these numbers would overflow.
        this.toleranceNanos = Math.min(burst - 1, TOLERANCE_MAX_NANOS / gapNanos) * gapNanos;
        this.except = except;
        this.seed = new SecureRandom().nextLong() | 1;
        this.sets = Integer.highestOneBit(clientsMax / WAYS);
        this.keys = new AtomicLongArray(sets * WAYS);
        this.nextNanos = new AtomicLongArray(sets * WAYS);
    }

    /// Counts a request of `client`, if it may be sent now.
    ///
    /// @param nowNanos the monotonic clock
    /// @return 0 if it may; otherwise the time until one may be sent
    public long take(InetAddress client, long nowNanos) {
        if (except.test(client)) {
            return 0;
        }
        long key = ClientKey.of(client);
        int first = (int) (((key * seed * MIX) >>> 33) & (sets - 1)) * WAYS;
        for (int i = first; i < first + WAYS; i++) {
            if (keys.get(i) == key) {
                return take(i, nowNanos);
            }
        }
        enter(first, key, nowNanos);
        return 0;
    }

    /// Counts a request of the client at a place.
    private long take(int place, long nowNanos) {
        while (true) {
            long before = nextNanos.get(place);
            long early = before - nowNanos;
            if (early > toleranceNanos) {
                return early - toleranceNanos;
            }
            if (nextNanos.compareAndSet(place, before, nowNanos + Math.max(0, early) + gapNanos)) {
                return 0;
            }
        }
    }

    /// Gives a client the place of the one that could send soonest. Two threads that do so for one
    /// client may both succeed; then it has two places until one is lost.
    private void enter(int first, long key, long nowNanos) {
        while (true) {
            int place = first;
            long least = Long.MAX_VALUE;
            for (int i = first; i < first + WAYS; i++) {
                long early = keys.get(i) == EMPTY ? Long.MIN_VALUE : nextNanos.get(i) - nowNanos;
                if (early < least) {
                    least = early;
                    place = i;
                }
            }
            long former = keys.get(place);
            if (keys.compareAndSet(place, former, key)) {
                nextNanos.set(place, nowNanos + gapNanos);
                return;
            }
        }
    }
}
