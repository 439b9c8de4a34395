package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.util.List;

/// What every cell of a scenario's run is measured with.
///
/// @param peers those present on this machine
/// @param loads measures loads on the stage of the bench
record Contest(Scenario scenario, List<Peer> peers, Bench bench, LoadRun loads) {

    /// Returns the name of the peer that the figures describe.
    String subject() {
        return scenario.subject();
    }

    /// Returns the peers of a kind.
    <P extends Peer> List<P> peers(Class<P> kind) {
        return peers.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// Returns the work of a load cell.
    Work work(String cell) {
        return work(scenario.loadCell(cell));
    }

    Work work(Cell.Load load) {
        Request request = scenario.requests().get(load.file());
        return request == null
                ? new Work(load, bench.stage().site().page(load.file()), null)
                : new Work(load, request.page(), request);
    }

    /// Measures the subject only.
    interface Single {
        SingleResult measure() throws IOException;
    }

    /// Returns the result of a measurement, or why there is none.
    static SingleResult attempt(SingleResult.Measured what, Single single) {
        try {
            return single.measure();
        } catch (IOException | BenchFailure e) {
            return SingleResult.failed(what, String.valueOf(e.getMessage()));
        }
    }
}
