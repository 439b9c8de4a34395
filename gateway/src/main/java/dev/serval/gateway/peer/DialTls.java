package dev.serval.gateway.peer;

import dev.serval.gateway.tls.TlsTrouble;
import dev.serval.gateway.tls.UpstreamTls;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Encryption;
import dev.serval.net.NetLoop;
import dev.serval.net.Network;
import dev.serval.net.Transport;
import dev.serval.tls.TlsHost;
import dev.serval.tls.TlsTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// The part of a [Dial] after the connect: TLS over the new connection, and its driver until both sides
/// agree. Afterwards it notes why the connection ends, if that is a fault of TLS. Owned by the loop of
/// the connection.
final class DialTls implements Driver.Factory, Driver, TlsHost {
    private final Dial dial;
    private final Upstream upstream;
    private final UpstreamTls tls;
    private final SocketAddress address;
    private final long handshakeNanos;
    private @Nullable Connection connection;
    private @Nullable PeerFault fault;

    /// @param address that is connected to
    /// @param handshakeNanos the most time for a handshake; the dial itself usually ends before
    DialTls(
            Dial dial,
            Upstream upstream,
            UpstreamTls tls,
            SocketAddress address,
            long handshakeNanos) {
        this.dial = dial;
        this.upstream = upstream;
        this.tls = tls;
        this.address = address;
        this.handshakeNanos = handshakeNanos;
    }

    /// Returns why TLS has ended the connection; null if that is not the reason.
    @Nullable PeerFault fault() {
        return fault;
    }

    /// Ends the connection, because the time for it is over.
    void late() {
        if (connection != null) {
            broken(new IOException("it was not complete in time"));
            connection.abort();
        }
    }

    // Driver.Factory

    @Override
    public Transport transport(NetLoop net, Transport socket) {
        return new TlsTransport(net, socket, this);
    }

    @Override
    public Driver open(Connection opened) {
        connection = opened;
        dial.shakes(address);
        return this;
    }

    // Driver

    @Override
    public void readable() {
        @Nullable Connection open = connection;
        if (open == null) {
            return;
        }
        int n = open.in().fill();
        @Nullable Encryption encryption = open.encryption();
        if (n < 0) {
            return; // closed follows
        }
        if (n > 0) {
            fail(open, new IOException(upstream.name() + " sent bytes before a request"));
        } else if (encryption != null && encryption.session() != null) {
            Peer peer = dial.secured(open);
            open.driver(peer);
            peer.readable();
        }
    }

    @Override
    public void blocked() {
        // Nothing was written.
    }

    @Override
    public void drained() {
        // Likewise.
    }

    @Override
    public void closed(boolean byPeer) {
        dial.failed(new IOException(upstream.name() + " ended the TLS handshake"));
    }

    /// Stays open, because a request waits for it.
    @Override
    public void drain() {}

    private void fail(Connection open, IOException why) {
        broken(why);
        open.abort();
        dial.failed(why);
    }

    // TlsHost

    @Override
    public boolean isClient() {
        return true;
    }

    @Override
    public SSLEngine engine(SocketAddress peer) {
        return address instanceof InetSocketAddress inet
                ? tls.engine(inet.getHostString(), inet.getPort())
                : tls.engine("localhost", -1);
    }

    @Override
    public boolean submit(SocketAddress peer, Runnable work) {
        return tls.submit(peer, work);
    }

    @Override
    public long handshakeNanos() {
        return handshakeNanos;
    }

    @Override
    public void broken(IOException why) {
        if (why instanceof Network.NoMeans) {
            fault = PeerFault.NO_MEANS;
            return;
        }
        TlsTrouble trouble = TlsTrouble.of(why);
        upstream.trouble(trouble);
        fault = PeerFault.of(trouble);
    }

    @Override
    public void ended(End how) {
        // The dial counts.
    }

    @Override
    public void faulted(boolean flood) {
        // The peer counts.
    }
}
