package dev.serval.bench.run;

import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.PipelinedCell;
import dev.serval.bench.scenario.ProtocolCell;
import dev.serval.bench.scenario.SessionsCell;
import dev.serval.bench.scenario.ShopCell;
import dev.serval.bench.scenario.TodayCell;
import dev.serval.bench.shop.ShopRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Measures the cells that start each server by themselves.
record ServerRuns(Contest contest) {
    /// Measures a cell.
    List<? extends CellResult> run(Cell.OfServers cell) throws IOException {
        return switch (cell) {
            case Cell.Quiet quiet -> List.of(quiet(quiet));
            case Cell.Lasting lasting -> List.of(new LastingRun(contest, lasting).run());
            case Cell.Burst burst -> List.of(new BurstRun(contest).run(burst));
            case Cell.Ramp ramp -> List.of(ramp(ramp));
            case TodayCell today -> new TodayRuns(contest).run(today);
            case PipelinedCell pipelined -> new PipelinedRun(contest, pipelined).run();
            case SessionsCell sessions -> new SessionsRun(contest, sessions).run();
            case ShopCell shop -> shop(shop);
            case ProtocolCell protocol -> protocol(protocol);
        };
    }

    private List<CellResult> shop(ShopCell cell) throws IOException {
        Bench bench = contest.bench();
        ShopRun.Place place =
                new ShopRun.Place(bench.stage(), bench.proc(), bench.settings(), bench.progress());
        return new ShopRun(place, cell, contest.subject()).run(contest.peers(cell));
    }

    private List<CellResult> protocol(ProtocolCell cell) throws IOException {
        if (contest.loads().clients().found(cell.client()).isEmpty()) {
            return List.of(
                    new AbsentResult(
                            cell.name(),
                            cell.title(),
                            Gap.Kind.NOT_MEASURED,
                            "its client is missing: apt-get install "
                                    + cell.client().debianPackage()));
        }
        Stage stage = contest.stage().speaking(cell.protocol());
        boolean files = !contest.scenario().requests().containsKey(cell.file());
        Contest asked = contest.on(files ? stage.servingFiles() : stage);
        LoadResult result = asked.compared(asked.peers(cell), cell.load());
        List<CellResult> results = new ArrayList<>(List.of(result));
        cell.others().forEach((peer, gate) -> ratio(result, peer, gate).ifPresent(results::add));
        return results;
    }

    /// Returns the subject's CPU time per request ÷ that of another peer, if both were measured.
    private Optional<PeersResult> ratio(LoadResult result, String peer, Gate gate) {
        LoadResult beside =
                LoadResult.of(
                        result.cell() + "-" + peer,
                        result.title() + ": CPU per request ÷ that of " + peer,
                        gate,
                        new LoadResult.Comparison(contest.subject(), List.of(peer), null),
                        result.figures(),
                        List.of());
        if (Double.isNaN(beside.ratio())) {
            return Optional.empty();
        }
        return Optional.of(
                new PeersResult(
                        beside.cell(),
                        beside.title(),
                        "÷ " + peer,
                        new PeersResult.Limit(PeersResult.Kind.VALUE, gate.ratio(), gate.aim()),
                        contest.subject(),
                        List.of(
                                new PeersResult.PeerValues(
                                        contest.subject(), List.of(beside.ratio()), null)),
                        List.of(),
                        List.of()));
    }

    private LoadResult quiet(Cell.Quiet cell) {
        Cell.Load load = contest.scenario().loadCell(cell.of());
        return contest.compared(
                contest.peers(cell), load.as(cell.name(), cell.title(), cell.gate()));
    }

    private RampResult ramp(Cell.Ramp cell) throws IOException {
        Work work = contest.work(cell, cell.file(), 1, Cell.ClientKind.OWN);
        return new RampRun(contest.bench(), cell)
                .run(contest.subject(), contest.entries(contest.peers(cell)), work::target);
    }
}
