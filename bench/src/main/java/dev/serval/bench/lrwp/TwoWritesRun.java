package dev.serval.bench.lrwp;

import dev.serval.bench.load.Bench;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Measures one connection of a peer that writes each answer in two pieces with Nagle's algorithm, as
/// the libraries of Xitami do. The peer's system sends the second piece after the first is
/// acknowledged, so the figure shows how long the server delays that.
final class TwoWritesRun {
    /// The time of a request that gives 3,000 a second on one connection.
    private static final double GATE_MICROS = 1e6 / 3_000;

    private final Bench bench;
    private final LrwpPrograms programs;
    private final Numbers numbers;

    TwoWritesRun(Bench bench, LrwpPrograms programs, Numbers numbers) {
        this.bench = bench;
        this.programs = programs;
        this.numbers = numbers;
    }

    /// Measures the cell.
    SingleResult run(LrwpCell cell) throws IOException {
        Stage stage = bench.stage();
        int port = stage.freePort();
        int lrwpPort = stage.freePort();
        List<String> command = programs.server(cell, stage.site().root(), port, lrwpPort);
        RunningPeer server =
                stage.launch("serval-" + cell.name(), port, stage.cpus().onServer(command));
        List<String> peer = LrwpPrograms.echo(lrwpPort, 1, EchoPeer.TWO_WRITES);
        PostLoad.Sender sender =
                PostLoad.Sender.of(
                        PostStream.post(
                                "/" + EchoPeer.NAME,
                                PostStream.NUMBER + "-".repeat(20 - PostStream.NUMBER.length()),
                                numbers.next()),
                        AnswerRule.echo());
        try (Trial trial = Trial.start(bench, stage.cpus(), server, stage.cpus().onClient(peer))) {
            trial.await(sender);
            return measured(cell, trial, sender);
        }
    }

    private SingleResult measured(LrwpCell cell, Trial trial, PostLoad.Sender sender)
            throws IOException {
        double last = Double.NaN;
        boolean settled = false;
        for (int i = 0; i < bench.settings().warmUpsMax() && !settled; i++) {
            double now = micros(round(trial, sender, "warm-up"));
            settled = Statistics.near(now, last, bench.settings().settledShare());
            last = now;
        }
        List<Trial.Round> rounds = new ArrayList<>();
        int repeats = bench.settings().repeatsMax();
        while (rounds.size() < bench.settings().rounds()) {
            Trial.Round round = round(trial, sender, "round");
            if (round.disturbed() && repeats > 0) {
                repeats--;
            } else {
                rounds.add(round);
            }
        }
        List<Double> values = rounds.stream().map(TwoWritesRun::micros).toList();
        return SingleResult.of(
                new SingleResult.Measured(cell.name(), cell.title(), "µs/request", GATE_MICROS),
                values,
                String.format(
                        Locale.ROOT,
                        "%.0f requests/s on one connection; %s",
                        1e6 / Statistics.of(values).median(),
                        Trial.disturbances(rounds)));
    }

    private Trial.Round round(Trial trial, PostLoad.Sender sender, String phase)
            throws IOException {
        Trial.Round round = trial.round(List.of(sender));
        bench.progress()
                .printf(
                        Locale.ROOT,
                        "%s %-8s %8.1f µs/request, %6.0f requests/s%s%n",
                        LrwpCell.TWO_WRITES,
                        phase,
                        micros(round),
                        round.outcome().perSecond(),
                        round.disturbed() ? "  disturbed" : "");
        return round;
    }

    /// Returns the time of a request. One is under way at a time.
    private static double micros(Trial.Round round) {
        return 1e6 / round.outcome().perSecond();
    }
}
