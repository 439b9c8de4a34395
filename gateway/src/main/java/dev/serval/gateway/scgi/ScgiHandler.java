package dev.serval.gateway.scgi;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.output.Description;
import dev.serval.gateway.output.OutputMount;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.spool.Collecting;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import java.util.List;

/// Sends all requests of a mount to an SCGI server.
public final class ScgiHandler implements Handler {
    private final OutputMount mount;

    /// Creates a handler that sets no variable.
    ///
    /// @param pool connections to the SCGI server
    /// @param collecting what content is collected before a connection is asked for
    public ScgiHandler(PeerPool pool, Collecting collecting) {
        this(pool, collecting, List.of());
    }

    /// Creates a handler.
    ///
    /// @param own the variables that the mount sets
    public ScgiHandler(PeerPool pool, Collecting collecting, List<OwnVariable> own) {
        this.mount = new OutputMount(pool, ScgiWire.INSTANCE, null, collecting, own);
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
