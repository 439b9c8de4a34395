package dev.serval.bench.lrwp;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.IdleConnections;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Table;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.Rounds;
import dev.serval.bench.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Measures calls per minute of the OSP server behind the gateway, with the load of the paper. Server
/// and peer share the CPUs of the cell; the client has the rest of the machine, if there is any.
///
/// @param bench its stage has the CPUs of the cell
record OspRun(Bench bench, LrwpPrograms programs, Numbers numbers, LrwpCell cell) {
    private static final int CLIENTS = 50;
    private static final int CONNECTIONS = 16;
    private static final int DESTINATIONS = 2;
    private static final int COUNTERS_MILLIS = 10_000;

    /// The messages of a call: an authorisation, a usage of the source and three of destinations.
    private static final int MESSAGES = 5;

    private static final int SILENT = 10_000;

    /// Descriptors that are needed beside those of the silent connections.
    private static final int RESERVE = 1000;

    private static final String TITLE = "OSP: calls per minute, and CPU in % of the cell's cores";
    private static final String CALLS = "calls per minute";
    private static final String WEB = "CPU of the web server";
    private static final String OSP = "CPU of the OSP server";
    private static final String CLIENTS_CPU = "CPU of the clients";

    private static final String ROUTES =
            """
            route 1678 [192.0.2.1] rate=0.01
            route 1678 [192.0.2.2] rate=0.02
            """;

    /// A round, and the calls that the OSP server counted in it.
    private record Measured(Trial.Round round, long calls) {
        double callsPerMinute() {
            return calls * 60 / round.outcome().seconds();
        }
    }

