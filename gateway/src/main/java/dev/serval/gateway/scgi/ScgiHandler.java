package dev.serval.gateway.scgi;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.output.Description;
import dev.serval.gateway.output.OutputMount;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.relay.SentFiles;
import dev.serval.gateway.spool.Collecting;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Sends all requests of a mount to an SCGI server.
public final class ScgiHandler implements Handler {
    private final OutputMount mount;

    /// Creates a handler that sets no variable and sends no file.
    ///
    /// @param pool connections to the SCGI server
    /// @param collecting what content is collected before a connection is asked for
    public ScgiHandler(PeerPool pool, Collecting collecting) {
        this(pool, collecting, null, List.of());
    }

    /// Creates a handler.
    ///
    /// @param sendRoot the folder whose files the application may name in place of its output, or null
    /// @param own the variables that the mount sets
    public ScgiHandler(
            PeerPool pool, Collecting collecting, @Nullable Path sendRoot, List<OwnVariable> own) {
        @Nullable SentFiles sent = SentFiles.below(sendRoot);
        this.mount = new OutputMount(pool, ScgiWire.INSTANCE, sent, collecting, own);
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
