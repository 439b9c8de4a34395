package dev.serval.gateway.peer;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/// Tells the log what changes at the upstreams of a pool: not each event, but each change. A
/// virtual thread logs, because a loop must never wait for the log. Any thread.
final class PoolLog {
    private static final System.Logger LOG = System.getLogger(PoolLog.class.getName());

    private final String name;
    private final AtomicBoolean unasked = new AtomicBoolean();

    /// @param name of the pool, for people
    PoolLog(String name) {
        this.name = name;
    }

    /// Notes that an upstream begins to rest.
    void rests(Upstream upstream, PeerFault why) {
        if (!upstream.addresses().isEmpty()) {
            tell(
                    WARNING,
                    text(upstream)
                            + " failed several times in a row, at last as "
                            + why
                            + ". Until it answers again, it gets requests only if no other is up.");
        }
    }

    /// Notes that an upstream has answered after a rest.
    void answersAgain(Upstream upstream) {
        if (!upstream.addresses().isEmpty()) {
            tell(INFO, text(upstream) + " answers again.");
        }
    }

    /// Notes that a peer has sent bytes that no request asked for. Only the first time is logged.
    void unasked(Upstream upstream) {
        if (!unasked.get() && unasked.compareAndSet(false, true)) {
            tell(
                    WARNING,
                    text(upstream)
                            + " sent bytes that no request asked for, so this server closed the"
                            + " connection. Further ones are only counted.");
        }
    }

    private String text(Upstream upstream) {
        return "Upstream " + upstream.name() + " of " + name;
    }

    private static void tell(Level level, String text) {
        Thread.ofVirtual().name("serval-upstream-log").start(() -> LOG.log(level, text));
    }
}
