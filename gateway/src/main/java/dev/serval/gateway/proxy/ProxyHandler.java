package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.relay.ExtendedConnect;
import dev.serval.gateway.relay.Failures;
import dev.serval.gateway.relay.PerLoop;
import dev.serval.gateway.relay.Repetition;
import dev.serval.gateway.relay.SentFiles;
import dev.serval.gateway.spool.Collecting;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.RequestHead;
import dev.serval.loop.EventLoop;
import dev.serval.net.epoll.EpollNetwork;
import org.jspecify.annotations.Nullable;

/// Forwards all requests of a mount to HTTP/1.1 upstreams.
public final class ProxyHandler implements Handler {
    private final PeerPool pool;
    private final ProxyTarget target;
    private final Collecting collecting;
    private final @Nullable SentFiles sentFiles;
    private final PerLoop<ProxyLoop> loops;
    private final Failures failures;
    private final @Nullable StickyCookie sticky;
    private final @Nullable AnswerChanges changes;

    /// Creates a handler.
    ///
    /// @param pool connections to the upstreams
    /// @param collecting which content of known length is collected before a connection is asked for
    /// @throws IllegalArgumentException if the folder of sent files does not exist
    public ProxyHandler(PeerPool pool, ProxyTarget target, Collecting collecting) {
        this.pool = pool;
        this.target = target;
        this.collecting = collecting;
        this.sentFiles = SentFiles.below(target.sendRoot());
        @Nullable Stickiness stickiness = target.stickiness();
        this.sticky = stickiness == null ? null : new StickyCookie(stickiness, pool.upstreams());
        this.changes = AnswerChanges.of(target, pool.upstreams(), sticky);
        this.failures = new Failures(pool, "The upstream server");
        this.loops = new PerLoop<>(() -> new ProxyLoop(target));
        Thread.ofPlatform().daemon().name("serval-link").start(EpollNetwork::prepareConduits);
    }

    @Override
    public void handle(Exchange x) {
        EngineExchange exchange = EngineExchange.of(x);
        if (!ExtendedConnect.answers(x) && !ForwardLimit.answers(exchange)) {
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

    Collecting collecting() {
        return collecting;
    }

    /// Returns the files that an upstream may name in place of its content; null for none.
    @Nullable SentFiles sentFiles() {
        return sentFiles;
    }

    /// Returns the number of the upstream that a request is bound to, or -1.
    int boundTo(RequestHead request) {
        return sticky == null ? -1 : sticky.find(request.fields());
    }

    /// Returns what changes in the fields of answers; null for nothing.
    @Nullable AnswerChanges changes() {
        return changes;
    }

    Failures failures() {
        return failures;
    }

    ProxyLoop at(EventLoop loop) {
        return loops.at(loop);
    }
}
