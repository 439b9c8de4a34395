package dev.serval.soak.whole;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Stage;
import dev.serval.soak.subject.SoakWar;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Base64;

/// The configuration of the server and its ports. Used by one thread.
final class SoakSite {
    /// The name that the application dials in with.
    static final String DIAL_NAME = "dial";

    /// The field whose value each reload changes.
    static final String TURN_FIELD = "X-Turn";

    private static final String PASSWORD = "of-the-soak-only";
    private static final int PATIENCE_MILLIS = 30_000;
    private static final long START_NANOS_MAX = 60_000_000_000L;
    private static final int PAUSE_MILLIS = 50;

    private final Path folder;
    private final Path files;
    private final int port;
    private final int admin;
    private final int dial;
    private final int near;
    private final int broken;

    private SoakSite(Stage stage, int near, int broken) throws IOException {
        this.folder = stage.folder();
        this.files = stage.site().root();
        this.near = near;
        this.broken = broken;
        this.port = stage.freePort();
        this.admin = stage.freePort();
        this.dial = stage.freePort();
    }

    /// Writes the WAR and the first configuration.
    ///
    /// @param near the port of the upstream that answers well
    /// @param broken the port of the one that does not
    static SoakSite create(Stage stage, int near, int broken) throws IOException {
        SoakSite site = new SoakSite(stage, near, broken);
        SoakWar.write(site.folder.resolve("soak.war"));
        Files.writeString(site.folder.resolve("admin.password"), PASSWORD + "\n");
        site.write("0");
        return site;
    }

    /// Writes the configuration with this value of [#TURN_FIELD]. The file is replaced as a whole.
    void write(String turn) throws IOException {
        Path next = folder.resolve("serval.toml.next");
        Files.writeString(next, listeners() + mounts(turn));
        Files.move(next, config(), StandardCopyOption.ATOMIC_MOVE);
    }

    private String listeners() {
        return """
        [server]
        state = "%1$s/state"

        [[listener]]
        address = "127.0.0.1:%2$d"

        [[log]]
        file = "%1$s/access.log"
        rotate-size = "4m"
        keep = 1000

        [[log]]
        name = "full"
        file = "/dev/full"

        [applications]
        logs = "none"

        [admin]
        listen = "127.0.0.1:%3$d"
        password-file = "%1$s/admin.password"

        [lrwp]
        listen = "127.0.0.1:%4$d"
        allow = "%5$s"

        """
                .formatted(folder, port, admin, dial, DIAL_NAME);
    }

    private String mounts(String turn) {
        return """
        [[mount]]
        folder = "%1$s"

        [[mount]]
        at = "/turn"
        folder = "%1$s"
        fields = { %2$s = "%3$s" }
        log = "full"

        [[mount]]
        at = "/soak"
        app = "%4$s/soak.war"

        [[mount]]
        at = "/near"
        proxy = "http://127.0.0.1:%5$d"
        upstream.idle-time = "2s"

        [[mount]]
        at = "/broken"
        proxy = "http://127.0.0.1:%6$d"
        upstream.idle-time = "2s"
        upstream.answer-time = "1s"
        """
                .formatted(files, TURN_FIELD, turn, folder, near, broken);
    }

    /// Returns the access log of all mounts but `/turn`, whose log is on a disk that is full.
    Path accessLog() {
        return folder.resolve("access.log");
    }

    Path config() {
        return folder.resolve("serval.toml");
    }

    /// Returns a request to the administration listener.
    ///
    /// @param line the method and the target
    String administration(String line) {
        String user = "admin:" + PASSWORD;
        return line
                + " HTTP/1.1\r\nHost: 127.0.0.1:"
                + admin
                + "\r\nContent-Length: 0\r\nAuthorization: Basic "
                + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.US_ASCII))
                + "\r\n\r\n";
    }

    /// Waits until the administration answers. It refuses with 503 until the server has started all
    /// applications, while the listener of the site accepts connections already.
    void awaitStart() throws IOException, InterruptedException {
        awaitStart(admin, administration("GET /metrics"));
    }

    /// Waits until a request is answered with 200.
    static void awaitStart(int port, String request) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START_NANOS_MAX;
        while (HttpConnection.ask(port, request, PATIENCE_MILLIS).status() != 200) {
            BenchFailure.require(
                    System.nanoTime() - deadline < 0, "the administration does not answer");
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    int port() {
        return port;
    }

    int admin() {
        return admin;
    }

    int dial() {
        return dial;
    }

    /// Returns what the upstream that breaks its answers is called in the server's log.
    String brokenName() {
        return "127.0.0.1:" + broken;
    }
}
