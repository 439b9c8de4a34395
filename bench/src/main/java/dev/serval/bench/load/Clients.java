package dev.serval.bench.load;

import java.util.Optional;

/// The clients of a run.
///
/// @param own the client for what wrk and ab cannot do, or if they are not installed
/// @param wrk empty if it is not installed
/// @param ab empty if it is not installed
record Clients(OwnClient own, Optional<Wrk> wrk, Optional<Ab> ab) {
    /// Returns the client of this kind, or the own client if that kind is not installed.
    Client of(Cell.ClientKind kind) {
        return switch (kind) {
            case OWN -> own;
            case WRK -> wrk.isPresent() ? wrk.get() : own;
            case AB -> ab.isPresent() ? ab.get() : own;
        };
    }
}
