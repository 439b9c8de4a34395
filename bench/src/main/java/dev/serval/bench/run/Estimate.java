package dev.serval.bench.run;

import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.PipelinedCell;
import dev.serval.bench.scenario.ProtocolCell;
import dev.serval.bench.scenario.SessionsCell;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.scenario.ShopCell;
import dev.serval.bench.scenario.TodayCell;

/// Estimates how long a cell takes, from what it does. The estimates are rough: the progress of a
/// run corrects them by what its first cells take.
///
/// @param peers how many servers take part
public record Estimate(Settings settings, int peers) {
    /// Warm-ups rarely need more rounds.
    private static final int USUAL_WARM_UPS = 5;

    /// Rounds that are measured again because something disturbed them.
    private static final int USUAL_REPEATS = 1;

    /// What a round needs apart from its load.
    private static final double BETWEEN_SECONDS = 0.4;

    private static final double START_SECONDS = 2;

    /// A run of ab in a burst.
    private static final double BURST_SECONDS = 0.3;

    /// The heaps that are tried to find the smallest.
    private static final int HEAPS_TRIED = 3;

    /// The steps of a ramp after the planned ones.
    private static final int STEPS_BEYOND = 10;

    /// A request of a pipeline.
    private static final double PIPELINED_SECONDS = 12e-6;

    /// Reading the counters of a JVM before and after a run.
    private static final double READING_SECONDS = 1.5;

    /// Sessions that a server makes in a second, roughly.
    private static final double SESSIONS_PER_SECOND = 3000;

    /// Customers of a new shop, with their purchases and books.
    private static final double CUSTOMERS_PER_SECOND = 4000;

    /// A start with the shop, its first pages, and the check of its database.
    private static final double SHOP_START_SECONDS = 10;

    /// Opening 10,000 connections.
    private static final double OPEN_SECONDS = 1;

    /// Opening and warming many connections.
    private static final double IDLE_SECONDS = 40;

    /// A light load after each step of an overload.
    private static final double RECOVERY_SECONDS = 5;

    /// Returns how long a cell takes, in seconds.
    public double seconds(Cell cell) {
        return switch (cell) {
            case Cell.Load _, Cell.Quiet _ -> peers * load();
            case Cell.Ready ready -> ready.starts() * START_SECONDS;
            case Cell.Resident resident -> START_SECONDS + resident.after().size() * warmUp();
            case Cell.Allocated _, Cell.Allocation _ -> peers * (START_SECONDS + load());
            case Cell.Rest rest -> peers * warmUp() + rest.seconds();
            case Cell.Latency latency ->
                    2.0
                            * latency.hogs().size()
                            * settings.rounds()
                            * (START_SECONDS + settings.seconds());
            case Cell.Slow slow -> slow(slow);
            case Cell.Memory _ -> peers * settings.rounds() * (START_SECONDS + warmUp());
            case Cell.Start start -> peers * start.starts() * 2 * START_SECONDS;
            case Cell.Loops _, Cell.Variant _, Cell.Application _ -> 2 * (START_SECONDS + load());
            case Cell.Overload overload -> overload(overload);
            case Cell.Lasting lasting -> lasting(lasting);
            case Cell.Burst burst -> burst(burst);
            case Cell.Ramp ramp -> ramp(ramp);
            case SessionsCell sessions -> sessions(sessions);
            case ShopCell shop -> shop(shop);
            case PipelinedCell pipelined -> pipelined(pipelined);
            case ProtocolCell protocol -> count(protocol) * (START_SECONDS + load());
            case TodayCell today -> count(today) * today(today);
        };
    }

    /// Returns how long one server takes.
    private double today(TodayCell cell) {
        return switch (cell) {
            case TodayCell.Servlet _ -> START_SECONDS + load();
            case TodayCell.Crowd _ ->
                    2 * START_SECONDS + load() + settings.rounds() * (round() + OPEN_SECONDS);
            case TodayCell.Tail _ ->
                    START_SECONDS + warmUp() + 2 * settings.seconds() + TodayRuns.seconds(settings);
        };
    }

