package dev.serval.gateway.lrwp;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerRequest;
import dev.serval.gateway.peer.PeerTicket;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.spool.CollectedContent;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.net.Output;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One request from its head to its last byte: it collects the content, gets a peer, sends the
/// request in one write, and hands the rest to an [LrwpAnswer].
///
/// ```
///   BODY ── all there ──▶ WAITING ── granted ──▶ SENT ── answered, or peer lost ──▶ OVER
///     │                     │                     └── client left: the answer is dropped
///     └── client left ──────┴── client left, refused ─────────────────────────────▶ OVER
/// ```
/// The content is collected before a peer is taken, so that a slow client holds no peer. A request
/// that was sent is never sent again. Owned by the loop of the exchange.
final class LrwpRequest implements PeerRequest, Runnable {
    private enum State {
        BODY,
        WAITING,
        SENT,
        OVER
    }

    private static final Fields RETRY = Fields.of(FieldName.RETRY_AFTER, "1");
    private static final String NO_ANSWER = "The application ended before its answer was complete.";

    private final LrwpLoop loop;
    private final EngineExchange x;
    private final LrwpApplication application;
    private State state = State.BODY;
    private @Nullable CollectedContent body; // null without content
    private @Nullable PeerTicket ticket;
    private @Nullable LrwpAnswer answer;

    LrwpRequest(LrwpLoop loop, EngineExchange x, LrwpApplication application) {
        this.loop = loop;
        this.x = x;
        this.application = application;
    }

    /// Starts. In the call of the handler.
    void begin() {
        x.onAbort(this);
        long length = x.request().contentLength();
        if (length == 0) {
            acquire();
        } else if (length > bodyMaxBytes()) {
            tooLarge();
        } else {
            CollectedContent all =
                    new CollectedContent(x, loop.spool(x), bodyMaxBytes(), this::collected);
            body = all;
            all.start();
        }
    }

    /// Notes that the client has left, or that the engine has ended the exchange.
    @Override
    public void run() {
        State before = state;
        @Nullable PeerTicket place = ticket;
        @Nullable LrwpAnswer present = answer;
        if (before == State.SENT && present != null) {
            present.drop();
        } else {
            state = State.OVER;
            if (place != null) {
                place.cancel();
            }
            freeBody();
        }
    }

    @Override
    public EngineExchange exchange() {
        return x;
    }

    @Override
    public void granted(Peer peer) {
        ticket = null;
        VariableBuffer variables = loop.variables();
        @Nullable CollectedContent content = body;
        long length = content == null ? 0 : content.length();
        LrwpVariables.write(variables, x, application, length);
        if (variables.isTooLarge()) {
            state = State.OVER;
            freeBody();
            peer.finish(true);
            x.refuse(
                    Status.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    Fields.EMPTY,
                    "The head of the request is too large for the application.");
            return;
        }
        state = State.SENT;
        answer = new LrwpAnswer(loop, this, peer);
        send(peer.connection().out(), variables, content, length);
        freeBody();
    }

    @Override
    public void refused(Refusal why) {
        boolean unused = ticket == null && body == null; // it has not waited, and nothing was read
        ticket = null;
        state = State.OVER;
        freeBody();
        switch (why) {
            case NO_PEER, DRAINED, UNREACHABLE -> {
                if (unused) {
                    x.run(ExecutorKind.LOOP, () -> Exchange::pass); // as if it had never been here
                } else {
                    unavailable("The application has left.");
                }
            }
            case QUEUE_FULL -> unavailable("Too many requests wait for the application.");
            case QUEUE_TIMEOUT -> unavailable("The application was busy for too long.");
        }
    }

    @Override
    public void readable() {
        @Nullable LrwpAnswer present = answer;
        if (present != null) {
            present.readable();
        }
    }

    @Override
    public void lost() {
        @Nullable LrwpAnswer present = answer;
        boolean unsent = present == null && state != State.OVER; // it could not be sent
        answered();
        freeBody();
        if (unsent || (present != null && present.lost())) {
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, NO_ANSWER);
        }
    }

    @Override
    public void overdue() {
        @Nullable LrwpAnswer present = answer;
        if (present != null) {
            present.overdue();
        }
    }

    /// Notes that nothing more will be done for the exchange.
    void answered() {
        state = State.OVER;
    }

    private void collected(CollectedContent.Outcome outcome) {
        switch (outcome) {
            case WHOLE -> acquire();
            case TOO_LARGE -> tooLarge();
            case NO_SPACE ->
                    notCollected("The server has no space for the content of the request.");
            case NOT_STORED ->
                    notCollected("The server could not store the content of the request.");
        }
    }

    private void notCollected(String what) {
        state = State.OVER;
        freeBody();
        unavailable(what);
    }

    private void acquire() {
        state = State.WAITING;
        @Nullable PeerTicket place = application.pool().acquire(this);
        if (state == State.WAITING) {
            ticket = place;
        }
    }

    /// Writes the whole request, which leaves in one packet if it is small.
    private static void send(
            Output out, VariableBuffer variables, @Nullable CollectedContent content, long length) {
        int named = variables.length();
        ByteBuffer into = out.room(2 * LengthField.BYTES + named);
        LengthField.write(into, named);
        into.put(variables.array(), 0, named);
        LengthField.write(into, length);
        if (content != null) {
            content.writeTo(out);
        }
    }

    private void tooLarge() {
        state = State.OVER;
        freeBody();
        x.refuse(
                Status.CONTENT_TOO_LARGE,
                Fields.EMPTY,
                "The content is larger than this application accepts.");
    }

    private void unavailable(String what) {
        x.refuse(Status.SERVICE_UNAVAILABLE, RETRY, what);
    }

    private long bodyMaxBytes() {
        return loop.settings().answers().bodyMaxBytes();
    }

    private void freeBody() {
        @Nullable CollectedContent held = body;
        body = null;
        if (held != null) {
            held.free();
        }
    }
}
