package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.servlet.Members;
import dev.serval.bench.servlet.Request;
import dev.serval.bench.servlet.WarFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Measures the cost of a setting of the subject: the same requests with it and without it, to two
/// servers whose rounds are interleaved.
final class VariantRun {
    private static final Request MEMBERS =
            new Request("/hello", Request.Body.NONE, 0, Request.Answer.MEMBERS);

    private final List<Peer> peers;
    private final String subject;
    private final Bench bench;
    private final LoadRun loads;

    VariantRun(List<Peer> peers, String subject, Bench bench, LoadRun loads) {
        this.peers = peers;
        this.subject = subject;
        this.bench = bench;
        this.loads = loads;
    }

    /// The subject with a setting, the stage where it is started, and the requests.
    private record Variant(ServalPeer peer, Stage stage, Work work) {}

    /// Measures a cell.
    LoadResult run(Cell.Variant cell, Work of) throws IOException {
        ServalPeer plain = plain(cell);
        Variant variant = variant(cell, plain, of.as(cell.name(), cell.gate()));
        try (RunningPeer without = plain.start(bench.stage());
                RunningPeer with = variant.peer().start(variant.stage())) {
            return loads.run(
                    variant.work(),
                    List.of(with, without),
                    new LoadResult.Comparison(cell.name(), List.of(subject), ""));
        }
    }

    private Variant variant(Cell.Variant cell, ServalPeer plain, Work work) throws IOException {
        Stage stage = bench.stage();
        Path folder = Files.createDirectories(stage.folder().resolve("variant-" + cell.name()));
        return switch (cell.setting()) {
            case SESSIONS_IN_FILES -> {
                String files = "files=" + folder.resolve("sessions");
                yield new Variant(
                        plain.named(cell.name(), List.of("--sessions", files)), stage, work);
            }
            case LOGIN -> {
                Path users = folder.resolve("users.txt");
                Members.write(users);
                Path application = folder.resolve("root");
                WarFolder.withLogin(stage.site().root(), application);
                yield new Variant(
                        plain.named(cell.name(), List.of("--users", users.toString())),
                        stage.serving(application),
                        new Work(work.load(), MEMBERS.page(), MEMBERS));
            }
        };
    }

    private ServalPeer plain(Cell.Variant cell) {
        for (Peer peer : peers) {
            if (peer instanceof ServalPeer serval && serval.name().equals(subject)) {
                return serval;
            }
        }
        throw new BenchFailure(cell.name() + " needs the peer " + subject);
    }
}
