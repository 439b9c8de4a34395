package dev.serval.bench.run;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.FilePeer;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.servlet.Members;
import dev.serval.bench.servlet.Request;
import dev.serval.bench.servlet.WarFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Measures loads on servers that are started for one cell: the subject with and without a setting,
/// and a real application on the containers that read its WAR as their users have it.
record ApplicationRuns(Contest contest) {
    private static final Request MEMBERS =
            new Request("/hello", Request.Body.NONE, 0, Request.Answer.MEMBERS);
    private static final int NOTES = 20;
    private static final int TIMEOUT_MILLIS = 10_000;

    /// The subject with a setting, the stage where it is started, and the requests.
    private record Variant(ServalPeer peer, Stage stage, Work work) {}

    /// Measures the cost of a setting of the subject: the same requests with it and without it, to
    /// two servers whose rounds are interleaved.
    LoadResult variant(Cell.Variant cell) throws IOException {
        ServalPeer plain =
                contest.peers(ServalPeer.class).stream()
                        .filter(peer -> peer.name().equals(contest.subject()))
                        .findFirst()
                        .orElseThrow(() -> needsSubject(cell));
        Work work = contest.work(cell.of()).as(cell.name(), cell.title(), cell.gate());
        Variant variant = variant(cell, plain, work);
        try (RunningPeer without = plain.start(contest.stage());
                RunningPeer with = variant.peer().start(variant.stage())) {
            return contest.loads()
                    .run(
                            variant.work(),
                            List.of(with, without),
                            new LoadResult.Comparison(cell.name(), List.of(contest.subject()), ""));
        }
    }

    private BenchFailure needsSubject(Cell cell) {
        return new BenchFailure(cell.name() + " needs the peer " + contest.subject());
    }

    private Variant variant(Cell.Variant cell, ServalPeer plain, Work work) throws IOException {
        Path folder =
                Files.createDirectories(contest.stage().folder().resolve("variant-" + cell.name()));
        return switch (cell.setting()) {
            case SESSIONS_IN_FILES -> {
                String files = "files=" + folder.resolve("sessions");
                yield new Variant(
                        plain.named(cell.name(), List.of("--sessions", files)),
                        contest.stage(),
                        work);
            }
            case LOGIN -> {
                Path users = folder.resolve("users.txt");
                Members.write(users);
                Path application = folder.resolve("root");
                WarFolder.withLogin(contest.stage().site().root(), application);
                yield new Variant(
                        plain.named(cell.name(), List.of("--users", users.toString())),
                        contest.stage().serving(application),
                        new Work(work.load(), MEMBERS.page(), MEMBERS));
            }
        };
    }

    /// Measures the requests of a real application.
    LoadResult application(Cell.Application cell) throws IOException {
        List<RunningPeer> running = new ArrayList<>();
        try {
            for (Peer peer : contest.peers()) {
                if (readsWars(peer)) {
                    contest.say("starting %s", peer.name());
                    running.add(peer.start(contest.stage().serving(SpringWar.path())));
                    addNotes(running.getLast().port());
                }
            }
            if (running.isEmpty()) {
                throw needsSubject(cell);
            }
            String path = "/" + SpringWar.PAGE;
            byte[] expected =
                    HttpConnection.get(running.getFirst().port(), path, TIMEOUT_MILLIS).content();
            Cell.Load load = cell.plain(path, cell.connections(), Cell.ClientKind.WRK, cell.gate());
            Site.Page page = new Site.Page(path, expected.length, Site.digest(expected));
            List<String> references =
                    running.stream()
                            .map(RunningPeer::name)
                            .filter(name -> !name.equals(contest.subject()))
                            .toList();
            return contest.loads()
                    .run(
                            new Work(load, page, null),
                            running,
                            new LoadResult.Comparison(contest.subject(), references, ""));
        } finally {
            running.forEach(RunningPeer::close);
        }
    }

    private static boolean readsWars(Peer peer) {
        return peer instanceof ServalPeer
                || (peer instanceof FilePeer container && container.readsWars());
    }

    private static void addNotes(int port) throws IOException {
        for (int i = 1; i <= NOTES; i++) {
            String note = "{\"title\":\"note " + i + "\"}";
            String head =
                    """
                    POST /%s HTTP/1.1
                    Host: 127.0.0.1:%d
                    Content-Type: application/json
                    Content-Length: %d

                    """
                            .formatted(SpringWar.PAGE, port, note.length())
                            .replace("\n", "\r\n");
            int status = HttpConnection.ask(port, head + note, TIMEOUT_MILLIS).status();
            BenchFailure.require(status == 201, "a new note was answered with " + status);
        }
    }
}
