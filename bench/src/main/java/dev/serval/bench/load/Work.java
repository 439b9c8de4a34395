package dev.serval.bench.load;

import dev.serval.bench.peer.Site;
import dev.serval.bench.report.Gate;

/// The work of a client in a round.
///
/// @param load the cell
/// @param page the requested file
record Work(Cell.Load load, Site.Page page) {
    /// Returns the same requests as work of another cell.
    Work as(String cell, Gate gate) {
        Cell.Load other =
                new Cell.Load(
                        cell,
                        load.title(),
                        load.file(),
                        load.connections(),
                        load.requestsPerConnection(),
                        load.pipeline(),
                        load.client(),
                        load.head(),
                        load.references(),
                        gate);
        return new Work(other, page);
    }
}
