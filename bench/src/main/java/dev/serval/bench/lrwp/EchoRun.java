package dev.serval.bench.lrwp;

import dev.serval.bench.load.Bench;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.PeersResult.Kind;
import dev.serval.bench.report.PeersResult.PeerValues;
import dev.serval.bench.report.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Measures the echo: what a request to a peer costs the server, as a multiple of a file of 4 KB.
/// Rounds of both alternate on the same server. The server has a CPU alone; the peer and the client
/// share another.
final class EchoRun {
    /// The file that is compared.
    static final String FILE = "page.html";

    /// Its length.
    static final int FILE_BYTES = 4096;

    private static final int CONTENT_BYTES = 1_200;
    private static final int CONNECTIONS = 60;
    private static final double GATE = 2.2;
    private static final double AIM = 1.8;
    private static final String STATIC = "file";

    private final Bench bench;
    private final LrwpPrograms programs;
    private final Numbers numbers;
    private final List<Trial.Round> counted = new ArrayList<>();
    private final List<Double> ratios = new ArrayList<>();
    private final Course echoes = new Course();
    private final Course files = new Course();
    private final Course xitami = new Course();

    EchoRun(Bench bench, LrwpPrograms programs, Numbers numbers) {
        this.bench = bench;
        this.programs = programs;
        this.numbers = numbers;
    }

    /// The figures of one kind of request.
    private static final class Course {
        private final List<Double> micros = new ArrayList<>();
        private final List<Double> p99 = new ArrayList<>();
        private final List<Double> rates = new ArrayList<>();

        void add(Trial.Round round) {
            micros.add(round.serverMicros());
            p99.add(round.outcome().p99Millis());
            rates.add(round.outcome().perSecond());
        }
    }

    /// Measures the cell.
    List<CellResult> run(LrwpCell cell) throws IOException {
        Stage stage = bench.stage();
        int port = stage.freePort();
        int lrwpPort = stage.freePort();
        List<String> command = programs.server(cell, stage.site().root(), port, lrwpPort);
        RunningPeer server =
                stage.launch("serval-" + cell.name(), port, stage.cpus().onServer(command));
        List<String> peer = LrwpPrograms.echo(lrwpPort, CONNECTIONS);
        try (Trial trial = Trial.start(bench, stage.cpus(), server, stage.cpus().onClient(peer));
                @Nullable Trial other = xitami()) {
            trial.await(echo());
            if (other != null) {
                other.await(echo());
            }
            measure(trial, other);
        }
        return results(cell);
    }

    private @Nullable Trial xitami() throws IOException {
        Path program = programs.xitami();
        if (program == null) {
            return null;
        }
        Stage stage = bench.stage();
        RunningPeer server = Xitami.start(program, stage);
        List<String> peer = LrwpPrograms.echo(server.port() + 1, CONNECTIONS);
        return Trial.start(bench, stage.cpus(), server, stage.cpus().onClient(peer));
    }

    private PostLoad.Sender echo() {
        String content = PostStream.NUMBER + "e".repeat(CONTENT_BYTES - PostStream.NUMBER.length());
        return PostLoad.Sender.of(
                PostStream.post("/" + EchoPeer.NAME, content, numbers.next()), AnswerRule.echo());
    }

    private void measure(Trial trial, @Nullable Trial other) throws IOException {
        byte[] content = Files.readAllBytes(bench.stage().site().root().resolve(FILE));
        List<PostLoad.Sender> echo = new ArrayList<>();
        List<PostLoad.Sender> file = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            echo.add(echo());
            file.add(PostLoad.Sender.of(PostStream.get("/" + FILE), AnswerRule.file(content)));
        }
        double lastEcho = Double.NaN;
        double lastFile = Double.NaN;
        boolean settled = false;
        for (int i = 0; i < bench.settings().warmUpsMax() && !settled; i++) {
            double nowFile = round(trial, STATIC, file, "warm-up").serverMicros();
            double nowEcho = round(trial, LrwpCell.ECHO, echo, "warm-up").serverMicros();
            double share = bench.settings().settledShare();
            settled =
                    Statistics.near(nowEcho, lastEcho, share)
                            && Statistics.near(nowFile, lastFile, share);
            lastEcho = nowEcho;
            lastFile = nowFile;
        }
        int repeats = bench.settings().repeatsMax();
        while (ratios.size() < bench.settings().rounds()) {
            Trial.Round ofFile = round(trial, STATIC, file, "round");
            Trial.Round ofEcho = round(trial, LrwpCell.ECHO, echo, "round");
            if ((ofFile.disturbed() || ofEcho.disturbed()) && repeats > 0) {
                repeats--;
                continue;
            }
            counted.addAll(List.of(ofFile, ofEcho));
            files.add(ofFile);
            echoes.add(ofEcho);
            ratios.add(ofEcho.serverMicros() / ofFile.serverMicros());
            if (other != null) {
                xitami.add(round(other, Xitami.NAME, echo, "round"));
            }
        }
    }

    private Trial.Round round(Trial trial, String name, List<PostLoad.Sender> senders, String phase)
            throws IOException {
        Trial.Round round = trial.round(senders);
        bench.progress()
                .printf(
                        Locale.ROOT,
                        "%-6s %-8s %8.2f µs/request of the server (CPU %3.0f %%), %6.2f of the"
                                + " peer, %9.0f requests/s, p99 %.2f ms%s%n",
                        name,
                        phase,
                        round.serverMicros(),
                        100 * round.serverShare(),
                        round.peerMicros(),
                        round.outcome().perSecond(),
                        round.outcome().p99Millis(),
                        round.disturbed() ? "  disturbed" : "");
        return round;
    }

    private List<CellResult> results(LrwpCell cell) {
        return List.of(
                new PeersResult(
                        cell.name() + "-ratio",
                        cell.title() + ": CPU of the server per echo ÷ per file of 4 KB",
                        "ratio",
                        new PeersResult.Limit(Kind.VALUE, GATE, AIM),
                        LrwpCell.ECHO,
                        List.of(new PeerValues(LrwpCell.ECHO, ratios, null)),
                        List.of(
                                "rounds of echo and file alternate on the same server; "
                                        + Trial.disturbances(counted))),
                figures(cell, "cpu", "CPU of the server per request", "µs", c -> c.micros),
                figures(cell, "p99", "99th percentile", "ms", c -> c.p99),
                figures(cell, "rate", "requests a second", "1/s", c -> c.rates));
    }

    private PeersResult figures(
            LrwpCell cell,
            String suffix,
            String title,
            String unit,
            Function<Course, List<Double>> values) {
        List<PeerValues> peers = new ArrayList<>();
        peers.add(new PeerValues(LrwpCell.ECHO, values.apply(echoes), null));
        peers.add(new PeerValues(STATIC, values.apply(files), null));
        if (programs.xitami() != null) {
            peers.add(new PeerValues(Xitami.NAME, values.apply(xitami), null));
        }
        return new PeersResult(
                cell.name() + "-" + suffix,
                cell.title() + ": " + title,
                unit,
                new PeersResult.Limit(Kind.VALUE, Double.NaN, Double.NaN),
                LrwpCell.ECHO,
                peers,
                List.of());
    }
}
