package dev.serval.gateway.peer;

import static java.util.Objects.requireNonNull;

import dev.serval.loop.Command;
import dev.serval.metrics.Histogram;
import dev.serval.net.NetLoop;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// One loop's part of a [PeerPool]: its idle peers and its counters. Owned by the loop; any thread
/// may read the counters and submit [#match].
final class PoolLoop {
    final NetLoop net;
    final IdlePeers[] idle; // by upstream
    final Command match;
    final Histogram times = new Histogram(); // of the answers that were complete
    private final Map<Refusal, AtomicLong> refused = counters(Refusal.class, Refusal.values());
    private final Map<PeerFault, AtomicLong> failed = counters(PeerFault.class, PeerFault.values());
    private final AtomicLong served = new AtomicLong();
    final long[] positions; // by upstream: see UpstreamChoice.took
    long position; // from which the upstream that was chosen last has moved

    /// @param dialsOut whether the peers are connections to upstreams
    PoolLoop(PeerPool pool, NetLoop net, int upstreams, boolean dialsOut) {
        this.net = net;
        this.match = new Command(() -> pool.match(this));
        this.positions = new long[upstreams];
        this.idle = new IdlePeers[upstreams];
        for (int i = 0; i < upstreams; i++) {
            idle[i] = new IdlePeers(dialsOut);
        }
    }

    void count(Refusal why) {
        add(requireNonNull(refused.get(why)));
    }

    void count(PeerFault why) {
        add(requireNonNull(failed.get(why)));
    }

    void countServed() {
        add(served);
    }

    long sum(Refusal why) {
        return requireNonNull(refused.get(why)).getOpaque();
    }

    long sum(PeerFault why) {
        return requireNonNull(failed.get(why)).getOpaque();
    }

    long served() {
        return served.getOpaque();
    }

    /// Returns whether it has an idle peer. Any thread.
    boolean hasIdle() {
        for (IdlePeers peers : idle) {
            if (peers.count() > 0) {
                return true;
            }
        }
        return false;
    }

    private static void add(AtomicLong counter) {
        counter.setOpaque(counter.getPlain() + 1);
    }

    private static <K extends Enum<K>> Map<K, AtomicLong> counters(Class<K> type, K[] keys) {
        Map<K, AtomicLong> counters = new EnumMap<>(type);
        for (K key : keys) {
            counters.put(key, new AtomicLong());
        }
        return counters;
    }
}
