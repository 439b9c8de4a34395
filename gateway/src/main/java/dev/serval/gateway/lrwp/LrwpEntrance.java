package dev.serval.gateway.lrwp;

import dev.serval.conn.Protocol;
import dev.serval.exchange.ServiceLoop;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NoDriver;
import dev.serval.policy.AddressRange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/// The protocol of the listeners for peers. It admits connections and gives each a [Registrar].
///
/// @param mounts what the server serves now
/// @param random for challenges; it must be unpredictable and usable by any thread
@SuppressWarnings("exports") // as in Protocol
record LrwpEntrance(
        LrwpSettings settings,
        LrwpRegistry registry,
        AtomicReference<LrwpMounts> mounts,
        RandomGenerator random)
        implements Protocol {
    private static final String UNAUTHORIZED = "Unauthorized access";

    @Override
    public Driver.Factory drivers(ServiceLoop service) {
        return this::open;
    }

    private Driver open(Connection connection) {
        if (!allows(connection)) {
            return unauthorized(connection);
        }
        if (!registry.enter()) {
            connection.abort();
            return NoDriver.NONE;
        }
        connection.keepAlive(); // an idle peer has no time limit
        return new Registrar(this, connection);
    }

    /// Says why a peer is refused. It takes no place of those that register.
    private Driver unauthorized(Connection connection) {
        registry.countRefusal();
        connection.loop().reportLost("An LRWP peer was refused", new IOException(UNAUTHORIZED));
        String text = "ERROR: " + UNAUTHORIZED; // its version is not known yet
        connection.out().room(text.length()).put(text.getBytes(StandardCharsets.ISO_8859_1));
        return new Unauthorized(connection);
    }

    /// Returns whether the peer's address is allowed.
    private boolean allows(Connection connection) {
        if (settings.from().isEmpty() || !(connection.peer() instanceof InetSocketAddress inet)) {
            return true;
        }
        return AddressRange.contain(settings.from(), inet.getAddress());
    }

    /// The driver of a connection from an address that may not register. It drops what has arrived,
    /// because a close with unread bytes is a reset, which may cost the peer the text.
    private record Unauthorized(Connection connection) implements Driver {
        @Override
        public void readable() { // called at once
            connection.in().fill();
            connection.in().consume(connection.in().length());
            connection.close();
        }

        @Override
        public void blocked() {}

        @Override
        public void drained() {}

        @Override
        public void closed(boolean byPeer) {}

        @Override
        public void drain() {}
    }
}
