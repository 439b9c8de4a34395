package dev.serval.bench.load;

import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.Optional;

/// The clients of a run.
///
/// @param own the client for what wrk and ab cannot do, or if they are not installed
/// @param full whole handshakes
/// @param resumed handshakes that resume sessions
public record Clients(
        OwnClient own,
        Optional<Wrk> wrk,
        Optional<Ab> ab,
        Optional<H2load> h2load,
        Optional<Httperf> httperf,
        Optional<Handshakes> full,
        Optional<Handshakes> resumed) {
    /// Finds the clients, which run on the client's CPUs of this stage.
    public static Clients find(Stage stage) throws IOException {
        return new Clients(
                new OwnClient(),
                Wrk.find(stage),
                Ab.find(stage),
                H2load.find(stage),
                Httperf.find(stage),
                Handshakes.find(stage, false),
                Handshakes.find(stage, true));
    }

    /// Returns the client of this kind, or empty if it is not installed.
    public Optional<? extends Client> found(Cell.ClientKind kind) {
        return switch (kind) {
            case OWN -> Optional.of(own);
            case WRK -> wrk;
            case AB -> ab;
            case H2LOAD -> h2load;
            case HTTPERF -> httperf;
            case FULL -> full;
            case RESUMED -> resumed;
        };
    }

    /// Returns the client of this kind, or the own client if that kind is not installed.
    public Client of(Cell.ClientKind kind) {
        Optional<? extends Client> found = found(kind);
        return found.isPresent() ? found.get() : own;
    }
}
