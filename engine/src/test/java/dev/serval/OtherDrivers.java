package dev.serval;

import dev.serval.conn.HttpLoop;
import dev.serval.net.Driver;
import java.util.function.Function;

/// Lets tests of other packages have a server speak a protocol of their own.
public final class OtherDrivers {
    private OtherDrivers() {}

    /// Has that server's connections driven by them.
    public static Serval.Builder set(
            Serval.Builder builder, Function<HttpLoop, Driver.Factory> drivers) {
        return builder.drivers(drivers);
    }

    /// What the loops of a server share, for who counts what is in progress.
    public static Iterable<HttpLoop> loops(Serval server) {
        return server.httpLoops();
    }
}
