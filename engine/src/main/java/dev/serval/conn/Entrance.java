package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NetLoop;
import dev.serval.policy.ProxyProtocol;
import org.jspecify.annotations.Nullable;

/// Accepts the connections of one listener on one loop, whatever their protocol: counts each one, and
/// admits it or resets it. If the listener requires PROXY headers, a [ProxyHeaderDriver] reads the
/// header before the protocol's driver is created. Owned by the loop.
///
/// @param service the loop's part of the listener's service
/// @param drivers creates the first driver of each connection
record Entrance(ServiceLoop service, Drivers drivers) implements Driver.Factory {
    /// Creates the drivers of one protocol. A driver that only chooses the protocol calls it later,
    /// and hands the connection over by [Connection#driver].
    @FunctionalInterface
    interface Drivers {
        /// Creates a driver. Its first [Driver#readable] follows at once, and the input may have
        /// bytes then that another driver has read.
        Driver open(AcceptedConnection connection);
    }

    @Override
    public long acceptPauseNanos(NetLoop net) {
        return service.limits().load().forced() == null
                ? service.exchanges().load().acceptPauseNanos()
                : 0;
    }

    @Override
    public Driver open(Connection connection) {
        AcceptedConnection accepted = new AcceptedConnection(service, connection);
        @Nullable ProxyProtocol proxies = service.proxyProtocol();
        if (proxies != null) {
            ProxyHeaderDriver reader = new ProxyHeaderDriver(accepted, drivers);
            reader.begin(proxies);
            return reader;
        }
        Driver driver = drivers.open(accepted); // first: it may fail
        accepted.enter();
        return driver;
    }
}
