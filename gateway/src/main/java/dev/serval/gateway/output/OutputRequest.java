package dev.serval.gateway.output;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.RequestVariables;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.relay.Attempt;
import dev.serval.gateway.relay.ContentFraming;
import dev.serval.gateway.relay.ContentPump;
import dev.serval.gateway.relay.NoContent;
import dev.serval.gateway.relay.Pump;
import dev.serval.gateway.relay.Question;
import dev.serval.gateway.relay.Repetition;
import dev.serval.gateway.relay.SpoolPump;
import dev.serval.gateway.spool.CollectedContent;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import org.jspecify.annotations.Nullable;

/// A request to an application that answers with CGI output: it collects the content if that is
/// wanted, and writes variables and content. An [OutputReply] reads the answer. Created for each
/// attempt; owned by the loop of the exchange.
final class OutputRequest implements Question {
    private final OutputMount mount;
    private final EngineExchange exchange;
    private final Description description;
    private final Attempt attempt;
    private final @Nullable CollectedContent collected; // null if the content is streamed

    OutputRequest(
            OutputMount mount,
            EngineExchange exchange,
            Description description,
            Repetition repetition) {
        this.mount = mount;
        this.exchange = exchange;
        this.description = description;
        this.attempt = new Attempt(mount.pool(), exchange, this, repetition);
        this.collected =
                mount.collecting().takes(exchange.request().contentLength())
                        ? new CollectedContent(
                                exchange,
                                mount.collecting().spool(exchange.lender()),
                                Long.MAX_VALUE,
                                this::collected)
                        : null;
    }

    /// Collects the content if it is to be collected, and then looks for a peer.
    void start() {
        if (collected != null) {
            collected.start();
        } else {
            attempt.seek();
        }
    }

    @Override
    public void granted(Peer peer) {
        OutputLoop loop = mount.at(peer.connection().loop());
        long length = collected != null ? collected.length() : exchange.request().contentLength();
        if (!describe(loop.variables, length)) {
            attempt.finish(true);
            exchange.refuse(
                    Status.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    Fields.EMPTY,
                    "The fields of the request are larger than this server may send to the application.");
            return;
        }
        Pump pump = length == 0 ? NoContent.NONE : pump(peer, loop);
        attempt.sends(pump, new OutputReply(mount, exchange, attempt, loop));
        mount.wire().begin(peer.connection().out(), loop.variables);
        if (length == 0) {
            mount.wire().framing().end(peer.connection().out(), Fields.EMPTY);
        } else {
            pump.start();
        }
    }

    @Override
    public void refused(Refusal why, boolean waited) {
        mount.failures().refused(exchange, why);
    }

    @Override
    public void unsent() {
        mount.failures().unsent(exchange);
    }

    @Override
    public void repeat(Repetition next) {
        new OutputRequest(mount, exchange, description, next).start();
    }

    @Override
    public void release() {
        if (collected != null) {
            collected.free();
        }
    }

    private void collected(CollectedContent.Outcome outcome) {
        if (outcome == CollectedContent.Outcome.WHOLE) {
            attempt.seek();
        } else {
            attempt.giveUp();
            mount.failures().notCollected(exchange, outcome);
        }
    }

    /// Writes the variables.
    ///
    /// @return whether they fit
    private boolean describe(VariableBuffer out, long length) {
        out.clear();
        RequestVariables.write(out, exchange.request(), exchange.connection(), length);
        description.add(out, exchange);
        mount.wire().addOwn(out);
        out.addOwn();
        return !out.isTooLarge();
    }

    private Pump pump(Peer peer, OutputLoop loop) {
        Runnable progress = attempt::contentSent;
        ContentFraming framing = mount.wire().framing();
        return collected != null
                ? new SpoolPump(collected, peer.connection(), framing, progress)
                : new ContentPump(exchange, peer.connection(), framing, loop.pumpBuffer, progress);
    }
}
