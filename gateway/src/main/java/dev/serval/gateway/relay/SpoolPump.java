package dev.serval.gateway.relay;

import dev.serval.gateway.spool.CollectedContent;
import dev.serval.handler.Body;
import dev.serval.http.Fields;
import dev.serval.net.Connection;
import dev.serval.net.Output;

/// Sends content that was collected before. It writes the next part only after the peer has taken
/// the ones before, and frees the content after the last part. Owned by the loop of the exchange.
public final class SpoolPump implements Pump {
    /// The bytes of one part: they fit a FastCGI record, and need no padding.
    private static final int PART_MAX_BYTES = 65_528;

    /// Unsent bytes at the peer's connection, past which no further part is written.
    private static final long BACKLOG_MAX_BYTES = 3 * PART_MAX_BYTES;

    /// ```text
    /// SENDING ── no room ──▶ WAITS_FOR_PEER ── drained ──▶ SENDING
    ///   ├────── last part ──▶ SENT
    ///   └────── stop ──▶ STOPPED
    /// ```
    private enum State {
        SENDING,
        WAITS_FOR_PEER,
        SENT,
        STOPPED
    }

    private final CollectedContent content;
    private final Connection peer;
    private final ContentFraming framing;
    private final Runnable progress;
    private State state = State.SENDING;
    private long at; // the next byte

    /// Creates a pump that has not started.
    ///
    /// @param content whole; the pump frees it
    /// @param peer the connection, to which the request's head has been written
    /// @param framing of the protocol; its head of a part is written before each part
    /// @param progress runs after content was sent, and once after its end, to move deadlines
    public SpoolPump(
            CollectedContent content, Connection peer, ContentFraming framing, Runnable progress) {
        this.content = content;
        this.peer = peer;
        this.framing = framing;
        this.progress = progress;
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

    @Override
    public void stop() {
        content.free();
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
        return false;
    }

    private void proceed() {
        state = State.SENDING;
        Output out = peer.out();
        while (state == State.SENDING) {
            if (!peer.isOpen()) {
                stop();
            } else if (out.backlog() >= BACKLOG_MAX_BYTES || out.hasUsedQuota()) {
                state = State.WAITS_FOR_PEER;
                peer.wantDrained();
            } else if (at < content.length()) {
                sendPart(out);
            } else {
                framing.end(out, Fields.EMPTY);
                state = State.SENT;
                content.free();
            }
        }
        progress.run();
    }

    private void sendPart(Output out) {
        Body part = content.part(at, PART_MAX_BYTES);
        at += part.length();
        framing.beginPart(out, (int) part.length());
        switch (part) {
            case Body.Bytes bytes -> out.write(bytes.buffer(), bytes.released());
            case Body.FileRegion region ->
                    out.write(
                            region.file(),
                            region.position(),
                            region.length(),
                            region.released(),
                            region.intact());
            case Body.Held held -> out.write(held.source(), held.length(), held.released());
            case Body.Empty _ -> {}
        }
    }
}
