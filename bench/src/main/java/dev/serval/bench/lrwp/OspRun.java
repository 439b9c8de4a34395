package dev.serval.bench.lrwp;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// Measures calls per minute of the OSP server behind the gateway, with the load of the paper. Server
/// and peer share the CPUs of the cell; the client has the rest of the machine, if there is any.
final class OspRun {
    private static final int CLIENTS = 50;
    private static final int CONNECTIONS = 16;
    private static final int DESTINATIONS = 2;
    private static final int COUNTERS_MILLIS = 10_000;

    /// The messages of a call: an authorisation, a usage of the source and three of destinations.
    private static final int MESSAGES = 5;

    private static final String ROUTES =
            """
            route 1678 [192.0.2.1] rate=0.01
            route 1678 [192.0.2.2] rate=0.02
            """;

    private final Bench bench;
    private final LrwpPrograms programs;
    private final Numbers numbers;

    OspRun(Bench bench, LrwpPrograms programs, Numbers numbers) {
        this.bench = bench;
        this.programs = programs;
        this.numbers = numbers;
    }

    /// Measures a cell. Its CPUs are those of the stage.
    SingleResult run(LrwpCell cell) throws IOException {
        Stage stage = bench.stage();
        Path routes = Files.writeString(stage.folder().resolve("routes.txt"), ROUTES);
        Path state = stage.folder().resolve("state-" + cell.name());
        Cpus cpus = stage.cpus();
        try (Trial trial =
                Trial.start(
                        bench,
                        cell,
                        programs,
                        Cpus.unpinned(cpus.all()),
                        port ->
                                cpus.onServer(
                                        programs.osp(cell, port, routes, state, CONNECTIONS)))) {
            trial.await(sender(0));
            return measured(cell, trial);
        }
    }

    /// Returns the messages of a call in turn, beginning with one of them.
    private PostLoad.Sender sender(int first) throws IOException {
        List<PostLoad.Turn> turns =
                new ArrayList<>(
                        List.of(
                                new PostLoad.Turn(
                                        stream(OspContent.authorization()),
                                        AnswerRule.osp(1, DESTINATIONS)),
                                usage("source"),
                                usage("destination"),
                                usage("destination"),
                                usage("destination")));
        Collections.rotate(turns, -first);
        return new PostLoad.Sender(turns);
    }

    private PostLoad.Turn usage(String role) throws IOException {
        return new PostLoad.Turn(stream(OspContent.usage(role)), AnswerRule.osp(2, 0));
    }

    private PostStream stream(String content) {
        return PostStream.post("/osp", content, numbers.next());
    }

    private SingleResult measured(LrwpCell cell, Trial trial) throws IOException {
        List<PostLoad.Sender> senders = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            senders.add(sender(i % MESSAGES));
        }
        List<Trial.Round> rounds =
                new Rounds<>(
                                bench.settings(),
                                phase -> round(cell, trial, senders, phase),
                                Trial.Round::disturbed)
                        .all(List.of(OspRun::callsPerMinute));
        return SingleResult.of(
                new SingleResult.Measured(cell.name(), cell.title(), "calls/min", Double.NaN),
                rounds.stream().map(OspRun::callsPerMinute).toList(),
                note(rounds));
    }

    private Trial.Round round(
            LrwpCell cell, Trial trial, List<PostLoad.Sender> senders, Round.Phase phase)
            throws IOException {
        long before = ownCount(trial.port());
        Trial.Round round = trial.round(senders);
        long counted = ownCount(trial.port()) - before;
        if (counted != round.outcome().answers()) {
            throw new BenchFailure(
                    "the OSP server counted "
                            + counted
                            + " messages, the load "
                            + round.outcome().answers());
        }
        bench.progress()
                .printf(
                        Locale.ROOT,
                        "%-16s %-8s %8.0f calls/min, CPU: server %3.0f %%, peer %3.0f %%, p99 %.1f"
                                + " ms%s%n",
                        cell.name(),
                        phase.word(),
                        callsPerMinute(round),
                        100 * round.serverShare(),
                        100 * round.peerShare(),
                        round.outcome().p99Millis(),
                        round.disturbed() ? "  disturbed" : "");
        return round;
    }

    private static double callsPerMinute(Trial.Round round) {
        return round.outcome().perSecond() * 60 / MESSAGES;
    }

    private static String note(List<Trial.Round> rounds) {
        return String.format(
                Locale.ROOT,
                "%.0f messages/s; CPUs: server %.2f, peer %.2f; p99 %.1f ms; the OSP server counted"
                        + " the same messages; %s",
                median(rounds.stream().map(r -> r.outcome().perSecond()).toList()),
                median(rounds.stream().map(Trial.Round::serverShare).toList()),
                median(rounds.stream().map(Trial.Round::peerShare).toList()),
                median(rounds.stream().map(r -> r.outcome().p99Millis()).toList()),
                Trial.disturbances(rounds));
    }

    private static double median(List<Double> values) {
        return Statistics.of(values).median();
    }

    /// Returns the number of messages that the OSP server has counted.
    private static long ownCount(int port) throws IOException {
        HttpConnection.Answer answer = HttpConnection.get(port, "/osp/counters", COUNTERS_MILLIS);
        return answer.text()
                .lines()
                .filter(line -> line.startsWith("messages "))
                .mapToLong(line -> Long.parseLong(line.substring("messages ".length())))
                .findFirst()
                .orElseThrow(() -> new BenchFailure("the OSP server has no counters"));
    }
}
