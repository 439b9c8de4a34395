package dev.serval.bench.peer;

import dev.serval.testkit.PostgresServer;
import java.io.IOException;
import java.io.InterruptedIOException;

/// A PostgreSQL server of Debian's package, as tests start it. It also ends when the suite is ended by
/// a signal. Used by one thread.
public final class Postgres implements AutoCloseable {
    /// What a report says if it is missing.
    public static final String NEEDED =
            "PostgreSQL is not installed: apt-get install postgresql (and stop its service:"
                    + " systemctl stop postgresql)";

    private final PostgresServer server;

    private Postgres(PostgresServer server) {
        this.server = server;
        Runtime.getRuntime().addShutdownHook(new Thread(server::down, "stop-database"));
    }

    /// Returns whether its programs are there.
    public static boolean isInstalled() {
        return PostgresServer.isInstalled();
    }

    /// Starts an empty database, on the CPUs of the suite.
    public static Postgres start() throws IOException {
        try {
            return new Postgres(PostgresServer.start());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the database started");
        }
    }

    /// Returns the JDBC address of its database.
    public String address() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
    }
}
