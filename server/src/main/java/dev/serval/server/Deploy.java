package dev.serval.server;

import dev.serval.control.ControlClient;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `serval deploy`: has a running server start an application, in place of the version that it
/// serves.
///
/// @param prefix where to serve it; empty to let the server choose
/// @param mount the application
/// @param server the name of the server's control socket; null for the only one
record Deploy(String prefix, Mount mount, @Nullable String server) implements Invocation {
    static final String NAME = "deploy";

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        return new ControlClient(ControlPlace.folder(), out, err)
                .send(server, List.of(NAME, prefix, mount.path().toString()));
    }
}
