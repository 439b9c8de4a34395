package dev.serval.bench.run;

import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.Fates;
import dev.serval.bench.load.Offer;
import dev.serval.bench.load.OpenLoad;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.report.OverloadResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Request;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Measures servers under overload, one after the other. For each server, a closed load finds its
/// capacity. Then multiples of it are offered in an open loop, each followed at once by a light load
/// that shows when the server is as before.
record OverloadRun(Contest contest) {
    private static final int USERS = 16;

    private static final double PROBE_SHARE = 0.2;
    private static final double PROBES_PER_SECOND_MAX = 200;
    private static final int PROBE_SECONDS_MIN = 2;
    private static final int PROBE_SECONDS_MAX = 5;

    /// A server is as before if the 99th percentile of the light load is below twice the one before,
    /// or not more than this above it.
    private static final double TOLERATED_MILLIS = 20;

    OverloadResult run(Cell.Overload cell) throws IOException {
        long steps = BurnTime.steps(cell.cpuMicros() * 1000L, contest.stage().cpus());
        Request request = new Request("/burn?" + steps, Request.Body.NONE, 0, Request.Answer.HELLO);
        OpenLoad.Terms terms =
                contest.bench()
                        .terms(cell.addresses(), cell.deadlineMillis(), cell.patienceMillis());
        double ceiling = Ceiling.of(contest.bench(), terms);
        List<OverloadResult.Server> servers =
                contest.inTurn(
                        contest.peers(),
                        server -> measured(cell, server, target(request, server), terms),
                        (peer, why) -> new OverloadResult.Server(peer, Double.NaN, List.of(), why));
        return new OverloadResult(
                cell.name(),
                cell.title(),
                contest.subject(),
                cell.gateGoodput(),
                cell.gateRecoverySeconds(),
                servers,
                notes(cell, ceiling, servers));
    }

    /// Returns the length of a step.
    private int seconds() {
        return contest.settings().rounds() * contest.settings().seconds();
    }

    private static Client.Target target(Request request, RunningPeer server) {
        return new Client.Target(server.port(), request.page(), request);
    }

    private OverloadResult.Server measured(
            Cell.Overload cell, RunningPeer server, Client.Target target, OpenLoad.Terms terms)
            throws IOException {
        Browser.require(target);
        try (OpenLoad load = OpenLoad.on(target, terms)) {
            load.run(Offer.closed(USERS, seconds())); // warms up
            double capacity = load.run(Offer.closed(USERS, seconds())).rightPerSecond();
            BenchFailure.require(capacity > 0, "no right answer to " + USERS + " users");
            Offer probe =
                    Offer.open(
                            Math.min(PROBES_PER_SECOND_MAX, PROBE_SHARE * capacity),
                            Math.clamp(seconds(), PROBE_SECONDS_MIN, PROBE_SECONDS_MAX));
            double before = load.run(probe).rightMillis(99);
            contest.say(
                    "%s  %-8s capacity %.0f requests/s, p99 of a light load %.1f ms",
                    cell.name(), server.name(), capacity, before);
            List<OverloadResult.Step> steps = new ArrayList<>();
            for (double multiple : cell.multiples()) {
                Meter.Reading begin = contest.meter().read(server);
                List<Fates> fates =
                        load.run(List.of(Offer.open(multiple * capacity, seconds()), probe));
                boolean disturbed = contest.meter().disturbed(begin, contest.meter().read(server));
                double limit = Math.max(2 * before, before + TOLERATED_MILLIS);
                double recovery = fates.getLast().recoveredAfter(limit);
                steps.add(step(multiple, fates.getFirst(), recovery, disturbed));
                progress(cell, server, steps.getLast());
            }
            return new OverloadResult.Server(server.name(), capacity, steps, null);
        }
    }

    private static OverloadResult.Step step(
            double multiple, Fates fates, double recoverySeconds, boolean disturbed) {
        return new OverloadResult.Step(
                multiple,
                fates.all() / fates.offer().seconds(),
                fates.goodput(),
                fates.rightMillis(99),
                fates.ends(),
                fates.refusedMillis(99),
                fates.lateShare(),
                fates.isOfTheGenerator(),
                recoverySeconds,
                disturbed);
    }

    private void progress(Cell.Overload cell, RunningPeer server, OverloadResult.Step step) {
        contest.say(
                "%s  %-8s × %-4.1f %6.0f/s offered, goodput %6.0f/s, p99 %.0f ms, recovery"
                        + " %.2f s, %s%s",
                cell.name(),
                server.name(),
                step.multiple(),
                step.offered(),
                step.goodput(),
                step.p99Millis(),
                step.recoverySeconds(),
                step.ends(),
                step.disturbed() ? "  disturbed" : "");
    }

    private List<String> notes(
            Cell.Overload cell, double ceiling, List<OverloadResult.Server> servers) {
        List<String> notes = new ArrayList<>();
        notes.add(
                String.format(
                        "%d s for each step; goodput counts right answers within %d ms of the planned"
                                + " instant; clients wait for %d ms, and come from %d addresses",
                        seconds(), cell.deadlineMillis(), cell.patienceMillis(), cell.addresses()));
        notes.add(Ceiling.note(ceiling));
        for (OverloadResult.Server server : servers) {
            if (server.failure() == null) {
                notes.add(
                        String.format(
                                "%s: capacity %.0f requests/s, with %d users who wait",
                                server.peer(), server.capacity(), USERS));
            }
        }
        return notes;
    }
}
