package dev.serval.exchange;

import dev.serval.codec.ClientKey;
import dev.serval.policy.Limits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Admits connections and requests: counts open connections and requests in progress against
/// limits. The loops of a server share it. A connection costs one atomic operation. Each loop has a
/// [Quota] for requests that outlast their turn. Addresses of IPv6 count by their first 64 bits
/// ([ClientKey]). The caller counts refusals.
public final class Admission {
    /// The answer to a new connection.
    public enum Verdict {
        /// The connection is admitted. The caller must call [#leave] when it closes.
        ADMITTED,
        /// The server has as many connections as it may.
        SERVER_FULL,
        /// The client address has as many connections as it may.
        ADDRESS_FULL
    }

    private static final int BATCH_MAX = 64;
    private static final int MIDDLE = 16; // longs; keeps other data off the cache line
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final int quotaCount;
    private volatile Limits.Counts limits;
    private volatile int batch;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger reserved = new AtomicInteger(); // exchanges, by all quotas
    private final Map<Integer, Quota> quotas = new ConcurrentHashMap<>(); // by loop
    private final Map<Long, Integer> perAddress = new ConcurrentHashMap<>();

    /// Creates the counts for these limits.
    ///
    /// @param quotas the number of quotas that there will be
    public Admission(Limits.Counts limits, int quotas) {
        this.quotaCount = quotas;
        this.limits = limits;
        this.batch = batch(limits, quotas);
    }

    /// Replaces the limits. Connections and requests already admitted stay: a lower limit refuses
    /// new ones until enough have ended. Any thread.
    public void replace(Limits.Counts next) {
        batch = batch(next, quotaCount);
        limits = next;
    }

    private static int batch(Limits.Counts limits, int quotas) {
        return Math.clamp(limits.exchangesMax() / (64L * quotas), 1, BATCH_MAX);
    }

    /// Admits or refuses a connection of `client`. Null means that connections are not counted by
    /// address, or that the client has none (Unix-domain).
    public Verdict enter(@Nullable InetAddress client) {
        if (connections.incrementAndGet() > limits.connectionsMax()) {
            connections.decrementAndGet();
            return Verdict.SERVER_FULL;
        }
        if (client != null && !admits(client)) {
            connections.decrementAndGet();
            return Verdict.ADDRESS_FULL;
        }
        return Verdict.ADMITTED;
    }

    /// Counts an admitted connection for `client`, who was not known when it was admitted.
    ///
    /// @return whether the address may have it; if so, [#leave] must be called with the address, and
    ///     otherwise with null
    public boolean admits(InetAddress client) {
        int held = perAddress.merge(ClientKey.of(client), 1, Integer::sum);
        int most = limits.perAddressMax();
        if (most > 0 && held > most) {
            leaveAddress(client);
            return false;
        }
        return true;
    }

    /// Counts the end of a connection that was admitted.
    public void leave(@Nullable InetAddress client) {
        connections.decrementAndGet();
        if (client != null) {
            leaveAddress(client);
        }
    }

    private void leaveAddress(InetAddress client) {
        perAddress.computeIfPresent(ClientKey.of(client), (_, held) -> held == 1 ? null : held - 1);
    }

    /// Returns the quota for the requests of one loop. All listeners of a service have it in common. With one
    /// for each, what a quota has reserved would be lost whenever a listener is closed or served otherwise.
    ///
    /// @param loop the index of the loop
    public Quota quota(int loop) {
        return quotas.computeIfAbsent(loop, _ -> new Quota());
    }

    /// Returns the number of open connections.
    public int connections() {
        return connections.get();
    }

    /// Returns the number of requests in progress that outlasted their turn.
    public int exchanges() {
        long sum = 0;
        for (Quota quota : quotas.values()) {
            sum += quota.inProgress();
        }
        return (int) sum;
    }

    /// Counts the requests in progress of one loop. It reserves several at a time and keeps some,
    /// so that most requests write nothing that other loops write. If the limit is small, it
    /// reserves one at a time. All quotas together never exceed the limit. If other quotas keep all
    /// that they may, a quota may refuse from 31/32 of the limit. Owned by its loop.
    public final class Quota {
        private final long[] cells = new long[2 * MIDDLE]; // the count is in the middle
        private int spare; // reserved but not in progress

        private Quota() {}

        /// Counts the start of a request, unless the limit is reached.
        ///
        /// @return whether the request may start; if so, the caller must call [#end]
        public boolean begin() {
            if (spare == 0) {
                spare = reserve();
            }
            if (spare == 0) {
                return false;
            }
            spare--;
            add(1);
            return true;
        }

        /// Ends a request that was started.
        public void end() {
            add(-1);
            spare++;
            if (batch == 1 || spare > 2 * batch) {
                int back = Math.min(spare, batch);
                spare -= back;
                reserved.addAndGet(-back);
            }
        }

        private int reserve() {
            while (true) {
                int now = reserved.get();
                int more = Math.min(batch, limits.exchangesMax() - now);
                if (more <= 0) {
                    return 0;
                }
                if (reserved.compareAndSet(now, now + more)) {
                    return more;
                }
            }
        }

        private void add(int change) {
            CELL.setOpaque(cells, MIDDLE, cells[MIDDLE] + change);
        }

        /// Any thread.
        private long inProgress() {
            return (long) CELL.getOpaque(cells, MIDDLE);
        }
    }
}
