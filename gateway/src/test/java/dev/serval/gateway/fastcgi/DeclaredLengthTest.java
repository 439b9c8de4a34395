package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The Content-Length that an application declares, and the content that it sends.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class DeclaredLengthTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

    /// More bytes than are held until the output ends.
    private static final int LONG = 60_000;

    @Test
    void outputShorterThanDeclaredIs502() {
        try (FastcgiPeer peer = FastcgiPeer.saying("Content-Length: 10\r\n\r\nhello");
                GatewayServer server = GatewayServer.of("/=" + peer.url() + "?keep=yes")) {
            assertThat(server.get("/").status()).isEqualTo(502);
            assertThat(server.get("/").status()).isEqualTo(502);
            assertThat(peer.connections).as("the protocol was kept").hasValue(1);
            assertThat(server.neighbour("/").pool().status().failed())
                    .containsEntry(PeerFault.MALFORMED, 2L);
        }
    }

    @Test
    void longOutputShorterThanDeclaredHasNoEnd() {
        String output = "Content-Length: " + 2 * LONG + "\r\n\r\n" + "x".repeat(LONG);
        try (FastcgiPeer peer = FastcgiPeer.saying(output);
                GatewayServer server = GatewayServer.of("/=" + peer.url());
                RawClient client = RawClient.connect(server.address())) {
            String all = new String(client.send(GET).rest(), StandardCharsets.ISO_8859_1);
            assertThat(all).startsWith("HTTP/1.1 200 ").doesNotEndWith("0\r\n\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HEAD, 'Content-Length: 10\n\n', 200",
        "GET, 'Status: 304 Not Modified\nContent-Length: 10\n\n', 304",
        "GET, 'Status: 204 No Content\nContent-Length: 10\n\n', 204",
        "GET, 'Content-Length: 5\n\nhello', 200",
        "GET, 'Content-Length: 4\n\nhello', 200",
        "GET, 'Content-Length: many\n\nhello', 200"
    })
    void outputMayLackContentThatIsNotSentAnyway(String method, String output, int status) {
        try (FastcgiPeer peer = FastcgiPeer.saying(output.replace("\n", "\r\n"));
                GatewayServer server = GatewayServer.of("/=" + peer.url());
                RawClient client = RawClient.connect(server.address())) {
            client.send(method + " / HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(client.answer(method).status()).isEqualTo(status);
        }
    }

    @Test
    void lengthOfFileThatTheApplicationNamesNeedsNoContent() {
        String output = "X-Accel-Redirect: /a.bin\r\nContent-Length: 8\r\n\r\n";
        try (TempTree tree = TempTree.create();
                FastcgiPeer peer = FastcgiPeer.saying(output)) {
            tree.file("sent/a.bin", "the file");
            String mount = "/=" + peer.url() + "?send=" + tree.root().resolve("sent");
            try (GatewayServer server = GatewayServer.of(mount)) {
                assertThat(server.get("/").text()).isEqualTo("the file");
            }
        }
    }

    @Test
    void pageThatPhpCompressesIsShorterThanItsScriptDeclares() {
        try (TempTree tree = TempTree.create()) {
            tree.file(
                    "site/page.php",
                    "<?php header('Content-Length: 20000'); echo str_repeat('x', 20000);");
            tree.file(
                    "site/short.php",
                    "<?php header('Content-Length: 20000'); echo str_repeat('x', 1000);");
            try (PhpFpm php = PhpFpm.start(tree, "php_admin_flag[zlib.output_compression] = on");
                    GatewayServer server =
                            GatewayServer.of(
                                    "/=" + php.url() + "?root=" + tree.root().resolve("site"));
                    RawClient client = RawClient.connect(server.address())) {
                for (String coding : new String[] {"identity", "gzip"}) {
                    for (String method : new String[] {"GET", "HEAD"}) {
                        client.send(
                                method
                                        + " /page.php HTTP/1.1\r\nHost: h\r\nAccept-Encoding: "
                                        + coding
                                        + "\r\n\r\n");
                        RawResponse page = client.answer(method);
                        assertThat(page.status()).as(method + " " + coding).isEqualTo(200);
                        if (method.equals("GET")) {
                            boolean plain = coding.equals("identity");
                            assertThat(page.has("Content-Encoding")).isNotEqualTo(plain);
                        }
                    }
                }
                assertThat(server.get("/short.php").status()).isEqualTo(502);
            }
        }
    }
}
