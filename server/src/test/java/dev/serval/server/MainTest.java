package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.command.Invocation;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class MainTest {
    /// More bytes than the socket buffers of both ends hold. The client has a small one, so that the
    /// rest takes little of the time that the server has for its stop.
    private static final int LARGE = 16 << 20;

    private static final int RECEIVE_BYTES = 64 << 10;

    private static final String LARGE_REQUEST =
            "GET /large HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";

    @TempDir Path folder;

    @Test
    void printsStartScreenAndReadyLine() throws Exception {
        try (var server = ServerProcess.ready("run", "--port", "0", "--loops", "1")) {
            assertThat(server.screen().getFirst())
                    .matches("Serval .+ on JDK " + System.getProperty("java.version"));
            assertThat(server.screen())
                    .anyMatch(line -> line.contains("transport"))
                    .anyMatch(line -> line.matches(" +loops +1"))
                    .anyMatch(line -> line.contains("requests in progress"))
                    .anyMatch(line -> line.matches(" +access log +none"));
            assertThat(server.readyLines())
                    .singleElement()
                    .asString()
                    .matches("http://127\\.0\\.0\\.1:[1-9][0-9]*/ {2}welcome page");
            assertThat(server.screen()).as("one screen").hasSizeLessThan(24);
        }
    }

    @Test
    void servesWelcomePageWithoutFolder() throws Exception {
        try (var server = ServerProcess.ready("run", "--port", "0")) {
            RawResponse page = server.get("/");

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.field("content-type")).isEqualTo("text/html; charset=utf-8");
            assertThat(page.text()).contains("Serval is running", "./serval run .");
            assertThat(page.text()).as("external resources").doesNotContain("https://", "src=");
            assertThat(server.get("/other").status()).isEqualTo(404);
        }
    }

    @Test
    void servesEachFolderAtItsPrefix() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Path manual = Files.createDirectory(folder.resolve("manual"));
        Files.writeString(site.resolve("a.txt"), "of the site");
        Files.writeString(manual.resolve("a.txt"), "of the manual");
        try (var server =
                ServerProcess.ready("run", "--port", "0", site.toString(), "/docs/=" + manual)) {
            assertThat(server.readyLines())
                    .anyMatch(line -> line.endsWith("/  " + site))
                    .anyMatch(line -> line.endsWith("/docs/  " + manual));
            assertThat(server.get("/a.txt").text()).isEqualTo("of the site");
            assertThat(server.get("/docs/a.txt").text()).isEqualTo("of the manual");
        }
    }

    @Test
    void listensOnSocketFile() throws Exception {
        Files.writeString(folder.resolve("a.txt"), "text");
        Path socket = folder.resolve("serval.sock");
        try (var server =
                ServerProcess.ready(
                        "run",
                        folder.toString(),
                        "--port",
                        "0",
                        "--host",
                        "127.0.0.1",
                        "--host",
                        "unix:" + socket)) {
            assertThat(server.readyLines()).hasSize(2);
            assertThat(server.readyLines().get(1)).startsWith("unix:" + socket);
            RawResponse answer = RawClient.get(UnixDomainSocketAddress.of(socket), "/a.txt");
            assertThat(answer.text()).isEqualTo("text");
        }
    }

    @Test
    void reportsPortInUse() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            try (var server = ServerProcess.start(List.of("run", "--port", port))) {
                assertThat(server.errors())
                        .startsWith("serval: ")
                        .contains("127.0.0.1:" + port, "--port")
                        .hasLineCount(1);
                assertThat(server.exitCode()).isEqualTo(Invocation.ENVIRONMENT);
            }
        }
    }

    /// `--port` does not choose the address of applications that dial in, nor one of a file.
    @Test
    void reportsPortInUseThatNoPortOptionChooses() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            Path file = folder.resolve("own.toml");
            Files.writeString(file, "listener = [{ address = \"" + port + "\" }]\n");
            for (List<String> arguments :
                    List.of(
                            List.of("run", "--port", "0", "--lrwp", port),
                            List.of("run", "--config", file.toString()))) {
                try (var server = ServerProcess.start(arguments)) {
                    assertThat(server.errors())
                            .startsWith("serval: ")
                            .contains("127.0.0.1:" + port, "choose another address")
                            .doesNotContain("--port")
                            .hasLineCount(1);
                    assertThat(server.exitCode()).isEqualTo(Invocation.ENVIRONMENT);
                }
            }
        }
    }

    @Test
    void reportsSocketFileInUse() throws Exception {
        Path socket = folder.resolve("serval.sock");
        try (var other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));
            try (var server = ServerProcess.start(List.of("run", "--host", "unix:" + socket))) {
                assertThat(server.errors())
                        .startsWith("serval: ")
                        .contains(socket.toString(), "choose another path")
                        .doesNotContain("--port")
                        .hasLineCount(1);
                assertThat(server.exitCode()).isEqualTo(Invocation.ENVIRONMENT);
            }
        }
    }

    @Test
    void reportsAddressOfAnotherMachine() throws Exception {
        // TEST-NET-1 (RFC 5737): no machine has such an address.
        try (var server = ServerProcess.start(List.of("run", "--host", "192.0.2.1"))) {
            assertThat(server.errors())
                    .startsWith("serval: ")
                    .contains("192.0.2.1", "--host takes an address of this machine")
                    .hasLineCount(1);
            assertThat(server.exitCode()).isEqualTo(Invocation.ENVIRONMENT);
        }
    }

    /// As on a machine without IPv6.
    @Test
    void reportsAnAddressOfIpv6ThatTheJvmDoesNotHave() throws Exception {
        Map<String, String> environment =
                Map.of("JDK_JAVA_OPTIONS", "-Djava.net.preferIPv4Stack=true");
        List<String> run = List.of("run", "--host", "::", "--port", "0");
        try (var server = ServerProcess.start(environment, run)) {
            assertThat(server.errors())
                    .contains("Cannot listen at [::]:0: This system or this JVM has no IPv6.");
            assertThat(server.exitCode()).isEqualTo(Invocation.ENVIRONMENT);
        }
    }

    @Test
    void signalStopsWithoutError() throws Exception {
        for (String signal : ServerProcess.signals()) {
            try (var server = ServerProcess.ready("run", "--port", "0")) {
                server.signal(signal);

                server.awaitLine("Stopping");
                server.awaitLine("Stopped.");
                assertThat(server.exitCode()).as(signal).isZero();
                assertThat(server.errors()).isEmpty();
            }
        }
    }

    @Test
    void completesRequestsInProgressBeforeItEnds() throws Exception {
        Files.write(folder.resolve("large"), new byte[LARGE]);
        try (var server = ServerProcess.ready("run", "--port", "0", folder.toString());
                RawClient client = RawClient.connect(server.socketAddress(), RECEIVE_BYTES)) {
            client.send(LARGE_REQUEST);
            assertThat(client.bytes(1)).containsExactly('H');

            server.signal("TERM");
            server.awaitLine("Stopping");

            assertThat(client.restLength()).isGreaterThan(LARGE);
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void secondSignalEndsAtOnce() throws Exception {
        Files.write(folder.resolve("large"), new byte[LARGE]);
        for (String signal : ServerProcess.signals()) {
            int expected = signal.equals("INT") ? 130 : 143;
            try (var server = ServerProcess.ready("run", "--port", "0", folder.toString());
                    RawClient client = RawClient.connect(server.socketAddress(), RECEIVE_BYTES)) {
                client.send(LARGE_REQUEST);
                assertThat(client.bytes(1)).containsExactly('H');
                server.signal(signal);
                server.awaitLine("Stopping");

                do {
                    server.signal(signal); // one too close to the first is ignored
                } while (server.isAlive());

                assertThat(server.exitCode()).isEqualTo(expected);
            }
        }
    }
}
