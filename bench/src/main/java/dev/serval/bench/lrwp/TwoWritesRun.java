package dev.serval.bench.lrwp;

import dev.serval.bench.bare.EchoPeer;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.Rounds;
import java.io.IOException;
import java.util.List;

/// Measures one connection of a peer that writes each answer in two pieces with Nagle's algorithm, as
/// the libraries of Xitami do. The peer's system sends the second piece after the first is
/// acknowledged, so the figure shows how long the server delays that.
record TwoWritesRun(Bench bench, LrwpPrograms programs, Numbers numbers) {
    /// The time of a request that gives 3,000 a second on one connection.
    private static final double GATE_MICROS = 1e6 / 3_000;

    /// Measures the cell.
    SingleResult run(LrwpCell cell) throws IOException {
        PostLoad.Sender sender =
                PostLoad.Sender.of(
                        PostStream.post(
                                "/" + EchoPeer.NAME,
                                PostStream.NUMBER + "-".repeat(20 - PostStream.NUMBER.length()),
                                numbers.next()),
                        AnswerRule.echo());
        Cpus cpus = bench.stage().cpus();
        try (Trial trial =
                Trial.start(
                        bench,
                        cell,
                        programs,
                        cpus,
                        port -> cpus.onClient(LrwpPrograms.echo(port, 1, EchoPeer.TWO_WRITES)))) {
            trial.await(sender);
            return measured(cell, trial, sender);
        }
    }

    private SingleResult measured(LrwpCell cell, Trial trial, PostLoad.Sender sender)
            throws IOException {
        List<Trial.Round> rounds =
                new Rounds<>(
                                bench.settings(),
                                phase -> round(trial, sender, phase),
                                Trial.Round::disturbed)
                        .all(List.of(TwoWritesRun::micros));
        List<Double> values = rounds.stream().map(TwoWritesRun::micros).toList();
        return SingleResult.of(
                new SingleResult.Measured(cell.name(), cell.title(), "µs/request", GATE_MICROS),
                values,
                "%.0f requests/s on one connection; %s"
                        .formatted(
                                1e6 / Statistics.of(values).median(), Trial.disturbances(rounds)));
    }

    private Trial.Round round(Trial trial, PostLoad.Sender sender, Round.Phase phase)
            throws IOException {
        Trial.Round round = trial.round(List.of(sender));
        bench.say(
                "%s %-8s %8.1f µs/request, %6.0f requests/s%s",
                LrwpCell.TWO_WRITES,
                phase.word(),
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
