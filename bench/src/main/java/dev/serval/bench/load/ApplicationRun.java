package dev.serval.bench.load;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Site;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.servlet.ServletPeer;
import dev.serval.bench.start.SpringWar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Measures the requests of a real application, on the subject and on the containers that read its
/// WAR as their users have it.
final class ApplicationRun {
    private static final int NOTES = 20;
    private static final int TIMEOUT_MILLIS = 10_000;

    private final List<Peer> peers;
    private final String subject;
    private final Bench bench;
    private final LoadRun loads;

    ApplicationRun(List<Peer> peers, String subject, Bench bench, LoadRun loads) {
        this.peers = peers;
        this.subject = subject;
        this.bench = bench;
        this.loads = loads;
    }

    /// Measures a cell.
    LoadResult run(Cell.Application cell) throws IOException {
        Stage stage = bench.stage().serving(SpringWar.path());
        List<RunningPeer> running = new ArrayList<>();
        try {
            for (Peer peer : peers) {
                if (readsWars(peer)) {
                    bench.progress().printf("starting %s%n", peer.name());
                    running.add(peer.start(stage));
                    addNotes(running.getLast().port());
                }
            }
            if (running.isEmpty()) {
                throw new BenchFailure(cell.name() + " needs the peer " + subject);
            }
            String path = "/" + SpringWar.PAGE;
            byte[] expected =
                    HttpConnection.get(running.getFirst().port(), path, TIMEOUT_MILLIS).content();
            Cell.Load load =
                    new Cell.Load(
                            cell.name(),
                            cell.title(),
                            path,
                            cell.connections(),
                            0,
                            1,
                            Cell.ClientKind.WRK,
                            Cell.HeadKind.SHORT,
                            cell.gate());
            Site.Page page = new Site.Page(path, expected.length, Site.digest(expected));
            List<String> references =
                    running.stream()
                            .map(RunningPeer::name)
                            .filter(n -> !n.equals(subject))
                            .toList();
            return loads.run(
                    new Work(load, page, null),
                    running,
                    new LoadResult.Comparison(subject, references, ""));
        } finally {
            running.forEach(RunningPeer::close);
        }
    }

    private static boolean readsWars(Peer peer) {
        return switch (peer) {
            case ServalPeer _ -> true;
            case ServletPeer container -> container.readsWars();
            default -> false;
        };
    }

    private static void addNotes(int port) throws IOException {
        for (int i = 1; i <= NOTES; i++) {
            String note = "{\"title\":\"note " + i + "\"}";
            try (HttpConnection connection = HttpConnection.to(port, TIMEOUT_MILLIS)) {
                connection.send(
                        "POST /"
                                + SpringWar.PAGE
                                + " HTTP/1.1\r\nHost: 127.0.0.1:"
                                + port
                                + "\r\nContent-Type: application/json\r\nContent-Length: "
                                + note.length()
                                + "\r\nConnection: close\r\n\r\n"
                                + note);
                int status = connection.head().status();
                if (status != 201) {
                    throw new BenchFailure("a new note was answered with " + status);
                }
            }
        }
    }
}
