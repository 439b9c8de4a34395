package dev.serval.bench.run;

import dev.serval.bench.load.Client;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.peer.Site;
import dev.serval.bench.report.Gate;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The work of a client in a round.
///
/// @param pages the expected answers and their paths, in the order of the connections
/// @param request what to send, or null for a GET without more
record Work(Cell.Load load, Protocol protocol, List<Site.Page> pages, @Nullable Request request) {
    /// Makes the work of requesting one page by HTTP/1.1 in the clear.
    Work(Cell.Load load, Site.Page page, @Nullable Request request) {
        this(load, Protocol.HTTP, List.of(page), request);
    }

    /// Returns the target on a server at this port.
    Client.Target target(int port) {
        return new Client.Target(port, protocol, pages, request);
    }

    /// Returns the first page.
    Site.Page page() {
        return pages.getFirst();
    }

    /// Returns the same requests as work of another cell.
    Work as(String cell, String title, Gate gate) {
        return new Work(load.as(cell, title, gate), protocol, pages, request);
    }
}
