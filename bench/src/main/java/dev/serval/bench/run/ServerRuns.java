package dev.serval.bench.run;

import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Measures the cells that start each server by themselves.
final class ServerRuns {
    private final Contest contest;

    ServerRuns(Contest contest) {
        this.contest = contest;
    }

    /// Measures a cell.
    CellResult run(Cell.OfServers cell) throws IOException {
        return switch (cell) {
            case Cell.Quiet quiet -> quiet(quiet);
            case Cell.Lasting lasting -> new LastingRun(contest, lasting).run();
            case Cell.Burst burst -> new BurstRun(contest).run(burst);
            case Cell.Ramp ramp -> ramp(ramp);
        };
    }

    private LoadResult quiet(Cell.Quiet cell) {
        Cell.Load load = contest.scenario().loadCell(cell.of());
        List<RunningPeer> running = new ArrayList<>();
        List<Figures> failed = new ArrayList<>();
        try {
            for (Peer peer : contest.peers(cell)) {
                contest.start(peer, contest.bench().stage().silent(), running)
                        .ifPresent(failed::add);
            }
            LoadResult.Comparison comparison = contest.comparison(load);
            Work work = contest.work(load).as(cell.name(), cell.title(), cell.gate());
            return contest.loads().run(work, running, comparison).with(failed, comparison);
        } finally {
            running.forEach(RunningPeer::close);
        }
    }

    private RampResult ramp(Cell.Ramp cell) throws IOException {
        Work work =
                contest.work(
                        Cell.Load.plain(
                                cell.name(),
                                cell.title(),
                                cell.file(),
                                1,
                                Cell.ClientKind.OWN,
                                Gate.NONE));
        List<RampRun.Entry> entries = new ArrayList<>();
        for (Peer peer : contest.peers(cell)) {
            entries.add(new RampRun.Entry(peer.name(), () -> contest.start(peer)));
        }
        return new RampRun(contest.bench(), cell).run(contest.subject(), entries, work::target);
    }
}
