package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
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
import dev.serval.http.RequestHead;
import dev.serval.http1.Framing;
import org.jspecify.annotations.Nullable;

/// A request to an HTTP upstream: it collects content of known length that has not arrived yet, so
/// that a slow client holds no connection, and writes head and content. Chunked content may be of a
/// client that waits for answers to a part of it, so it is streamed, while not too many requests do
/// so ([StreamedUploads]) and unless the upstreams take no chunks. A [ProxyReply] reads the answer.
/// Created for each attempt; owned by the loop of the exchange.
final class ProxyRequest implements Question {
    private final ProxyHandler handler;
    private final EngineExchange exchange;
    private final Attempt attempt;
    private final @Nullable CollectedContent collected; // null if the content is streamed
    private boolean streams; // counts among those whose clients may hold connections

    ProxyRequest(ProxyHandler handler, EngineExchange exchange, Repetition repetition) {
        this.handler = handler;
        this.exchange = exchange;
        this.attempt = new Attempt(handler.pool(), exchange, this, repetition);
        boolean collects = !exchange.content().isWhole() && collects();
        this.collected =
                collects
                        ? new CollectedContent(
                                exchange,
                                handler.collecting().spool(exchange.lender()),
                                Long.MAX_VALUE,
                                this::collected)
                        : null;
    }

    private boolean collects() {
        long length = exchange.request().contentLength();
        if (length != RequestHead.UNKNOWN_LENGTH) {
            return handler.collecting().takesKnown(length);
        }
        if (!handler.target().chunked()) {
            return true;
        }
        streams = handler.collecting().always() && handler.pool().uploads().begin();
        return handler.collecting().always() && !streams;
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
        RequestHead head = exchange.request();
        ProxyLoop loop = handler.at(peer.connection().loop());
        boolean counted = collected != null; // so that its length is known
        Framing framing = counted ? Framing.LENGTH : Forwarding.framing(head);
        long length = collected != null ? collected.length() : head.contentLength();
        boolean upgrades = head.contentLength() == 0 && Forwarding.asksForUpgrade(head);
        boolean expects = head.expectsContinue() && !counted; // else the client has sent it
        loop.forwardHead.write(
                peer.connection().out(), exchange, framing, length, upgrades, expects);
        Pump pump = head.contentLength() == 0 ? NoContent.NONE : pump(peer, loop, framing);
        ProxyReply reply = new ProxyReply(handler, exchange, attempt, loop, pump);
        attempt.sends(pump, reply);
        if (upgrades) {
            reply.mayUpgrade();
        }
        if (pump != NoContent.NONE && expects) {
            reply.awaitContinue();
        } else {
            pump.start();
        }
    }

    @Override
    public int boundTo() {
        return handler.boundTo(exchange.request());
    }

    @Override
    public void refused(Refusal why, boolean waited) {
        handler.failures().refused(exchange, why);
    }

    @Override
    public void unsent() {
        handler.failures().unsent(exchange);
    }

    @Override
    public void repeat(Repetition next) {
        new ProxyRequest(handler, exchange, next).start();
    }

    @Override
    public void release() {
        if (collected != null) {
            collected.free();
        } // streamed content that was not sent stays with the exchange
        if (streams) {
            streams = false;
            handler.pool().uploads().end();
        }
    }

    private void collected(CollectedContent.Outcome outcome) {
        if (outcome == CollectedContent.Outcome.WHOLE) {
            attempt.seek();
        } else {
            attempt.giveUp();
            handler.failures().notCollected(exchange, outcome);
        }
    }

    private Pump pump(Peer peer, ProxyLoop loop, Framing framing) {
        if (collected != null) {
            return new SpoolPump(
                    collected, peer.connection(), ContentFraming.PLAIN, attempt::contentSent);
        }
        ContentFraming form = framing == Framing.CHUNKED ? loop.chunked : ContentFraming.PLAIN;
        return new ContentPump(
                exchange, peer.connection(), form, loop.pumpBuffer, attempt::contentSent);
    }
}
