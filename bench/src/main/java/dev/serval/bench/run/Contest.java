package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    /// Returns the work of requesting a file or the scenario's request of this name, for a cell that
    /// is no load.
    Work work(Cell cell, String file, int connections, Cell.ClientKind client) {
        return work(
                Cell.Load.plain(cell.name(), cell.title(), file, connections, client, Gate.NONE));
    }

    Work work(Cell.Load load) {
        Request request = scenario.requests().get(load.file());
        return request == null
                ? new Work(
                        load, load.files().stream().map(bench.stage().site()::page).toList(), null)
                : new Work(load, request.page(), request);
    }

    /// Returns the peers to which the subject is compared in a load cell.
    LoadResult.Comparison comparison(Cell.Load load) {
        List<String> references =
                load.references().isEmpty() ? scenario.references() : load.references();
        return new LoadResult.Comparison(subject(), references, scenario.floor());
    }

    /// Starts a peer as the scenario asks for.
    RunningPeer start(Peer peer) throws IOException {
        bench.progress().printf("starting %s%n", peer.name());
        return peer.start(bench.stage());
    }

    /// Returns servers as the entries of a ramp.
    List<RampRun.Entry> entries(List<Peer> some) {
        return some.stream()
                .map(peer -> new RampRun.Entry(peer.name(), () -> start(peer)))
                .toList();
    }

    /// Starts a peer on a stage.
    ///
    /// @param running gets the server, if it starts
    /// @return its figures if it does not start
    Optional<Figures> start(Peer peer, Stage stage, List<RunningPeer> running) {
        bench.progress().printf("starting %s%n", peer.name());
        try {
            running.add(peer.start(stage));
            return Optional.empty();
        } catch (IOException | BenchFailure e) {
            String why = String.valueOf(e.getMessage());
            bench.progress().println(peer.name() + " failed: " + why);
            return Optional.of(Figures.failed(peer.name(), why));
        }
    }

    /// Starts these peers without an access log, and compares them in a load.
    LoadResult compared(List<Peer> some, Cell.Load load) {
        List<RunningPeer> running = new ArrayList<>();
        List<Figures> failed = new ArrayList<>();
        try {
            for (Peer peer : some) {
                start(peer, bench.stage().silent(), running).ifPresent(failed::add);
            }
            LoadResult.Comparison comparison = comparison(load);
            return loads.run(work(load), running, comparison).with(failed, comparison);
        } finally {
            running.forEach(RunningPeer::close);
        }
    }

    /// Returns the peers of a cell.
    List<Peer> peers(Cell.OfServers cell) {
        return cell.peers().isEmpty()
                ? peers
                : peers.stream().filter(peer -> cell.peers().contains(peer.name())).toList();
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