    /// A collector has two starts with a long load, and a few more to find the smallest heap.
    private double lasting(Cell.Lasting cell) {
        int length = LastingRun.seconds(cell, settings);
        double search = HEAPS_TRIED * (START_SECONDS + warmUp() + round());
        double one = load() + warmUp() + search + 2 * (START_SECONDS + length);
        return count(cell) * LastingRun.collectors(cell, settings).size() * one;
    }

    private double burst(Cell.Burst cell) {
        int warmUps = Math.min(cell.runs(), 2 * settings.warmUpsMax());
        int runs = BurstRun.runs(cell, settings.rounds()) + warmUps;
        return count(cell) * (START_SECONDS + runs * BURST_SECONDS);
    }

    private double ramp(Cell.Ramp cell) {
        Cell.Ramp.Steps steps = RampRun.steps(cell, settings);
        double step = steps.seconds() + steps.pauseMillis() / 1e3;
        return count(cell) * (START_SECONDS + (steps.rates().size() + STEPS_BEYOND) * step);
    }

    private double pipelined(PipelinedCell cell) {
        double run = cell.requests(settings) * PIPELINED_SECONDS + READING_SECONDS;
        int warmUps = Math.min(settings.warmUpsMax(), USUAL_WARM_UPS);
        return count(cell) * (START_SECONDS + (warmUps + settings.rounds()) * run);
    }

    /// Two ramps, and a life for each timeout with three starts.
    private double sessions(SessionsCell cell) {
        double lives = 0;
        for (int timeout : SessionsRun.timeouts(cell, settings)) {
            double made = SessionsRun.count(cell, settings, timeout) / SESSIONS_PER_SECOND;
            lives += timeout + SessionsRun.EXPIRY_SECONDS + made + 3 * START_SECONDS;
        }
        Cell.Ramp ramp = cell.ramp(true);
        int warmUps = Math.min(settings.warmUpsMax(), USUAL_WARM_UPS);
        int warm = warmUps * RampRun.warmUpSeconds(ramp, settings);
        return 2 * ramp(ramp) + count(cell) * (lives + 2 * warm);
    }

    private double shop(ShopCell cell) {
        ShopCell.Extent extent = cell.extent(settings);
        int doublings =
                Integer.SIZE - Integer.numberOfLeadingZeros(cell.usersMax() / cell.firstUsers());
        double trials = doublings + extent.halvings();
        double trial = extent.warmUpSeconds() + extent.seconds();
        double rows = extent.customers() / CUSTOMERS_PER_SECOND;
        double starts = (1 + extent.halvings()) * SHOP_START_SECONDS; // after trials that failed
        return rows + START_SECONDS + count(cell) * (starts + trials * trial);
    }

    private int count(Cell.OfServers cell) {
        return cell.peers().isEmpty() ? peers : Math.min(peers, cell.peers().size());
    }

    /// Returns how long a load on one peer takes, with its warm-up.
    public double load() {
        return warmUp() + (settings.rounds() + USUAL_REPEATS) * round();
    }

    private double warmUp() {
        return Math.min(settings.warmUpsMax(), USUAL_WARM_UPS) * round();
    }

    private double round() {
        return settings.seconds() + BETWEEN_SECONDS;
    }

    /// Every container has two settings.
    private double slow(Cell.Slow cell) {
        return (2.0 * peers - 1)
                * SlowRun.rounds(cell, settings)
                * (cell.seconds() + IDLE_SECONDS / 4);
    }

    private double overload(Cell.Overload cell) {
        double step = settings.rounds() * settings.seconds() + RECOVERY_SECONDS;
        return peers * (START_SECONDS + (cell.multiples().size() + 2) * step);
    }
}
