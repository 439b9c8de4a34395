package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.relay.Failures;
import dev.serval.gateway.relay.PerLoop;
import dev.serval.gateway.relay.Repetition;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.loop.EventLoop;
import dev.serval.net.epoll.EpollNetwork;

/// Forwards all requests of a mount to HTTP/1.1 upstreams.
public final class ProxyHandler implements Handler {
    private final PeerPool pool;
    private final ProxyTarget target;
    private final PerLoop<ProxyLoop> loops;
    private final Failures failures;

    /// Creates a handler.
    ///
    /// @param pool connections to the upstreams
    public ProxyHandler(PeerPool pool, ProxyTarget target) {
        this.pool = pool;
        this.target = target;
        this.failures = new Failures(pool, "The upstream server");
        this.loops = new PerLoop<>(() -> new ProxyLoop(target));
        Thread.ofPlatform().daemon().name("serval-link").start(EpollNetwork::prepareConduits);
    }

    @Override
    public void handle(Exchange x) {
        EngineExchange exchange = EngineExchange.of(x);
        if (!ForwardLimit.answers(exchange)) {
            Repetition first = Repetition.first(Repetition.Rule.OTHER_UPSTREAM);
            new ProxyRequest(this, exchange, first).start();
        }
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    PeerPool pool() {
        return pool;
    }

    ProxyTarget target() {
        return target;
    }

    Failures failures() {
        return failures;
    }

    ProxyLoop at(EventLoop loop) {
        return loops.at(loop);
    }
}
