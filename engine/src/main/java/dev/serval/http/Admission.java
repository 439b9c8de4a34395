package dev.serval.http;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Who is let in: counts open connections and requests in progress against fixed limits. Shared by
/// the loops of a server; one atomic operation a connection, and one for a request that outlasts
/// its turn. What is refused is counted by whoever asked.
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

    private final Limits.Counts limits;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger exchanges = new AtomicInteger();
    private final Map<InetAddress, Integer> perAddress = new ConcurrentHashMap<>();

    /// Counts against these limits.
    public Admission(Limits.Counts limits) {
        this.limits = limits;
    }

    /// Asks for a connection of that client; null where it has no address (Unix-domain).
    public Verdict enter(@Nullable InetAddress client) {
        if (connections.incrementAndGet() > limits.connectionsMax()) {
            connections.decrementAndGet();
            return Verdict.SERVER_FULL;
        }
        if (limits.perAddressMax() > 0 && client != null) {
            int held = perAddress.merge(client, 1, Integer::sum);
            if (held > limits.perAddressMax()) {
                leave(client);
                return Verdict.ADDRESS_FULL;
            }
        }
        return Verdict.ADMITTED;
    }

    /// Gives a connection back.
    public void leave(@Nullable InetAddress client) {
        connections.decrementAndGet();
        if (limits.perAddressMax() > 0 && client != null) {
            perAddress.computeIfPresent(client, (_, held) -> held == 1 ? null : held - 1);
        }
    }

    /// Asks for a request in progress; where it says yes, [#end] is owed.
    public boolean begin() {
        if (exchanges.incrementAndGet() > limits.exchangesMax()) {
            exchanges.decrementAndGet();
            return false;
        }
        return true;
    }

    /// Gives a request in progress back.
    public void end() {
        exchanges.decrementAndGet();
    }

    /// Connections open now.
    public int connections() {
        return connections.get();
    }

    /// Requests in progress now that outlasted their turn.
    public int exchanges() {
        return exchanges.get();
    }
}
