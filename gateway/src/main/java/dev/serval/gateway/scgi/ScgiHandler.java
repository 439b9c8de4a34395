package dev.serval.gateway.scgi;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.output.Description;
import dev.serval.gateway.output.OutputMount;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.spool.Collecting;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;

/// Sends all requests of a mount to an SCGI server.
public final class ScgiHandler implements Handler {
    private final OutputMount mount;

    /// Creates a handler.
    ///
    /// @param pool connections to the SCGI server
    /// @param collecting what content is collected before a connection is asked for
    public ScgiHandler(PeerPool pool, Collecting collecting) {
        this.mount = new OutputMount(pool, ScgiWire.INSTANCE, null, collecting);
    }

    @Override
    public void handle(Exchange x) {
        mount.forward(EngineExchange.of(x), Description.WHOLE_MOUNT);
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }
}
