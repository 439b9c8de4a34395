package dev.serval.testkit.acme;

import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.TestKeys;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;

/// The authority Pebble of Debian's package on free ports of this machine, with a name server for which
/// all names are 127.0.0.1. Tests skip themselves if it [is missing][#isInstalled]. Used by one thread.
public final class Pebble implements AutoCloseable {
    /// What a test that skips itself says.
    public static final String NEEDED = "needs pebble (Debian package pebble)";

    /// The id of an account that it knows if it wants external ones.
    public static final String ACCOUNT_ID = "kid-1";

    /// The key of that account, in base64url: the bytes have no meaning.
    public static final String ACCOUNT_KEY =
            Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[32]);

    private static final Path PROGRAM = Path.of("/usr/bin/pebble");
    private static final Path NAMES = Path.of("/usr/bin/pebble-challtestsrv");
    private static final TestKeys KEYS = TestKeys.local();

    private final Path folder;
    private final int port = FreePort.find();
    private final int management = FreePort.find();
    private final int names = FreePort.find();
    private final List<Process> processes = new ArrayList<>();

    private Pebble(Path folder) {
        this.folder = folder;
    }

    /// Returns whether its programs are there.
    public static boolean isInstalled() {
        return Files.isExecutable(PROGRAM) && Files.isExecutable(NAMES);
    }

    /// Starts it.
    ///
    /// @param folder for its files
    /// @param http the port at which it checks names by HTTP
    /// @param tls the port at which it checks names by TLS
    /// @param external whether it wants an external account
    public static Pebble start(Path folder, int http, int tls, boolean external)
            throws IOException {
        Pebble made = new Pebble(folder);
        Files.writeString(
                folder.resolve("pebble.json"),
                """
                {"pebble": {
                  "listenAddress": "127.0.0.1:%d",
                  "managementListenAddress": "127.0.0.1:%d",
                  "certificate": "%s",
                  "privateKey": "%s",
                  "httpPort": %d,
                  "tlsPort": %d,
                  "ocspResponderURL": "",
                  "externalAccountBindingRequired": %s,
                  "externalAccountMACKeys": {"%s": "%s"}
                }}
                """
                        .formatted(
                                made.port,
                                made.management,
                                KEYS.certificate(),
                                KEYS.key(),
                                http,
                                tls,
                                external,
                                ACCOUNT_ID,
                                ACCOUNT_KEY));
        made.restart();
        return made;
    }

    /// Ends it, if it runs, and starts it again: it has forgotten everything then.
    public void restart() throws IOException {
        stop();
        int namesManagement = FreePort.find();
        launch(
                List.of(
                        NAMES.toString(),
                        "-defaultIPv4",
                        "127.0.0.1",
                        "-defaultIPv6",
                        "",
                        "-dns01",
                        "127.0.0.1:" + names,
                        "-http01",
                        "",
                        "-https01",
                        "",
                        "-tlsalpn01",
                        "",
                        "-management",
                        "127.0.0.1:" + namesManagement),
                namesManagement);
        launch(
                List.of(
                        PROGRAM.toString(),
                        "-config",
                        folder.resolve("pebble.json").toString(),
                        "-dnsserver",
                        "127.0.0.1:" + names),
                port);
    }

    private void launch(List<String> command, int awaited) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.remove("PEBBLE_VA_ALWAYS_VALID");
        environment.put("PEBBLE_VA_NOSLEEP", "1");
        environment.put("PEBBLE_AUTHZREUSE", "0");
        Path log = folder.resolve(Path.of(command.getFirst()).getFileName() + ".log");
        Process process =
                builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
        processes.add(process);
        Await.until(command.getFirst() + " listens", () -> answers(awaited) || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException(command + " has ended: " + Files.readString(log));
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    /// Returns the URL of its directory.
    public URI directory() {
        return URI.create("https://127.0.0.1:" + port + "/dir");
    }

    /// Returns a PEM file with what signs the certificate of that URL.
    public Path authorities() {
        return KEYS.certificate();
    }

    /// Returns what clients need that trust only this authority.
    public SSLContext trusting()
            throws IOException, GeneralSecurityException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().sslContext(KEYS.trusting()).build()) {
            URI root = URI.create("https://127.0.0.1:" + management + "/roots/0");
            String pem =
                    client.send(
                                    HttpRequest.newBuilder(root).build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            return TestKeys.trusting(
                    new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    @Override
    public void close() {
        stop();
    }

    /// Ends it. It can be started again.
    public void stop() {
        for (Process each : processes) {
            each.destroyForcibly();
            Process _ = each.onExit().join();
        }
        processes.clear();
    }
}
