package dev.serval.examples.shop.store;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Brakes those who guess passwords. It counts wrong passwords for ten minutes from the first one, and
/// then refuses to check more until these minutes are over:
///
/// - [#PAIR_MAX] for an account from one address,
/// - [#ADDRESS_MAX] for all accounts from one address,
/// - [#ACCOUNT_MAX] for an account from all addresses.
///
/// So nobody can lock others out from one address. Attempts for the same account from the same address
/// are checked one after the other, so many at once get no further than one. A right password ends the
/// count for its pair. May be used by any thread.
public final class Guesses {
    static final int PAIR_MAX = 5;
    static final int ADDRESS_MAX = 50;
    static final int ACCOUNT_MAX = 100;
    static final long WINDOW_NANOS = TimeUnit.MINUTES.toNanos(10);

    /// Counts that are kept. The one that changed first goes.
    static final int KEPT_MAX = 30_000;

    /// No account has a longer name.
    private static final int NAME_MAX = 80;

    /// The network of an IPv6 address, in which a client may choose the rest (RFC 6177 §2).
    private static final int NETWORK_BYTES = 8;

    private static final int TURNS = 64;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final LongSupplier nanos;
    private final SequencedMap<String, Count> counts = new LinkedHashMap<>(); // under its own lock

    /// Locks for attempts, by account and address.
    private final Object[] turns = new Object[TURNS];

    /// What is counted, and how much of it is allowed.
    private record Limit(String key, int max) {}

    private record Count(int wrong, long sinceNanos) {}

    /// The end of an attempt.
    ///
    /// @param found whom the password belongs to; null if it is wrong or was not checked
    /// @param waitSeconds after which attempts are checked again; 0 if this one was
    public record Result<T>(@Nullable T found, long waitSeconds) {
        /// Returns whether the password was not checked.
        public boolean isRefused() {
            return waitSeconds > 0;
        }
    }

    /// @param nanos the time in nanoseconds
    public Guesses(LongSupplier nanos) {
        this.nanos = nanos;
        Arrays.setAll(turns, _ -> new Object());
    }

    /// Checks a password, unless too many were wrong.
    ///
    /// @param account a name, whether there is such an account or not
    /// @param address of the client
    /// @param check returns whom the password belongs to, or null if it is wrong
    public <T> Result<T> attempt(String account, String address, Supplier<@Nullable T> check) {
        String name = account.substring(0, Math.min(account.length(), NAME_MAX));
        String from = network(address);
        String pair = from + " " + name;
        List<Limit> limits =
                List.of(
                        new Limit("pair " + pair, PAIR_MAX),
                        new Limit("address " + from, ADDRESS_MAX),
                        new Limit("account " + name, ACCOUNT_MAX));
        synchronized (turns[Math.floorMod(pair.hashCode(), TURNS)]) {
            long wait = waitNanos(limits);
            if (wait > 0) {
                return new Result<>(null, (wait + SECOND_NANOS - 1) / SECOND_NANOS);
            }
            T found = check.get();
            if (found == null) {
                limits.forEach(this::countWrong);
            } else {
                forget(limits.getFirst());
            }
            return new Result<>(found, 0);
        }
    }

    /// Returns the number of counts that are kept.
    int kept() {
        synchronized (counts) {
            return counts.size();
        }
    }

    /// Returns how long the limits allow no attempt; 0 if they allow one.
    private long waitNanos(List<Limit> limits) {
        long wait = 0;
        synchronized (counts) {
            for (Limit limit : limits) {
                Count count = present(limit);
                if (count.wrong >= limit.max) {
                    wait = Math.max(wait, WINDOW_NANOS - (nanos.getAsLong() - count.sinceNanos));
                }
            }
        }
        return wait;
    }

    private void countWrong(Limit limit) {
        synchronized (counts) {
            Count before = present(limit);
            counts.putLast(limit.key, new Count(before.wrong + 1, before.sinceNanos));
            if (counts.size() > KEPT_MAX) {
                counts.pollFirstEntry();
            }
        }
    }

    private void forget(Limit limit) {
        synchronized (counts) {
            counts.remove(limit.key);
        }
    }

    /// Returns the count of this time, which may be none.
    private Count present(Limit limit) {
        long now = nanos.getAsLong();
        Count count = counts.get(limit.key);
        return count == null || now - count.sinceNanos >= WINDOW_NANOS ? new Count(0, now) : count;
    }

    private static String network(String address) {
        try {
            InetAddress parsed = InetAddress.ofLiteral(address);
            return parsed instanceof Inet6Address
                    ? HexFormat.of().formatHex(parsed.getAddress(), 0, NETWORK_BYTES)
                    : address;
        } catch (IllegalArgumentException e) {
            return address; // a container may have other names for its clients
        }
    }
}
