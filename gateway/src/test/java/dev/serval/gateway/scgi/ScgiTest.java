package dev.serval.gateway.scgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.neighbour.KindDraft;
import dev.serval.gateway.neighbour.NeighbourDraft;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Upstream;
import dev.serval.gateway.spool.Collecting;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class ScgiTest {
    /// The last bytes of a request without content.
    private static final Step.ReadUntil NO_CONTENT = new Step.ReadUntil("\0SCGI\0" + "1\0,");

    @Test
    void sendsNetstringAndTakesOutputUntilTheEnd() {
        Step answer = Step.Send.of("Status: 201 Made\r\nContent-Type: a/b\r\n\r\nhello");
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadUntil(",body"), answer);
                GatewayServer server = GatewayServer.of("/old=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            RawResponse got =
                    client.exchange(
                            "POST /old/x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(got.status()).isEqualTo(201);
            assertThat(got.text()).isEqualTo("hello");
            String sent = peer.received(0);
            int colon = sent.indexOf(':');
            int length = Integer.parseInt(sent.substring(0, colon));
            assertThat(sent.substring(colon + 1 + length)).isEqualTo(",body");
            assertThat(sent.substring(colon + 1))
                    .startsWith("CONTENT_LENGTH\0" + "4\0")
                    .contains("\0SCGI\0" + "1\0")
                    .contains("\0SCRIPT_NAME\0/old\0PATH_INFO\0/x\0");
        }
    }

    /// As uWSGI answers at its `scgi-nph-socket`.
    @Test
    void statusLineTellsTheStatus() {
        Step answer = Step.Send.of("HTTP/1.1 404 Not Found\r\nContent-Type: a/b\r\n\r\ngone");
        try (ScriptedPeer peer = ScriptedPeer.playing(NO_CONTENT, answer);
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            RawResponse got = server.get("/");
            assertThat(got.status()).isEqualTo(404);
            assertThat(got.text()).isEqualTo("gone");
        }
    }

    @Test
    void variablesOfTheMountTakeThePlaceOfThoseOfTheRequest() {
        KindDraft.Scgi kind = new KindDraft.Scgi();
        kind.variables.add(new KindDraft.Variable("SCRIPT_NAME", ""));
        Step answer = Step.Send.of("Status: 200 OK\r\n\r\nhello");
        Step.ReadUntil all = new Step.ReadUntil("SCRIPT_NAME\0\0,");
        try (ScriptedPeer peer = ScriptedPeer.playing(all, answer)) {
            NeighbourDraft draft = new NeighbourDraft(kind);
            draft.addresses.add(new NeighbourDraft.Address(url(peer).replace("scgi://", "")));
            try (GatewayServer server = GatewayServer.of("/old", draft)) {
                assertThat(server.get("/old/x").text()).isEqualTo("hello");
                assertThat(peer.received(0))
                        .contains("PATH_INFO\0/x\0")
                        .doesNotContain("SCRIPT_NAME\0/old\0");
            }
        }
    }

    @Test
    void chunkedContentGetsItsLength() {
        Step answer = Step.Send.of("Status: 200 OK\r\n\r\nhello");
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadUntil(",body!"), answer);
                GatewayServer server = GatewayServer.of("/old=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            RawResponse got =
                    client.exchange(
                            "POST /old/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "4\r\nbody\r\n1\r\n!\r\n0\r\n\r\n");
            assertThat(got.text()).isEqualTo("hello");
            assertThat(peer.received(0))
                    .contains(":CONTENT_LENGTH\0" + "5\0")
                    .doesNotContain("TRANSFER_ENCODING");
        }
    }

    @Test
    void outputShorterThanDeclaredIsBroken() {
        Step answer = Step.Send.of("Content-Length: 10\r\n\r\nhello");
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadUntil("HTTP_HOST"), answer);
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
            String all = new String(client.rest(), StandardCharsets.ISO_8859_1);
            // 502, or chunks without their end if a part was sent already
            assertThat(all).doesNotContain("Content-Length: 5\r\n").doesNotEndWith("0\r\n\r\n");
        }
    }

    @Test
    void answers502ToNothing() {
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.ReadUntil("HTTP_HOST"));
                GatewayServer server = GatewayServer.of("/=" + url(peer))) {
            assertThat(server.get("/").status()).isEqualTo(502);
        }
    }

    @Test
    void headWithTheLengthOfGetNeedsNoContent() {
        Step answer = Step.Send.of("Content-Length: 10\r\n\r\n");
        try (ScriptedPeer peer = ScriptedPeer.playing(NO_CONTENT, answer);
                GatewayServer server = GatewayServer.of("/=" + url(peer));
                RawClient client = RawClient.connect(server.address())) {
            RawResponse got = client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n").answer("HEAD");
            assertThat(got.status()).isEqualTo(200);
            assertThat(got.field("Content-Length")).isEqualTo("10");
        }
    }

    /// In memory: at a port of the loopback address, a stranger that looks for a server which had the
    /// port before could take the place of the first connection.
    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST"})
    void requestWithoutAnswerIsNeverRepeated(String method) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        PeerPool pool =
                PeerPool.dialOut("p", PoolLimits.DIAL_OUT, List.of(new Upstream(address, "up")));
        Collecting collecting = new Collecting(new SpoolQuota(SpoolLimits.DEFAULT), false);
        try (GatewayInMemory gateway =
                new GatewayInMemory(
                        1,
                        new LrwpAgent(LrwpSettings.DEFAULT),
                        new ScgiHandler(pool, collecting))) {
            MemoryPeer client = gateway.client(0);
            client.send(method + " / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            assertThat(up.takeText()).endsWith(NO_CONTENT.text());
            up.reset();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(pool.open()).as("connections, also those that are being opened").isZero();
        }
    }

    @Test
    void servesPythonApplication() throws IOException {
        assumeThat(hasPython()).as("needs python3").isTrue();
        try (TempTree tree = TempTree.create()) {
            tree.file("peer.py", PEER);
            Process python =
                    new ProcessBuilder("python3", tree.root().resolve("peer.py").toString())
                            .redirectErrorStream(true)
                            .start();
            try (BufferedReader out = python.inputReader();
                    GatewayServer server =
                            GatewayServer.of("/app=scgi://127.0.0.1:" + out.readLine());
                    RawClient client = RawClient.connect(server.address())) {
                RawResponse answer =
                        client.exchange(
                                "PUT /app/a%20b?q HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc");
                assertThat(answer.text()).isEqualTo("PUT /app /a b q abc");
                for (int i = 0; i < 20; i++) {
                    assertThat(server.get("/app/" + i).text()).isEqualTo("GET /app /" + i + "  ");
                }
            } finally {
                python.destroyForcibly();
            }
        }
    }

    /// An application of the standard library behind a small SCGI server.
    private static final String PEER =
            """
            import io, socketserver, sys
            from wsgiref.handlers import BaseCGIHandler

            def app(env, start):
                body = env['wsgi.input'].read(int(env['CONTENT_LENGTH'] or 0))
                start('200 OK', [('Content-Type', 'text/plain')])
                return [' '.join([env['REQUEST_METHOD'], env['SCRIPT_NAME'], env['PATH_INFO'],
                                  env['QUERY_STRING'], body.decode()]).encode()]

            class Handler(socketserver.StreamRequestHandler):
                def handle(self):
                    digits = b''
                    while not digits.endswith(b':'):
                        digits += self.rfile.read(1)
                    head = self.rfile.read(int(digits[:-1])).split(b'\\0')[:-1]
                    assert self.rfile.read(1) == b','
                    env = {head[i].decode(): head[i + 1].decode('latin-1')
                           for i in range(0, len(head), 2)}
                    assert env['SCGI'] == '1'
                    body = self.rfile.read(int(env['CONTENT_LENGTH']))
                    handler = BaseCGIHandler(io.BytesIO(body), self.wfile, sys.stderr, env, False)
                    handler.run(app)

            class Server(socketserver.ThreadingTCPServer):
                allow_reuse_address = True

            with Server(('127.0.0.1', 0), Handler) as server:
                print(server.server_address[1], flush=True)
                server.serve_forever()
            """;

    private static boolean hasPython() {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    private static String url(ScriptedPeer peer) {
        return "scgi://127.0.0.1:" + peer.address().getPort();
    }
}
