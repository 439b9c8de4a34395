package dev.serval.gateway.peer;

import dev.serval.metrics.Distribution;
import dev.serval.net.NetLoop;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The parts of a [PeerPool], one for each loop that has used it. Any thread, but for [#at].
final class PoolLoops {
    private static final PoolLoop[] NONE = {};

    private final Function<NetLoop, PoolLoop> made;
    private final AtomicReference<@Nullable PoolLoop[]> loops = new AtomicReference<>(NONE);

    /// @param made creates the part of a loop
    PoolLoops(Function<NetLoop, PoolLoop> made) {
        this.made = made;
    }

    /// Returns the part of a loop. Only that loop creates it.
    PoolLoop at(NetLoop net) {
        int index = net.loop().index();
        @Nullable PoolLoop[] known = loops.get();
        @Nullable PoolLoop present = index < known.length ? known[index] : null;
        return present != null ? present : added(net, index);
    }

    private PoolLoop added(NetLoop net, int index) {
        PoolLoop part = made.apply(net);
        while (true) {
            @Nullable PoolLoop[] known = loops.get();
            @Nullable PoolLoop[] more = Arrays.copyOf(known, Math.max(known.length, index + 1));
            more[index] = part;
            if (loops.compareAndSet(known, more)) {
                return part;
            }
        }
    }

    /// Lets each loop look at the queue.
    void matchAll() {
        for (@Nullable PoolLoop loop : loops.get()) {
            if (loop != null) {
                loop.net.loop().submit(loop.match);
            }
        }
    }

    /// Lets each other loop with an idle peer look at the queue.
    ///
    /// @return whether there is one
    boolean matchIdle(PoolLoop here) {
        boolean found = false;
        for (@Nullable PoolLoop loop : loops.get()) {
            if (loop != null && loop != here && loop.hasIdle()) {
                loop.net.loop().submit(loop.match);
                found = true;
            }
        }
        return found;
    }

    /// Returns whether another loop has an idle peer.
    boolean idleElsewhere(PoolLoop here) {
        for (@Nullable PoolLoop loop : loops.get()) {
            if (loop != null && loop != here && loop.hasIdle()) {
                return true;
            }
        }
        return false;
    }

    /// Returns the sums of the counters of all loops.
    ///
    /// @param open connections
    /// @param busy requests that are at a peer
    /// @param waiting requests in the queue
    PoolStatus status(String name, int open, int busy, int waiting) {
        Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
        Map<PeerFault, Long> failed = new EnumMap<>(PeerFault.class);
        Distribution times = Distribution.NONE;
        long served = 0;
        for (@Nullable PoolLoop loop : loops.get()) {
            if (loop == null) {
                continue;
            }
            served += loop.served();
            times = times.plus(loop.times.read());
            for (Refusal why : Refusal.values()) {
                refused.merge(why, loop.sum(why), Long::sum);
            }
            for (PeerFault why : PeerFault.values()) {
                failed.merge(why, loop.sum(why), Long::sum);
            }
        }
        return new PoolStatus(name, open, busy, waiting, served, refused, failed, times);
    }
}
