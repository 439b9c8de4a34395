package dev.serval.gateway.proxy;

import dev.serval.gateway.relay.ContentPump;
import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.Output;
import java.nio.ByteBuffer;

/// Carries the bytes of an upgraded connection in both directions, with back-pressure. Each
/// direction ends by itself; the tunnel is over after both have ended, or after one is lost. Owned
/// by the loop of the exchange.
final class ProxyTunnel {
    /// Receives what happens to a tunnel.
    interface Owner {
        /// Notes that bytes were carried.
        void active();

        /// Notes that both directions have ended.
        void ended();

        /// Notes that the client was lost.
        void broken();
    }

    private static final int PIECE_MAX_BYTES = 32 << 10;
    private static final long BACKLOG_MAX_BYTES = 64 << 10;

    private final Duplex client;
    private final Connection upstream;
    private final ByteBuffer buffer;
    private final Owner owner;
    private final Runnable clientReadable = this::toUpstream; // used for each wait
    private final Runnable clientWritable = this::continueToClient;
    private boolean clientEnded;
    private boolean clientFull;
    private boolean upstreamEnded;
    private boolean upstreamFull;
    private boolean sendsRest; // both directions have ended, and the upstream takes the last bytes
    private boolean over;

    /// Creates a tunnel.
    ///
    /// @param buffer of [ContentPump#newBuffer], which the loop uses for one call at a time
    ProxyTunnel(Duplex client, Connection upstream, ByteBuffer buffer, Owner owner) {
        this.client = client;
        this.upstream = upstream;
        this.buffer = buffer;
        this.owner = owner;
    }

    /// Carries what has arrived on both sides.
    void start() {
        toClient();
        toUpstream();
    }

    /// Carries bytes of the upstream to the client.
    void toClient() {
        Input in = upstream.in();
        while (!over && !clientFull && !upstreamEnded) {
            if (in.length() == 0) {
                int n = in.fill();
                if (n == Input.END) {
                    upstreamEnded = true;
                    client.end();
                    endIfDone();
                }
                if (n <= 0) {
                    return;
                }
            }
            int length = Math.min(PIECE_MAX_BYTES, in.length());
            ByteBuffer piece = ByteBuffer.wrap(in.array(), in.from(), length);
            long room = client.write(new Body.Bytes(piece, null));
            in.consume(length);
            owner.active();
            if (room <= 0 && !over) {
                clientFull = true;
                upstream.wantRead(false);
                client.onWritable(clientWritable);
            }
        }
    }

    /// Continues, because the upstream has taken all bytes.
    void drained() {
        if (upstreamFull) {
            upstreamFull = false;
            toUpstream();
        } else if (sendsRest) {
            endIfDone();
        }
    }

    /// Carries nothing more.
    void stop() {
        over = true;
    }

    /// Closes the client's side, because the upstream is lost. If all its bytes were read before, the
    /// client still gets them.
    void lost() {
        close(upstreamEnded ? Fault.SHUTDOWN : Fault.PEER_GONE);
    }

    /// Closes the client's side, because the tunnel is too long without bytes.
    void close(Fault why) {
        over = true;
        client.close(why);
    }

    private void continueToClient() {
        if (!over) {
            clientFull = false;
            upstream.wantRead(true);
            toClient();
        }
    }

    private void toUpstream() {
        Output out = upstream.out();
        while (!over && !clientEnded) {
            if (out.backlog() >= BACKLOG_MAX_BYTES || out.hasUsedQuota()) {
                upstreamFull = true;
                upstream.wantDrained();
                return;
            }
            buffer.clear().limit(ContentPump.PART_MAX_BYTES);
            int n = client.read(buffer);
            if (n > 0) {
                out.write(buffer.flip(), null);
                owner.active();
            } else if (n == 0) {
                client.onReadable(clientReadable);
                return;
            } else {
                endOfClient(n);
            }
        }
    }

    private void endOfClient(int result) {
        clientEnded = true;
        if (result == Source.END) {
            upstream.endOutput();
            endIfDone();
        } else if (!over) {
            over = true;
            owner.broken();
        }
    }

    private void endIfDone() {
        if (!clientEnded || !upstreamEnded || over) {
            return;
        }
        if (upstream.out().isEmpty()) {
            over = true;
            owner.ended();
        } else { // the deadline of an idle tunnel bounds the wait
            sendsRest = true;
            upstream.wantDrained();
        }
    }
}
