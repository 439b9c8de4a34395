package dev.serval.bench.load;

import java.util.Optional;

/// The clients of a run.
///
/// @param own for what wrk cannot do, and where it is missing
/// @param wrk empty where it is not installed
/// @param ab empty if it is not installed
record Clients(OwnClient own, Optional<Wrk> wrk, Optional<Ab> ab) {
    /// The client of this kind, or the own one in its place.
    Client of(Cell.ClientKind kind) {
        return switch (kind) {
            case OWN -> own;
            case WRK -> wrk.isPresent() ? wrk.get() : own;
            case AB -> ab.isPresent() ? ab.get() : own;
        };
    }
}
