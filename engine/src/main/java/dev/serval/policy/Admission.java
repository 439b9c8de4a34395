package dev.serval.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Who is let in: counts open connections and requests in progress against fixed limits. Shared by
/// the loops of a server: one atomic operation a connection, and a [Quota] for each loop's requests
/// that outlast their turn. What is refused is counted by whoever asked.
public final class Admission {
    /// The answer to a new connection.
    public enum Verdict {
        /// Let in; [#leave] is owed.
        ADMITTED,
        /// The server holds as many as it may.
        SERVER_FULL,
        /// This client address holds as many as it may.
        ADDRESS_FULL
    }

    private static final int BATCH_MAX = 64;
    private static final int MIDDLE = 16; // longs: no cache line is shared with anything else
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final int quotaCount;
    private volatile Limits.Counts limits;
    private volatile int batch;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger reserved = new AtomicInteger(); // exchanges, for all shares
    private final List<Quota> quotas = new CopyOnWriteArrayList<>();
    private final Map<InetAddress, Integer> perAddress = new ConcurrentHashMap<>();

    /// Counts against these limits.
    ///
    /// @param quotas how many there will be
    public Admission(Limits.Counts limits, int quotas) {
        this.quotaCount = quotas;
        this.limits = limits;
        this.batch = batch(limits, quotas);
    }

    /// Counts against other limits from now on. What is counted already stays: a lower limit refuses
    /// until enough has ended. Any thread.
    public void replace(Limits.Counts next) {
        batch = batch(next, quotaCount);
        limits = next;
    }

    private static int batch(Limits.Counts limits, int quotas) {
        return Math.clamp(limits.exchangesMax() / (64L * quotas), 1, BATCH_MAX);
    }

    /// Asks for a connection of that client; null if connections are not counted by address, or it
    /// has none (Unix-domain).
    public Verdict enter(@Nullable InetAddress client) {
        if (connections.incrementAndGet() > limits.connectionsMax()) {
            connections.decrementAndGet();
            return Verdict.SERVER_FULL;
        }
        if (client != null) {
            int held = perAddress.merge(client, 1, Integer::sum);
            int most = limits.perAddressMax();
            if (most > 0 && held > most) {
                leave(client);
                return Verdict.ADDRESS_FULL;
            }
        }
        return Verdict.ADMITTED;
    }

    /// Gives a connection back.
    public void leave(@Nullable InetAddress client) {
        connections.decrementAndGet();
        if (client != null) {
            perAddress.computeIfPresent(client, (_, held) -> held == 1 ? null : held - 1);
        }
    }

    /// A new part in the count of requests in progress, for one loop.
    public Quota quota() {
        Quota quota = new Quota();
        quotas.add(quota);
        return quota;
    }

    /// Connections open now.
    public int connections() {
        return connections.get();
    }

    /// Requests in progress now that outlasted their turn.
    public int exchanges() {
        long sum = 0;
        for (Quota quota : quotas) {
            sum += quota.inProgress();
        }
        return (int) sum;
    }

    /// One loop's part in the count of requests in progress. It reserves several at a time and keeps
    /// some, so that most requests touch nothing that other loops write; where the limit is small,
    /// one at a time. All together there are never more than the limit; where all shares keep what
    /// they may, a share is refused at 31/32 of it. Owned by its loop.
    public final class Quota {
        private final long[] cells = new long[2 * MIDDLE]; // in progress, in the middle
        private int spare; // reserved, and not in progress

        private Quota() {}

        /// Asks for a request in progress; where it says yes, [#end] is owed.
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

        /// Gives a request in progress back.
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
