package dev.serval.bench.run;

import dev.serval.bench.hello.HelloServer;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.HogLoad;
import dev.serval.bench.load.OwnClient;
import dev.serval.bench.load.PacedLoad;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.HelloPeer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LatencyResult;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/// Measures the latency of static files beside application code that keeps its thread. Each round
/// of each row has its own server, so that no server profits from what another has learned. Rounds
/// with and without preemption are interleaved.
record LatencyRun(Bench bench) {
    /// The engine runs the first 50 requests of a mapping on the pool, whatever they do.
    /// Those requests are not measured.
    private static final int FIRST_REQUESTS = 64;

    private static final int FIRST_CALLERS = 16;
    private static final int WARM_UP_SECONDS = 1;

    /// The rounds of one server so far.
    private static final class Side {
        private final HelloPeer peer;
        private PacedLoad.Outcome outcome = PacedLoad.Outcome.none();
        private long hogRequests;
        private long preemptions;
        private boolean disturbed;

        Side(HelloPeer peer) {
            this.peer = peer;
        }

        LatencyResult.Measured result() {
            Histogram micros = outcome.micros();
            return new LatencyResult.Measured(
                    new LatencyResult.Millis(
                            micros.getValueAtPercentile(50) / 1e3,
                            micros.getValueAtPercentile(99) / 1e3,
                            micros.getMaxValue() / 1e3),
                    micros.getTotalCount(),
                    outcome.unanswered(),
                    hogRequests,
                    preemptions,
                    disturbed);
        }
    }

    LatencyResult run(Cell.Latency cell, HelloPeer subject) {
        List<LatencyResult.Step> rows = new ArrayList<>();
        try {
            for (int hogs : cell.hogs()) {
                rows.add(row(cell, subject, hogs));
            }
            return new LatencyResult(cell.name(), cell.title(), rows, null);
        } catch (IOException | BenchFailure e) {
            String failure = String.valueOf(e.getMessage());
            return new LatencyResult(cell.name(), cell.title(), rows, failure);
        }
    }

    private LatencyResult.Step row(Cell.Latency cell, HelloPeer subject, int hogs)
            throws IOException {
        Side with = new Side(subject);
        Side without = new Side(subject.withoutPreempt());
        for (int number = 0; number < bench.settings().rounds(); number++) {
            round(cell, hogs, number % 2 == 0 ? with : without);
            round(cell, hogs, number % 2 == 0 ? without : with);
        }
        return new LatencyResult.Step(hogs, without.result(), with.result(), cell.prototype(hogs));
    }

    private void round(Cell.Latency cell, int hogs, Side side) throws IOException {
        Site site = bench.stage().site();
        try (RunningPeer server = side.peer.start(bench.stage())) {
            Client.Target files = new Client.Target(server.port(), site.page(cell.file()));
            Client.Target hog =
                    new Client.Target(
                            server.port(), site.page(HelloServer.PAGE).at(cell.hog().path()));
            warmUp(cell, files);
            try (PacedLoad paced = PacedLoad.open(files, cell.connections())) {
                if (hogs > 0) {
                    try (HogLoad first = HogLoad.start(hog, FIRST_CALLERS)) {
                        first.awaitAnswered(FIRST_REQUESTS);
                    }
                }
                long preemptions = Counts.of(server).preemptions();
                measure(cell, side, server, new Loads(paced, hog, hogs));
                side.preemptions += Counts.of(server).preemptions() - preemptions;
            }
        }
        LatencyResult.Millis soFar = side.result().millis();
        bench.say(
                "%s × %d  %-16s p50 %.1f p99 %.1f max %.1f ms so far, %d preemptions%s",
                cell.name(),
                hogs,
                side.peer.name(),
                soFar.p50(),
                soFar.p99(),
                soFar.max(),
                side.preemptions,
                side.disturbed ? "  disturbed" : "");
    }

    /// The load of a round.
    ///
    /// @param paced requests static files
    /// @param hog the application code
    private record Loads(PacedLoad paced, Client.Target hog, int hogs) {}

    private void measure(Cell.Latency cell, Side side, RunningPeer server, Loads loads)
            throws IOException {
        try (HogLoad load = HogLoad.start(loads.hog(), loads.hogs())) {
            Meter.Reading before = bench.meter().read(server);
            PacedLoad.Outcome outcome =
                    loads.paced().run(cell.perSecond(), bench.settings().seconds());
            Meter.Reading after = bench.meter().read(server);
            side.outcome = side.outcome.and(outcome);
            side.hogRequests += load.answered();
            side.disturbed |= bench.meter().disturbed(before, after);
        }
    }

    /// Requests files until their code path is compiled.
    private static void warmUp(Cell.Latency cell, Client.Target files) throws IOException {
        Cell.Load load =
                cell.plain(cell.file(), cell.connections(), Cell.ClientKind.OWN, Gate.NONE);
        Client.Tally tally = new OwnClient().run(files, load, WARM_UP_SECONDS);
        BenchFailure.require(tally.errors() == 0, tally.errors() + " errors in the warm-up");
    }
}
