package dev.serval.server;

import dev.serval.control.ControlClient;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `serval undeploy`: has a running server end an application.
///
/// @param prefix where it is served
/// @param server the name of the server's control socket; null for the only one
record Undeploy(String prefix, @Nullable String server) implements Invocation {
    static final String NAME = "undeploy";

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        return new ControlClient(ControlPlace.folder(), out, err)
                .send(server, List.of(NAME, prefix));
    }
}
