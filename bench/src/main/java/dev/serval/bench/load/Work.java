package dev.serval.bench.load;

import dev.serval.bench.peer.Site;
import dev.serval.bench.report.Gate;

/// What a client is to do in a round.
///
/// @param load the cell
/// @param page the file it asks for
record Work(Cell.Load load, Site.Page page) {
    /// The same requests as another cell's.
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
