package dev.serval.bench.load;

import java.util.Optional;

/// The clients of a machine on which no client is installed.
public final class AbsentClients {
    private AbsentClients() {}

    /// Returns the suite's own client, and no other.
    public static Clients all() {
        return new Clients(
                new OwnClient(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
