package dev.serval.bench.run;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.PipelinedCell;
import dev.serval.bench.scenario.SessionsCell;
import dev.serval.bench.scenario.ShopCell;
import dev.serval.bench.scenario.TodayCell;
import dev.serval.bench.shop.ShopRun;
import java.io.IOException;
import java.util.List;

/// Measures the cells that start each server by themselves.
final class ServerRuns {
    private final Contest contest;

    ServerRuns(Contest contest) {
        this.contest = contest;
    }

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
        };
    }

    private List<CellResult> shop(ShopCell cell) throws IOException {
        Bench bench = contest.bench();
        ShopRun.Place place =
                new ShopRun.Place(bench.stage(), bench.proc(), bench.settings(), bench.progress());
        return new ShopRun(place, cell, contest.subject()).run(contest.peers(cell));
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
