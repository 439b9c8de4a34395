package dev.serval.server;

import dev.serval.control.ControlClient;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `serval status`: prints what a running server does.
///
/// @param server the name of the server's control socket; null for the only one
record Status(@Nullable String server) implements Invocation {
    static final String NAME = "status";

    @Override
    public int carryOut(PrintStream out, PrintStream err) {
        return new ControlClient(ControlPlace.folder(), out, err).send(server, List.of(NAME));
    }
}
