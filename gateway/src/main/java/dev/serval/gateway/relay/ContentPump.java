package dev.serval.gateway.relay;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Source;
import dev.serval.net.Connection;
import dev.serval.net.Output;
import java.nio.ByteBuffer;

/// Sends the content of a request to a peer as it arrives. It reads the client only while the peer
/// takes the bytes, so the memory of a request is bounded. Order of calls: [#start], then
/// [#drained] whenever the peer has taken all bytes. Owned by the loop of the exchange.
public final class ContentPump implements Pump {
    /// The most bytes of content that one write carries.
    public static final int PART_MAX_BYTES = (32 << 10) - 64;

    /// Unsent bytes at the peer's connection, past which the client is not read.
    private static final long BACKLOG_MAX_BYTES = 64 << 10;

    /// ```text
    /// SENDING ── no content yet ──▶ WAITS_FOR_CLIENT ── readable ──▶ SENDING
    ///   ├────── no room ──▶ WAITS_FOR_PEER ── drained ──▶ SENDING
    ///   ├────── end ──▶ SENT
    ///   └────── content failed, or stop ──▶ STOPPED
    /// ```
    private enum State {
        SENDING,
        WAITS_FOR_CLIENT,
        WAITS_FOR_PEER,
        SENT,
        STOPPED
    }

    private final EngineExchange exchange;
    private final Connection peer;
    private final ContentFraming framing;
    private final ByteBuffer buffer;
    private final Runnable progress;
    private final Runnable readable = this::readable; // used for each wait
    private State state = State.SENDING;

    /// Creates a pump that has not started.
    ///
    /// @param peer the connection, to which the request's head has been written
    /// @param buffer of [#newBuffer], which all pumps of the loop use in turn
    /// @param progress runs after content was sent, and once after its end, to move deadlines
    public ContentPump(
            EngineExchange exchange,
            Connection peer,
            ContentFraming framing,
            ByteBuffer buffer,
            Runnable progress) {
        this.exchange = exchange;
        this.peer = peer;
        this.framing = framing;
        this.buffer = buffer;
        this.progress = progress;
    }

    /// Creates the buffer of a loop.
    public static ByteBuffer newBuffer() {
        return ByteBuffer.allocate(
                ContentFraming.HEAD_ROOM + PART_MAX_BYTES + ContentFraming.END_ROOM);
    }

    @Override
    public void start() {
        proceed();
    }

    @Override
    public void drained() {
        if (state == State.WAITS_FOR_PEER) {
            proceed();
        }
    }

    /// The content that is left stays with the exchange.
    @Override
    public void stop() {
        if (state != State.SENT) {
            state = State.STOPPED;
        }
    }

    @Override
    public boolean isSent() {
        return state == State.SENT;
    }

    @Override
    public boolean waitsForClient() {
        return state == State.WAITS_FOR_CLIENT;
    }

    private void readable() {
        if (state == State.WAITS_FOR_CLIENT) {
            proceed();
        }
    }

    private void proceed() {
        state = State.SENDING;
        Output out = peer.out();
        boolean sent = false;
        while (state == State.SENDING) {
            if (!peer.isOpen()) {
                state = State.STOPPED;
            } else if (out.backlog() >= BACKLOG_MAX_BYTES || out.hasUsedQuota()) {
                state = State.WAITS_FOR_PEER;
                peer.wantDrained();
            } else {
                sent |= sendPart(out);
            }
        }
        if (sent) {
            progress.run();
        }
    }

    /// @return whether something was sent
    private boolean sendPart(Output out) {
        buffer.clear();
        buffer.position(ContentFraming.HEAD_ROOM).limit(ContentFraming.HEAD_ROOM + PART_MAX_BYTES);
        int n = exchange.content().read(buffer);
        if (state != State.SENDING) {
            return false; // the read failed, and its callback stopped this pump
        }
        if (n > 0) {
            buffer.limit(buffer.position()).position(ContentFraming.HEAD_ROOM);
            framing.part(out, buffer);
            return true;
        }
        if (n == Source.END) {
            state = State.SENT;
            framing.end(out, exchange.content().trailers());
            return true;
        }
        if (n == 0) {
            state = State.WAITS_FOR_CLIENT;
            exchange.content().onReadable(readable);
        } else {
            state = State.STOPPED;
        }
        return false;
    }
}
