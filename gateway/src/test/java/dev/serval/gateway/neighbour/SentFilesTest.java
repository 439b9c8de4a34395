package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Files that HTTP and SCGI servers name in place of their content. `FastcgiTest` has those of FastCGI.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class SentFilesTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");

    private TempTree tree;

    @BeforeEach
    void makeFiles() {
        tree = TempTree.create();
        tree.file("sent/a b.pdf", "the file");
        tree.file("elsewhere/x", "secret");
    }

    @AfterEach
    void removeFiles() {
        tree.close();
    }

    private GatewayServer server(String scheme, ScriptedPeer peer) {
        return GatewayServer.of(
                "/app="
                        + scheme
                        + "://127.0.0.1:"
                        + peer.address().getPort()
                        + "?send="
                        + tree.root().resolve("sent"));
    }

    private static Step answer(String fields) {
        return Step.Send.of("HTTP/1.1 200 OK\r\n" + fields + "Content-Length: 3\r\n\r\nown");
    }

    @Test
    void fileTakesThePlaceOfTheContentOfAnHttpServer() {
        Step named =
                answer("X-Accel-Redirect: /a%20b.pdf\r\nContent-Type: a/b\r\nETag: \"own\"\r\n");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, named, HEAD, answer("X-Own: 1\r\n"));
                GatewayServer server = server("http", peer)) {
            RawResponse got = server.get("/app/x");
            assertThat(got.status()).isEqualTo(200);
            assertThat(got.text()).isEqualTo("the file");
            assertThat(got.field("Content-Type")).isEqualTo("a/b");
            assertThat(got.field("ETag")).isNotEqualTo("\"own\"");
            assertThat(got.has("X-Accel-Redirect")).isFalse();
            assertThat(server.get("/app/y").text()).as("the connection was kept").isEqualTo("own");
        }
    }

    @Test
    void fileOfAnHttpServerHasRanges() {
        String file = tree.root().resolve("sent/a b.pdf").toString();
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(HEAD, answer("X-Sendfile: " + file + "\r\n"));
                GatewayServer server = server("http", peer);
                RawClient client = RawClient.connect(server.address())) {
            RawResponse got =
                    client.exchange("GET /app/x HTTP/1.1\r\nHost: h\r\nRange: bytes=4-\r\n\r\n");
            assertThat(got.status()).isEqualTo(206);
            assertThat(got.text()).isEqualTo("file");
        }
    }

    @Test
    void contentWithoutLengthIsLeftUnread() {
        Step named =
                Step.Send.of(
                        "HTTP/1.1 200 OK\r\nX-Accel-Redirect: /a%20b.pdf\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n3\r\nown\r\n");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, named);
                GatewayServer server = server("http", peer)) {
            assertThat(server.get("/app/x").text()).isEqualTo("the file");
        }
    }

    @ParameterizedTest
    @CsvSource({"/none, 404", "/../elsewhere/x, 502", "x, 502"})
    void onlyFilesOfTheFolderAreSent(String name, int status) {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(HEAD, answer("X-Accel-Redirect: " + name + "\r\n"));
                GatewayServer server = server("http", peer)) {
            assertThat(server.get("/app/x").status()).isEqualTo(status);
        }
    }

    @Test
    void fileTakesThePlaceOfTheContentOfAnScgiServer() {
        Step named = Step.Send.of("X-Accel-Redirect: /a%20b.pdf\r\n\r\nown");
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadUntil("PATH_INFO"), named);
                GatewayServer server = server("scgi", peer)) {
            RawResponse got = server.get("/app/x");
            assertThat(got.text()).isEqualTo("the file");
            assertThat(got.has("X-Accel-Redirect")).isFalse();
        }
    }

    /// A proxy before this server may send the file.
    @Test
    void fieldIsPassedOnWithoutAFolder() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(HEAD, answer("X-Accel-Redirect: /a%20b.pdf\r\n"));
                GatewayServer server =
                        GatewayServer.of("/=http://127.0.0.1:" + peer.address().getPort())) {
            RawResponse got = server.get("/x");
            assertThat(got.text()).isEqualTo("own");
            assertThat(got.field("X-Accel-Redirect")).isEqualTo("/a%20b.pdf");
        }
    }
}
