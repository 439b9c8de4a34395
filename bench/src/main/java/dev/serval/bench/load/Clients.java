package dev.serval.bench.load;

import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.Optional;

/// The clients of a run.
///
/// @param own the client for what wrk and ab cannot do, or if they are not installed
public record Clients(OwnClient own, Optional<Wrk> wrk, Optional<Ab> ab) {

    /// Finds the clients, which run on the client's CPUs of this stage.
    public static Clients find(Stage stage) throws IOException {
        return new Clients(new OwnClient(), Wrk.find(stage), Ab.find(stage));
    }

    /// Returns the client of this kind, or the own client if that kind is not installed.
    public Client of(Cell.ClientKind kind) {
        return switch (kind) {
            case OWN -> own;
            case WRK -> wrk.isPresent() ? wrk.get() : own;
            case AB -> ab.isPresent() ? ab.get() : own;
        };
    }
}
