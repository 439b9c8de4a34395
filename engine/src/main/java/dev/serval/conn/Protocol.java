package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.net.Driver;

/// What the connections of a listener speak. Immutable.
@FunctionalInterface
@SuppressWarnings("exports") // made by the engine and its own modules only
public interface Protocol {
    /// Makes what drives the listener's connections on one loop. On the thread that starts the
    /// server.
    Driver.Factory drivers(ServiceLoop service);
}
