package dev.serval.gateway.lrwp;

import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.net.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The applications that peers have registered. An application stays in the table after its last
/// peer has left, so that its counters go on when it comes back; it is removed if the table is full.
/// Any thread; no lock is taken.
final class LrwpRegistry {
    private static final int ATTEMPTS = 3;

    private final LrwpSettings settings;
    private final AtomicReference<LrwpRoutes> routes = new AtomicReference<>(LrwpRoutes.EMPTY);
    private final AtomicInteger unregistered = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    LrwpRegistry(LrwpSettings settings) {
        this.settings = settings;
    }

    /// Returns the current table.
    LrwpRoutes routes() {
        return routes.get();
    }

    /// Returns how many peers were refused.
    long refused() {
        return refused.sum();
    }

    /// Counts a connection that has not registered yet.
    ///
    /// @return whether the limit allows it
    boolean enter() {
        if (unregistered.incrementAndGet() <= settings.startup().unregisteredMax()) {
            return true;
        }
        unregistered.decrementAndGet();
        refused.increment();
        return false;
    }

    /// Counts the end of a registration.
    void leave() {
        unregistered.decrementAndGet();
    }

    /// Returns the connections that have not registered yet.
    int unregistered() {
        return unregistered.get();
    }

    /// Returns the peers of all applications. Loops that register peers at the same moment may pass
    /// the limit by one for each loop.
    private int peers() {
        int sum = 0;
        for (LrwpApplication one : routes.get().all()) {
            sum += one.pool().open();
        }
        return sum;
    }

    void countRefusal() {
        refused.increment();
    }

    /// Adds a peer to its application.
    ///
    /// @return null if there are too many names, peers, or peers of this name
    @Nullable Peer join(Registration registration, Connection connection) {
        if (peers() >= settings.startup().peersMax()) {
            return null;
        }
        for (int i = 0; i < ATTEMPTS; i++) { // an application may be removed at this moment
            long now = connection.loop().nowNanos();
            @Nullable LrwpApplication application = application(registration, now);
            if (application == null) {
                return null;
            }
            @Nullable Peer peer = application.pool().join(connection);
            if (peer != null) {
                return peer;
            }
            if (application.equals(routes.get().of(registration))) {
                return null; // it is full
            }
        }
        return null;
    }

    /// Removes the applications whose last peer left long ago. Any thread.
    ///
    /// @param nowNanos a reading of the clock of the loops
    void forget(long nowNanos) {
        for (LrwpApplication one : routes.get().all()) {
            while (one.absentNanos(nowNanos) >= settings.startup().names().forgetNanos()) {
                LrwpRoutes now = routes.get();
                if (routes.compareAndSet(now, now.without(one))) {
                    one.pool().drain(); // a peer that joins at this moment is closed
                    break;
                }
            }
        }
    }

    private @Nullable LrwpApplication application(Registration registration, long nowNanos) {
        forget(nowNanos);
        while (true) {
            LrwpRoutes now = routes.get();
            @Nullable LrwpApplication known = now.of(registration);
            if (known != null) {
                return known;
            }
            if (now.all().size() < settings.startup().names().max()) {
                LrwpApplication made = made(registration);
                if (routes.compareAndSet(now, now.with(made))) {
                    return made;
                }
            } else if (!removeAbsent(now)) {
                return null;
            }
        }
    }

    private LrwpApplication made(Registration registration) {
        String name = registration.name();
        String host = registration.host();
        String shown = host.isEmpty() ? name : name + " on " + host;
        return new LrwpApplication(
                registration,
                PeerPool.dialIn(shown, settings.pool()),
                settings.allowed().isNamed(name));
    }

    /// Removes the oldest application without peers.
    ///
    /// @return whether there was one
    private boolean removeAbsent(LrwpRoutes now) {
        for (LrwpApplication one : now.all()) {
            if (!one.isPresent()) {
                if (routes.compareAndSet(now, now.without(one))) {
                    one.pool().drain(); // a peer that joins at this moment is closed
                }
                return true;
            }
        }
        return false;
    }
}