    TableResult run() throws IOException {
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
            trial.await(sender(0, numbers));
            int seconds = bench.settings().seconds();
            Trial.Loading load =
                    switch (cell.load()) {
                        case IN_TURN, SILENT, APART -> {
                            List<PostLoad.Sender> senders = senders(cell.load(), numbers);
                            yield () -> PostLoad.run(trial.port(), senders, seconds);
                        }
                        case TOOLKIT -> {
                            Toolkit toolkit = Toolkit.compile(stage, programs.client());
                            yield () -> toolkit.run(trial.port(), CLIENTS, seconds);
                        }
                    };
            return cell.load() == LrwpCell.Load.SILENT
                    ? beside(trial, load)
                    : result(rounds(trial, load), "");
        }
    }

    private TableResult beside(Trial trial, Trial.Loading load) throws IOException {
        Site.Page page = bench.stage().site().page(Scenario.FLOOR);
        int count = Math.min(SILENT, bench.proc().descriptorsMax() - RESERVE);
        try (IdleConnections silent =
                IdleConnections.open(new Client.Target(trial.port(), page), count)) {
            List<Measured> rounds = rounds(trial, load);
            return result(
                    rounds,
                    "; the server closed %d of %d silent connections"
                            .formatted(silent.closed(), count));
        }
    }

    /// Returns the clients. If they send one kind of message each, then of five clients one sends
    /// authorisations, one usages of the source, and three those of destinations.
    static List<PostLoad.Sender> senders(LrwpCell.Load load, Numbers numbers) throws IOException {
        List<PostLoad.Sender> senders = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            PostLoad.Sender all = sender(i % MESSAGES, numbers);
            senders.add(
                    load == LrwpCell.Load.APART
                            ? new PostLoad.Sender(List.of(all.turns().getFirst()))
                            : all);
        }
        return senders;
    }

    /// Returns the messages of a call in turn, beginning with one of them.
    private static PostLoad.Sender sender(int first, Numbers numbers) throws IOException {
        List<PostLoad.Turn> turns =
                new ArrayList<>(
                        List.of(
                                new PostLoad.Turn(
                                        stream(authorization(), numbers),
                                        AnswerRule.osp(1, DESTINATIONS)),
                                usage("source", numbers),
                                usage("destination", numbers),
                                usage("destination", numbers),
                                usage("destination", numbers)));
        Collections.rotate(turns, -first);
        return new PostLoad.Sender(turns);
    }

    /// Returns an authorisation of about 0.9 kB, the size that a real client sends.
    static String authorization() {
        return Resources.text(OspRun.class, "authorization.xml");
    }

    /// Returns a usage report of about 2.1 kB, the size that a real client sends.
    ///
    /// @param role `source` or `destination`
    static String usage(String role) {
        return Resources.text(OspRun.class, "usage.xml").replace("${role}", role);
    }

    private static PostLoad.Turn usage(String role, Numbers numbers) throws IOException {
        return new PostLoad.Turn(stream(usage(role), numbers), AnswerRule.osp(2, 0));
    }

    private static PostStream stream(String content, Numbers numbers) {
        return PostStream.post("/osp", content, numbers.next());
    }

    private List<Measured> rounds(Trial trial, Trial.Loading load) throws IOException {
        return new Rounds<>(
                        bench.settings(),
                        phase -> round(trial, load, phase),
                        (Measured one) -> one.round().disturbed())
                .all(List.of(Measured::callsPerMinute));
    }

    private TableResult result(List<Measured> rounds, String more) {
        Statistics calls = of(rounds, Measured::callsPerMinute);
        Statistics web = of(rounds, one -> percent(one.round().serverShare()));
        Statistics osp = of(rounds, one -> percent(one.round().peerShare()));
        Statistics clients = of(rounds, one -> percent(one.round().clientShare()));
        Statistics p99 = of(rounds, one -> one.round().outcome().p99Millis());
        Table table =
                new Table(
                        List.of(
                                "cell",
                                CALLS,
                                "web server %",
                                "OSP server %",
                                "clients %",
                                "p99 ms"),
                        List.of(
                                List.of(
                                        cell.name(),
                                        Digits.range(calls, 0),
                                        Digits.of(web.median(), 0),
                                        Digits.of(osp.median(), 0),
                                        Digits.of(clients.median(), 0),
                                        Digits.of(p99.median(), 1))));
        String note =
                "%s: the OSP server counted the same messages; %s%s"
                        .formatted(
                                cell.name(),
                                Trial.disturbances(rounds.stream().map(Measured::round).toList()),
                                more);
        return new TableResult(
                cell.name(),
                cell.title(),
                Verdict.NONE,
                List.of(
                        row(CALLS, "1/min", Row.Better.HIGHER, calls),
                        row(WEB, "%", Row.Better.LOWER, web),
                        row(OSP, "%", Row.Better.HIGHER, osp),
                        row(CLIENTS_CPU, "%", Row.Better.LOWER, clients)),
                List.of(),
                Map.of(TITLE, table),
                cell.published(),
                List.of(),
                List.of(note));
    }

    private Row row(String measure, String unit, Row.Better better, Statistics figures) {
        return new Row(cell.name(), measure, unit, better, Map.of("serval", figures));
    }

    private static Statistics of(List<Measured> rounds, ToDoubleFunction<Measured> figure) {
        return Statistics.of(rounds.stream().map(one -> figure.applyAsDouble(one)).toList());
    }

    /// Returns CPUs in percent of those of the cell, as in the paper.
    private double percent(double cpus) {
        return 100 * cpus / cell.cores();
    }

    private Measured round(Trial trial, Trial.Loading load, Round.Phase phase) throws IOException {
        long messages = ownCount(trial.port(), "messages");
        long calls = ownCount(trial.port(), "authorization_request");
        Trial.Round round = trial.round(load);
        long counted = ownCount(trial.port(), "messages") - messages;
        BenchFailure.require(
                counted == round.outcome().answers(),
                "the OSP server counted %d messages, the load %d"
                        .formatted(counted, round.outcome().answers()));
        calls = ownCount(trial.port(), "authorization_request") - calls;
        Measured measured = new Measured(round, calls);
        bench.say(
                "%-20s %-8s %8.0f calls/min, CPU: server %3.0f %%, peer %3.0f %%, p99 %.1f"
                        + " ms%s",
                cell.name(),
                phase.word(),
                measured.callsPerMinute(),
                percent(round.serverShare()),
                percent(round.peerShare()),
                round.outcome().p99Millis(),
                round.disturbed() ? "  disturbed" : "");
        return measured;
    }

    /// Returns a counter of the OSP server.
    private static long ownCount(int port, String counter) throws IOException {
        HttpConnection.Answer answer = HttpConnection.get(port, "/osp/counters", COUNTERS_MILLIS);
        return answer.text()
                .lines()
                .filter(line -> line.startsWith(counter + " "))
                .mapToLong(line -> Long.parseLong(line.substring(counter.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new BenchFailure("the OSP server has no counter " + counter));
    }
}
