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
import dev.serval.http.RequestHead;
import dev.serval.http1.Framing;

/// A request to an HTTP upstream: it writes the head, and streams the content. A [ProxyReply] reads
/// the answer. Created for each attempt; owned by the loop of the exchange.
final class ProxyRequest implements Question {
    private final ProxyHandler handler;
    private final EngineExchange exchange;
    private final Attempt attempt;

    ProxyRequest(ProxyHandler handler, EngineExchange exchange, Repetition repetition) {
        this.handler = handler;
        this.exchange = exchange;
        this.attempt = new Attempt(handler.pool(), exchange, this, repetition);
    }

    /// Looks for a peer.
    void start() {
        attempt.seek();
    }

    @Override
    public void granted(Peer peer) {
        RequestHead head = exchange.request();
        ProxyLoop loop = handler.at(peer.connection().loop());
        Framing framing = Forwarding.framing(head);
        boolean upgrades = head.contentLength() == 0 && Forwarding.asksForUpgrade(head);
        loop.forwardHead.write(peer.connection().out(), exchange, framing, upgrades);
        Pump pump = head.contentLength() == 0 ? NoContent.NONE : pump(peer, loop, framing);
        ProxyReply reply = new ProxyReply(handler, exchange, attempt, loop, pump);
        attempt.sends(pump, reply);
        if (upgrades) {
            reply.mayUpgrade();
        }
        if (pump != NoContent.NONE && head.expectsContinue()) {
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
        // The content that was not sent stays with the exchange.
    }

    private Pump pump(Peer peer, ProxyLoop loop, Framing framing) {
        ContentFraming form = framing == Framing.CHUNKED ? loop.chunked : ContentFraming.PLAIN;
        return new ContentPump(
                exchange, peer.connection(), form, loop.pumpBuffer, attempt::moveDeadline);
    }
}
