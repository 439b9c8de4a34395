package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class MainTest {
    /// More than the sockets' buffers of both ends hold.
    private static final int LARGE = 32 << 20;

    @TempDir Path folder;

    @Test
    void saysWhatRunsAndThatItIsReady() throws Exception {
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
    void welcomesWhoGaveNoFolder() throws Exception {
        try (var server = ServerProcess.ready("run", "--port", "0")) {
            HttpResponse<String> page = server.get("/");

            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.headers().firstValue("content-type"))
                    .hasValue("text/html; charset=utf-8");
            assertThat(page.body()).contains("Serval is running", "./serval run .");
            assertThat(page.body()).as("external resources").doesNotContain("https://", "src=");
            assertThat(server.get("/other").statusCode()).isEqualTo(404);
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
            assertThat(server.get("/a.txt").body()).isEqualTo("of the site");
            assertThat(server.get("/docs/a.txt").body()).isEqualTo("of the manual");
        }
    }

    @Test
    void listensOnASocketFileToo() throws Exception {
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
            try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                client.connect(UnixDomainSocketAddress.of(socket));
                client.write(request("/a.txt"));

                assertThat(text(Channels.newInputStream(client)))
                        .startsWith("HTTP/1.1 200 OK\r\n")
                        .endsWith("\r\n\r\ntext");
            }
        }
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
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

    @Test
    void saysThatAnAddressIsNotOfThisMachine() throws Exception {
        // TEST-NET-1 (RFC 5737): never an address of a machine.
        try (var server = ServerProcess.start(List.of("run", "--host", "192.0.2.1"))) {
            assertThat(server.errors())
                    .startsWith("serval: ")
                    .contains("192.0.2.1")
                    .hasLineCount(1);
            assertThat(server.exitCode()).isEqualTo(Invocation.ENVIRONMENT);
        }
    }

    @Test
    void endsWithoutAnErrorWhenToldToStop() throws Exception {
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
    void answersWhatIsInProgressBeforeItEnds() throws Exception {
        Files.write(folder.resolve("large"), new byte[LARGE]);
        try (var server = ServerProcess.ready("run", "--port", "0", folder.toString());
                Socket client = connect(server)) {
            client.getOutputStream().write(request("/large").array());
            int first = client.getInputStream().read();
            assertThat(first).isEqualTo('H');

            server.signal("TERM");
            server.awaitLine("Stopping");

            assertThat(client.getInputStream().readAllBytes().length).isGreaterThan(LARGE);
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void endsAtOnceWhenToldTwice() throws Exception {
        Files.write(folder.resolve("large"), new byte[LARGE]);
        for (String signal : ServerProcess.signals()) {
            int expected = signal.equals("INT") ? 130 : 143;
            try (var server = ServerProcess.ready("run", "--port", "0", folder.toString());
                    Socket client = connect(server)) {
                client.getOutputStream().write(request("/large").array());
                assertThat(client.getInputStream().read()).isEqualTo('H');
                server.signal(signal);
                server.awaitLine("Stopping");

                do {
                    server.signal(signal); // what follows the first too closely is the first
                } while (server.goesOn());

                assertThat(server.exitCode()).isEqualTo(expected);
            }
        }
    }

    private static Socket connect(ServerProcess server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    }

    private static ByteBuffer request(String path) {
        String head = "GET " + path + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n";
        return ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
}
