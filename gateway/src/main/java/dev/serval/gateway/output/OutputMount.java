package dev.serval.gateway.output;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.relay.ErrorLog;
import dev.serval.gateway.relay.ExtendedConnect;
import dev.serval.gateway.relay.Failures;
import dev.serval.gateway.relay.PerLoop;
import dev.serval.gateway.relay.Repetition;
import dev.serval.gateway.relay.SentFiles;
import dev.serval.gateway.spool.Collecting;
import dev.serval.loop.EventLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A mount whose requests go to an application that answers with CGI output, by FastCGI or SCGI.
/// Its parts are the same for all requests. Any thread.
public final class OutputMount {
    private final PeerPool pool;
    private final OutputWire wire;
    private final @Nullable SentFiles sentFiles;
    private final Collecting collecting;
    private final ErrorLog errors;
    private final Failures failures;
    private final PerLoop<OutputLoop> loops;

    /// Creates a mount.
    ///
    /// @param pool connections to the application
    /// @param sentFiles the files that the application may name in place of its output, or null
    /// @param collecting what content is collected before a connection is asked for
    /// @param own the variables that the mount sets
    public OutputMount(
            PeerPool pool,
            OutputWire wire,
            @Nullable SentFiles sentFiles,
            Collecting collecting,
            List<OwnVariable> own) {
        this.pool = pool;
        this.wire = wire;
        this.sentFiles = sentFiles;
        this.collecting = collecting;
        this.errors = new ErrorLog(pool::name);
        this.failures = new Failures(pool, "The application");
        this.loops = new PerLoop<>(() -> new OutputLoop(wire, own));
    }

    /// Sends a request to the application, and answers the exchange with its output.
    public void forward(EngineExchange x, Description description) {
        if (!ExtendedConnect.answers(x)) {
            Repetition first = Repetition.first(Repetition.Rule.KEPT_CONNECTION);
            new OutputRequest(this, x, description, first).start();
        }
    }

    /// Returns the connections.
    public PeerPool pool() {
        return pool;
    }

    OutputWire wire() {
        return wire;
    }

    @Nullable SentFiles sentFiles() {
        return sentFiles;
    }

    Collecting collecting() {
        return collecting;
    }

    Failures failures() {
        return failures;
    }

    ErrorLog errors() {
        return errors;
    }

    OutputLoop at(EventLoop loop) {
        return loops.at(loop);
    }
}
