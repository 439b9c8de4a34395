package dev.serval.bench.lrwp;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.Gap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Starts Xitami 2.5 from a local build. It has one thread.
final class Xitami {
    /// The name in reports.
    static final String NAME = "xitami";

    /// The ports without a port base: HTTP 80 and LRWP 81.
    private static final int HTTP = 80;

    private static final int TRIES = 50;

    private Xitami() {}

    /// Returns the result of a cell without Xitami.
    static AbsentResult absent(LrwpCell cell) {
        return new AbsentResult(
                cell.name() + "-" + NAME,
                cell.title() + ", by " + NAME,
                Gap.Kind.NOT_MEASURED,
                "it needs a build of Xitami 2.5: --xitami FILE");
    }

    /// Starts it on the server's CPUs. Its LRWP port is the one after its HTTP port. It writes no log of
    /// requests, because its work folder has no folder for logs.
    static RunningPeer start(Path program, Stage stage) throws IOException {
        int port = ports(stage);
        Path folder = Files.createDirectories(stage.folder().resolve("xitami-work"));
        Files.writeString(
                folder.resolve("xitami.cfg"),
                Resources.text(Xitami.class, "xitami.cfg")
                        .formatted(port - HTTP, stage.site().root()));
        List<String> command =
                List.of(program.toAbsolutePath().toString(), "-S", "-w", folder.toString());
        return stage.launch(NAME, port, stage.cpus().onServer(command));
    }

    /// Returns a free port whose successor is also free.
    private static int ports(Stage stage) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = stage.freePort();
            if (port < 65_535 && isFree(port + 1)) {
                return port;
            }
        }
        throw new BenchFailure("no two free ports in a row after " + TRIES + " tries");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
