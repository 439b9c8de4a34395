package dev.serval;

import dev.serval.conn.Protocol;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;

/// Changes of the listeners of a running server in which no connection is refused: addresses are reserved
/// before they are used, and sockets stay open while what they serve changes. Any thread but those that
/// run an event loop.
public final class ListenerChanges {
    private final Listeners listeners;
    private final Protocol http;

    ListenerChanges(Listeners listeners, Protocol http) {
        this.listeners = listeners;
        this.http = http;
    }

    /// Binds the address of a listener that accepts later. So a change of several listeners and routes
    /// can be refused before any of it has an effect. Clients are refused until then; with java.nio they
    /// wait.
    ///
    /// @param replaced addresses of listeners that are to be closed after this one accepts, or to
    ///     [#join] it. An address that overlaps with them, such as 0.0.0.0 with 127.0.0.1, counts as free
    /// @throws IOException if the address cannot be listened at; the message names it
    /// @throws IllegalStateException if the server has stopped, or on an event loop
    public ReservedListener reserve(ListenerSpec spec, List<SocketAddress> replaced)
            throws IOException {
        return listeners.reserve(spec, http, replaced);
    }

    /// Serves new connections of the listener at one of [Serval#addresses] as `spec` says, whose address does
    /// not matter. No connection is refused meanwhile. Those that it has accepted end as after
    /// [Serval#close]. A backlog changes only with epoll.
    ///
    /// @throws IOException if an event loop does not answer within seconds; it does so later
    /// @throws IllegalArgumentException if there is no such listener
    /// @throws IllegalStateException on an event loop
    public void serve(SocketAddress address, ListenerSpec spec) throws IOException {
        listeners.serve(address, spec, http);
    }

    /// Has each listener with TLS look at its certificates now, so that connections which begin afterwards get
    /// those that have changed ([dev.serval.tls.TlsProvider#look]). Waits for the disk.
    ///
    /// @return whether there was something new to use
    public boolean lookAtCertificates() {
        return listeners.lookAtCertificates();
    }

    /// Serves new connections of the listener at one of [Serval#addresses] as those of another one, which
    /// counts them as its own. The system prefers the listener at 127.0.0.1 to the one at 0.0.0.0, so
    /// while it is open no connection there is refused.
    ///
    /// @throws IOException if an event loop does not answer within seconds; it does so later
    /// @throws IllegalArgumentException if there is no such listener
    /// @throws IllegalStateException on an event loop
    public void join(SocketAddress address, SocketAddress other) throws IOException {
        listeners.join(address, other, http);
    }
}
