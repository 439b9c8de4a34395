package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.policy.Admission;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Serves HTTP/1.1 (RFC 9112), and HTTP/1.0 as far as it is the same.
///
/// @param leniency deviations from RFC 9112 that are accepted
@SuppressWarnings("exports") // as in Protocol
public record Http1(Set<Leniency> leniency) implements Protocol {
    /// Copies the set.
    public Http1 {
        leniency = Set.copyOf(leniency);
    }

    @Override
    public Driver.Factory drivers(ServiceLoop service) {
        return new Entrance(new HttpLoop(service, leniency));
    }

    /// Admits connections or resets them. Owned by its loop.
    private record Entrance(HttpLoop http) implements Driver.Factory {
        @Override
        public Driver open(Connection connection) {
            @Nullable InetAddress client = client(connection);
            Http1Connection driver = new Http1Connection(http, connection); // first: it may fail
            count(Counter.CONNECTIONS_ACCEPTED);
            switch (admission().enter(client)) {
                case ADMITTED -> driver.admitted(client);
                case SERVER_FULL -> refuse(connection, Counter.CONNECTIONS_REFUSED_LIMIT);
                case ADDRESS_FULL -> refuse(connection, Counter.CONNECTIONS_REFUSED_ADDRESS);
            }
            return driver;
        }

        private void refuse(Connection connection, Counter reason) {
            http.service().metrics().refuse(reason);
            connection.abort();
        }

        /// Returns the client's address if connections are counted by address.
        private @Nullable InetAddress client(Connection connection) {
            if (http.limits().counts().perAddressMax() == 0) {
                return null;
            }
            return connection.peer() instanceof InetSocketAddress address
                    ? address.getAddress()
                    : null;
        }

        private Admission admission() {
            return http.service().service().admission();
        }

        private void count(Counter counter) {
            http.service().metrics().count(counter);
        }
    }
}
