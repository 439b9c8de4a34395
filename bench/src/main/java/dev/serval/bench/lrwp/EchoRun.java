package dev.serval.bench.lrwp;

import dev.serval.bench.bare.EchoPeer;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.PeersResult.Kind;
import dev.serval.bench.report.PeersResult.PeerValues;
import dev.serval.bench.report.Round;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.Rounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Measures the echo: what a request to a peer costs the server, as a multiple of a file of 4 KB.
/// Rounds of both alternate on the same server. The server has a CPU alone; the peer and the client
/// share another.
record EchoRun(Bench bench, LrwpPrograms programs, Numbers numbers) {
    /// The file that is compared.
    static final String FILE = "page.html";

    /// Its length.
    static final int FILE_BYTES = 4096;

    private static final int CONTENT_BYTES = 1_200;
    private static final int CONNECTIONS = 60;
    private static final double GATE = 2.2;
    private static final double AIM = 1.8;
    private static final String STATIC = "file";

    /// A round of each kind, one after the other.
    ///
    /// @param xitami null without Xitami, and in the warm-up
    private record Pair(Trial.Round file, Trial.Round echo, Trial.@Nullable Round xitami) {
        boolean disturbed() {
            return file.disturbed() || echo.disturbed();
        }
    }

    /// Measures the cell.
    List<CellResult> run(LrwpCell cell) throws IOException {
        Stage stage = bench.stage();
        Cpus cpus = stage.cpus();
        try (Trial trial =
                        Trial.start(
                                bench, cell, programs, cpus, port -> cpus.onClient(peer(port)));
                @Nullable Trial other = xitami()) {
            trial.await(echo());
            if (other != null) {
                other.await(echo());
            }
            List<CellResult> results = new ArrayList<>(results(cell, measure(trial, other)));
            if (other == null) {
                results.add(Xitami.absent(cell));
            }
            return results;
        }
    }

    private static List<String> peer(int port) {
        return LrwpPrograms.echo(port, CONNECTIONS);
    }

    private @Nullable Trial xitami() throws IOException {
        Path program = programs.xitami();
        if (program == null) {
            return null;
        }
        Cpus cpus = bench.stage().cpus();
        RunningPeer server = Xitami.start(program, bench.stage());
        return Trial.behind(bench, server, cpus, cpus.onClient(peer(server.port() + 1)));
    }

    private PostLoad.Sender echo() {
        return echo(numbers);
    }

    /// Returns a sender of requests to the echo, each with a content of its own.
    static PostLoad.Sender echo(Numbers numbers) {
        String content = PostStream.NUMBER + "e".repeat(CONTENT_BYTES - PostStream.NUMBER.length());
        return PostLoad.Sender.of(
                PostStream.post("/" + EchoPeer.NAME, content, numbers.next()), AnswerRule.echo());
    }

    private List<Pair> measure(Trial trial, @Nullable Trial other) throws IOException {
        byte[] content = Files.readAllBytes(bench.stage().site().root().resolve(FILE));
        List<PostLoad.Sender> echo = new ArrayList<>();
        List<PostLoad.Sender> file = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            echo.add(echo());
            file.add(PostLoad.Sender.of(PostStream.get("/" + FILE), AnswerRule.file(content)));
        }
        Rounds<Pair> rounds =
                new Rounds<>(
                        bench.settings(),
                        phase -> {
                            Trial.Round ofFile = round(trial, STATIC, file, phase);
                            Trial.Round ofEcho = round(trial, LrwpCell.ECHO, echo, phase);
                            if (other == null || phase == Round.Phase.WARM_UP) {
                                return new Pair(ofFile, ofEcho, null);
                            }
                            Trial.Round ofXitami = round(other, Xitami.NAME, echo, phase);
                            return new Pair(ofFile, ofEcho, ofXitami);
                        },
                        Pair::disturbed);
        return rounds.all(
                List.of(pair -> pair.echo.serverMicros(), pair -> pair.file.serverMicros()));
    }

    private Trial.Round round(
            Trial trial, String name, List<PostLoad.Sender> senders, Round.Phase phase)
            throws IOException {
        Trial.Round round = trial.round(senders);
        bench.say(
                "%-6s %-8s %8.2f µs/request of the server (CPU %3.0f %%), %6.2f of the"
                        + " peer, %9.0f requests/s, p99 %.2f ms%s",
                name,
                phase.word(),
                round.serverMicros(),
                100 * round.serverShare(),
                round.peerMicros(),
                round.outcome().perSecond(),
                round.outcome().p99Millis(),
                round.disturbed() ? "  disturbed" : "");
        return round;
    }

    private List<CellResult> results(LrwpCell cell, List<Pair> pairs) {
        List<Trial.Round> all =
                pairs.stream().flatMap(pair -> Stream.of(pair.file, pair.echo)).toList();
        List<Double> ratios =
                pairs.stream()
                        .map(pair -> pair.echo.serverMicros() / pair.file.serverMicros())
                        .toList();
        String note =
                "rounds of echo and file alternate on the same server; " + Trial.disturbances(all);
        return List.of(
                new PeersResult(
                        cell.name() + "-ratio",
                        cell.title() + ": CPU of the server per echo ÷ per file of 4 KB",
                        "ratio",
                        new PeersResult.Limit(Kind.VALUE, GATE, AIM),
                        LrwpCell.ECHO,
                        List.of(new PeerValues(LrwpCell.ECHO, ratios, null)),
                        List.of(note),
                        List.of()),
                figures(
                        cell,
                        "cpu",
                        "CPU of the server per request",
                        "µs",
                        pairs,
                        Trial.Round::serverMicros),
                figures(cell, "p99", "99th percentile", "ms", pairs, r -> r.outcome().p99Millis()),
                figures(
                        cell,
                        "rate",
                        "requests a second",
                        "1/s",
                        pairs,
                        r -> r.outcome().perSecond()));
    }

    private PeersResult figures(
            LrwpCell cell,
            String suffix,
            String title,
            String unit,
            List<Pair> pairs,
            ToDoubleFunction<Trial.Round> figure) {
        List<PeerValues> peers = new ArrayList<>();
        peers.add(values(LrwpCell.ECHO, pairs.stream().map(Pair::echo), figure));
        peers.add(values(STATIC, pairs.stream().map(Pair::file), figure));
        if (programs.xitami() != null) {
            Stream<Trial.Round> rounds =
                    pairs.stream().map(Pair::xitami).flatMap(Stream::ofNullable);
            peers.add(values(Xitami.NAME, rounds, figure));
        }
        return new PeersResult(
                cell.name() + "-" + suffix,
                cell.title() + ": " + title,
                unit,
                new PeersResult.Limit(Kind.VALUE, Double.NaN, Double.NaN),
                LrwpCell.ECHO,
                peers,
                List.of(),
                List.of());
    }

    private static PeerValues values(
            String peer, Stream<Trial.Round> rounds, ToDoubleFunction<Trial.Round> figure) {
        return new PeerValues(peer, rounds.map(figure::applyAsDouble).toList(), null);
    }
}
