package dev.serval.gateway.lrwp;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.relay.Attempt;
import dev.serval.gateway.relay.NoContent;
import dev.serval.gateway.relay.Question;
import dev.serval.gateway.relay.Repetition;
import dev.serval.gateway.spool.CollectedContent;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.net.Output;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A request to an application that has dialled in: it collects the content, and sends the whole
/// request in one write. An [LrwpAnswer] reads the answer.
///
/// The content is collected before a peer is taken, so that a slow client holds no peer. A request
/// that was sent is never sent again. Owned by the loop of the exchange.
final class LrwpRequest implements Question {
    private final LrwpLoop loop;
    private final EngineExchange x;
    private final LrwpApplication application;
    private final Attempt attempt;
    private @Nullable CollectedContent body; // null without content

    /// Creates a request, which from now on hears that the client has left.
    LrwpRequest(LrwpLoop loop, EngineExchange x, LrwpApplication application) {
        this.loop = loop;
        this.x = x;
        this.application = application;
        this.attempt =
                new Attempt(application.pool(), x, this, Repetition.first(Repetition.Rule.NEVER));
    }

    /// Starts. In the call of the handler.
    void begin() {
        long length = x.request().contentLength();
        if (length == 0) {
            attempt.seek();
        } else if (length > bodyMaxBytes()) {
            tooLarge();
        } else {
            CollectedContent all =
                    new CollectedContent(
                            x,
                            loop.collecting().spool(x.lender()),
                            bodyMaxBytes(),
                            this::collected);
            body = all;
            all.start();
        }
    }

    @Override
    public void granted(Peer peer) {
        VariableBuffer variables = loop.variables();
        long length = body == null ? 0 : body.length();
        LrwpVariables.write(variables, x, application, length);
        if (variables.isTooLarge()) {
            attempt.finish(true);
            x.refuse(
                    Status.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    Fields.EMPTY,
                    "The fields of the request are larger than this server may send to the application.");
            return;
        }
        attempt.sends(NoContent.NONE, new LrwpAnswer(loop, x, attempt, application.failures()));
        send(peer.connection().out(), variables, length);
        release();
    }

    @Override
    public void refused(Refusal why, boolean waited) {
        String what =
                switch (why) {
                    case NO_PEER, DRAINED, UNREACHABLE, NO_MEANS ->
                            "The application has closed its last connection to this server.";
                    case QUEUE_FULL ->
                            "Too many requests wait for the application; please try again.";
                    case QUEUE_TIMEOUT ->
                            "The application was busy for too long; please try again.";
                };
        if (why.isForWantOfRoom() || waited || body != null) {
            application.failures().refused(x, why, what);
        } else {
            x.run(ExecutorKind.LOOP, () -> Exchange::pass); // as if it had never been here
        }
    }

    @Override
    public void unsent() {
        application.failures().unsent(x);
    }

    /// Never called: a request is sent once.
    @Override
    public void repeat(Repetition next) {}

    @Override
    public void release() {
        if (body != null) {
            body.free();
        }
    }

    private void collected(CollectedContent.Outcome outcome) {
        switch (outcome) {
            case WHOLE -> attempt.seek();
            case TOO_LARGE -> tooLarge();
            case NO_SPACE, NOT_STORED -> {
                attempt.giveUp();
                application.failures().notCollected(x, outcome);
            }
        }
    }

    /// Writes the whole request, which leaves in one packet if it is small.
    private void send(Output out, VariableBuffer variables, long length) {
        int named = variables.length();
        ByteBuffer into = out.room(2 * LengthField.BYTES + named);
        LengthField.write(into, named);
        into.put(variables.array(), 0, named);
        LengthField.write(into, length);
        if (body != null) {
            body.writeTo(out);
        }
    }

    private void tooLarge() {
        attempt.giveUp();
        x.refuse(
                Status.CONTENT_TOO_LARGE,
                Fields.EMPTY,
                "The content is larger than this application accepts.");
    }

    private long bodyMaxBytes() {
        return loop.settings().answers().bodyMaxBytes();
    }
}
