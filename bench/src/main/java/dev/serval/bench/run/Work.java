package dev.serval.bench.run;

import dev.serval.bench.load.Client;
import dev.serval.bench.peer.Site;
import dev.serval.bench.report.Gate;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Request;
import org.jspecify.annotations.Nullable;

/// The work of a client in a round.
///
/// @param page the expected answer and its path
/// @param request what to send, or null for a GET without more
record Work(Cell.Load load, Site.Page page, @Nullable Request request) {
    /// Returns the target on a server at this port.
    Client.Target target(int port) {
        return new Client.Target(port, page, request);
    }

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
        return new Work(other, page, request);
    }
}
