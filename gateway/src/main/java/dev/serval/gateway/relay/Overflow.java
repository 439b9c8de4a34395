package dev.serval.gateway.relay;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.Spool;
import dev.serval.gateway.spool.SpoolFlush;
import dev.serval.handler.ExecutorKind;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The part of an answer that a slow client does not take. It waits in a [Spool], so that the peer
/// can send the rest and becomes free. The client gets it when it has taken what was sent before, or
/// after the last byte.
///
/// ```text
/// CLOSED ── client takes too long, 200 ms ──▶ OPEN ── full ──▶ STORING ── stored ──▶ OPEN
///    ▲                                         ├── no space for more, not stored ──▶ OFF
///    └── client takes more, the answer ends ───┘
/// ```
/// In OFF the answer waits in its peer, at the pace of the client. Reads of the peer go on in CLOSED
/// and OPEN; in STORING the [Attempt] does not read. Owned by the loop of the exchange.
public final class Overflow {
    private enum State {
        CLOSED,
        OPEN,
        STORING,
        OFF
    }

    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final String EVENT_STREAM = "text/event-stream";
    private static final String ACCEL_BUFFERING = "X-Accel-Buffering";

    private final Attempt attempt;
    private final EngineExchange exchange;
    private final Collecting collecting;
    private final Consumer<@Nullable IOException> then;
    private State state;
    private @Nullable Spool spool; // in OPEN and STORING
    private boolean wanted; // the client takes more, in STORING

    /// Creates one that is closed, or off if the mount streams all answers.
    ///
    /// @param then runs after [#store]: with null when the attempt reads again, or with the error that has
    ///     kept the content from the disk, when it waits for the client
    public Overflow(Attempt attempt, Collecting collecting, Consumer<@Nullable IOException> then) {
        this.attempt = attempt;
        this.exchange = attempt.exchange();
        this.collecting = collecting;
        this.then = then;
        this.state = collecting.always() ? State.CLOSED : State.OFF;
    }

    /// Pauses the attempt until the client takes more. If it has not taken all that was sent after
    /// 200 ms, [Reply#clientIsSlow] is called.
    ///
    /// @param latestNanos an earlier deadline of the answer; `Long.MAX_VALUE` if there is none
    public void pause(long latestNanos) {
        attempt.pause();
        if (state != State.OFF) {
            Peer peer = attempt.peer();
            peer.answerBy(Math.min(latestNanos, peer.nowNanos() + SLOW_NANOS));
        }
    }

    /// Opens if the attempt is paused, which then reads its peer again. An answer stays closed if its
    /// fields say that the client is to get each part at once: an event stream, or one with
    /// `X-Accel-Buffering: no`.
    ///
    /// @param fields of the answer
    /// @return whether it has opened
    public boolean open(Fields fields) {
        if (state != State.CLOSED || !attempt.isPaused()) {
            return false;
        }
        if (isLive(fields)) {
            state = State.OFF;
            return false;
        }
        state = State.OPEN;
        spool = collecting.spoolOfAnswer(exchange.lender());
        attempt.resume();
        return true;
    }

    /// Returns whether content is to be put into [#buffer], and not to be sent.
    public boolean isOpen() {
        return state == State.OPEN;
    }

    /// Returns whether [#store] must make room before more content is taken.
    public boolean isFull() {
        return state == State.OPEN && spool().isFull();
    }

    /// Returns the buffer for content while it is open, to be filled from its position.
    public ByteBuffer buffer() {
        return spool().room();
    }

    /// Returns how many bytes of content may be taken at once.
    ///
    /// @param most without a slow client
    public int room(int most) {
        return state == State.OPEN ? Math.min(most, buffer().remaining()) : most;
    }

    /// Moves what is in memory to the file, and does not read the peer until then. Without disk space
    /// the client gets what is here, and the attempt pauses until it takes more.
    public void store() {
        Spool full = spool();
        if (full.length() <= collecting.answerMaxBytes() && full.reserve()) {
            state = State.STORING;
            attempt.store();
            exchange.run(ExecutorKind.DISK, new SpoolFlush(full, this::stored));
        } else {
            leave();
        }
    }

    /// Gives the client what is here. The rest waits in its peer.
    private void leave() {
        wanted = false;
        send();
        state = State.OFF;
        attempt.pause();
    }

    /// Gives the client what is here, if it is open, and closes.
    public void send() {
        if (state == State.OPEN) {
            Spool filled = spool();
            state = State.CLOSED;
            spool = null;
            filled.writeTo(exchange.response());
            filled.free();
        }
    }

    /// Handles that the client takes more although the attempt does not wait for it.
    public void clientCatchesUp() {
        wanted = state == State.STORING;
        send();
    }

    /// Gives the client what is here, because no more comes.
    public void end() {
        send();
        drop();
    }

    /// Ends, because the client has left or what is here cannot be sent. It drops what was not sent.
    public void drop() {
        state = State.OFF;
        if (spool != null) {
            spool.free();
            spool = null;
        }
    }

    private void stored(@Nullable IOException failure) {
        if (state != State.STORING) {
            return;
        }
        state = State.OPEN;
        attempt.resume();
        if (failure != null) {
            leave();
        } else if (wanted) {
            wanted = false;
            send();
        }
        then.accept(failure);
    }

    private static boolean isLive(Fields fields) {
        return "no".equalsIgnoreCase(fields.first(ACCEL_BUFFERING)) || isEventStream(fields);
    }

    /// Returns whether an answer with these fields is a stream of events, which lasts as long as its
    /// client wants.
    public static boolean isEventStream(Fields fields) {
        @Nullable String type = fields.first(FieldName.CONTENT_TYPE);
        return type != null && type.regionMatches(true, 0, EVENT_STREAM, 0, EVENT_STREAM.length());
    }

    private Spool spool() {
        return Objects.requireNonNull(spool, "The overflow is not open");
    }
}
