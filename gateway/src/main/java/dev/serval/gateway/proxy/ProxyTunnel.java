package dev.serval.gateway.proxy;

import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.relay.Attempt;
import dev.serval.gateway.relay.ContentPump;
import dev.serval.gateway.relay.Reply;
import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.Output;
import java.nio.ByteBuffer;

/// Carries the bytes of an upgraded connection in both directions, with back-pressure. Each
/// direction has its own state:
///
/// ```text
/// FLOWING ── the receiver takes no more ──▶ PAUSED ── it takes more ──▶ FLOWING
///    └────── the sender ends its half; the receiver is told ──▶ ENDED
/// ```
/// The tunnel is over after both directions have ended and the upstream has taken all bytes, or
/// after one side has failed. Then the [Attempt] is over, too. Owned by the loop of the exchange.
final class ProxyTunnel implements Reply {
    private enum Direction {
        FLOWING,
        PAUSED,
        ENDED
    }

    private static final int PIECE_MAX_BYTES = 32 << 10;
    private static final long BACKLOG_MAX_BYTES = 64 << 10;

    private final Duplex client;
    private final Attempt attempt;
    private final Connection upstream;
    private final ByteBuffer buffer;
    private final long idleNanos;
    private final Runnable clientReadable = this::toUpstream; // used for each wait
    private final Runnable clientWritable = this::clientTakesMore;
    private Direction toClient = Direction.FLOWING;
    private Direction toUpstream = Direction.FLOWING;

    /// Creates a tunnel.
    ///
    /// @param buffer of [ContentPump#newBuffer], which the loop uses for one call at a time
    /// @param idleNanos how long no bytes may be carried
    ProxyTunnel(Duplex client, Attempt attempt, ByteBuffer buffer, long idleNanos) {
        this.client = client;
        this.attempt = attempt;
        this.upstream = attempt.peer().connection();
        this.buffer = buffer;
        this.idleNanos = idleNanos;
    }

    /// Carries what has arrived on both sides.
    void start() {
        carried();
        toClient();
        toUpstream();
    }

    @Override
    public void readable() {
        toClient();
    }

    @Override
    public void drained() {
        if (toUpstream == Direction.PAUSED) {
            toUpstream = Direction.FLOWING;
            toUpstream();
        } else {
            endIfDone();
        }
    }

    /// Never called: the attempt is not paused, because the other direction continues.
    @Override
    public void resumed() {}

    /// Never called, for the same reason.
    @Override
    public void clientIsSlow() {}

    @Override
    public void late() {
        attempt.fail(PeerFault.ABANDONED);
        client.close(Fault.TIMEOUT);
    }

    @Override
    public void clientLeft() {
        attempt.fail(PeerFault.ABANDONED);
    }

    /// If all bytes of the upstream were read before, the client still gets them.
    @Override
    public void lost(boolean begun) {
        client.close(toClient == Direction.ENDED ? Fault.SHUTDOWN : Fault.PEER_GONE);
    }

    @Override
    public boolean hasBegun() {
        return true;
    }

    /// Never called: a tunnel has no end of a response.
    @Override
    public void endResponse() {}

    @Override
    public void release() {}

    private void toClient() {
        Input in = upstream.in();
        while (attempt.isBusy() && toClient == Direction.FLOWING) {
            if (in.length() == 0) {
                int n = in.fill();
                if (n == Input.END) {
                    toClient = Direction.ENDED;
                    client.end();
                    endIfDone();
                }
                if (n <= 0) {
                    return;
                }
            }
            pass(in);
        }
    }

    private void pass(Input in) {
        int length = Math.min(PIECE_MAX_BYTES, in.length());
        ByteBuffer piece = ByteBuffer.wrap(in.array(), in.from(), length);
        long room = client.write(new Body.Bytes(piece, null));
        in.consume(length);
        if (!attempt.isBusy()) {
            return;
        }
        carried();
        if (room <= 0) {
            toClient = Direction.PAUSED;
            upstream.wantRead(false);
            client.onWritable(clientWritable);
        }
    }

    private void clientTakesMore() {
        if (attempt.isBusy() && toClient == Direction.PAUSED) {
            toClient = Direction.FLOWING;
            upstream.wantRead(true);
            toClient();
        }
    }

    private void toUpstream() {
        Output out = upstream.out();
        while (attempt.isBusy() && toUpstream == Direction.FLOWING) {
            if (out.backlog() >= BACKLOG_MAX_BYTES || out.hasUsedQuota()) {
                toUpstream = Direction.PAUSED;
                upstream.wantDrained();
                return;
            }
            buffer.clear().limit(ContentPump.PART_MAX_BYTES);
            int n = client.read(buffer);
            if (n > 0) {
                out.write(buffer.flip(), null);
                carried();
            } else if (n == 0) {
                client.onReadable(clientReadable);
                return;
            } else {
                endOfClient(n);
            }
        }
    }

    private void endOfClient(int result) {
        toUpstream = Direction.ENDED;
        if (result == Source.END) {
            upstream.endOutput();
            endIfDone();
        } else if (attempt.isBusy()) {
            clientLeft();
        }
    }

    /// Ends the tunnel after both directions have ended. The upstream may still have to take the last
    /// bytes; the deadline of an idle tunnel bounds that wait.
    private void endIfDone() {
        if (!attempt.isBusy() || toClient != Direction.ENDED || toUpstream != Direction.ENDED) {
            return;
        }
        if (upstream.out().isEmpty()) {
            attempt.finish(false);
        } else {
            upstream.wantDrained();
        }
    }

    private void carried() {
        attempt.peer().answerBy(attempt.peer().nowNanos() + idleNanos);
    }
}
