package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Content that is collected before a connection to the application is asked for.
@EveryMode
final class CollectedContentTest {
    private static final String OK = "Content-Type: text/plain\r\n\r\nok";
    private static final String CHUNKED =
            "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 8191, 8192, 8193, 65_528, 65_529, 65_536, 65_537, 3_000_000})
    void chunkedContentGetsItsLength(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        CRC32 checksum = new CRC32();
        checksum.update(content);
        try (FastcgiPeer peer = FastcgiPeer.saying(OK);
                GatewayServer server = GatewayServer.of("/=" + peer.url());
                RawClient client = RawClient.connect(server.address())) {
            client.send(CHUNKED).send(chunks(content));
            assertThat(client.answer().text()).isEqualTo("ok");
            FastcgiPeer.Request got = Objects.requireNonNull(peer.requests.peek());
            assertThat(got.params())
                    .containsEntry("CONTENT_LENGTH", Integer.toString(length))
                    .doesNotContainKey("HTTP_TRANSFER_ENCODING");
            assertThat(got.contentBytes()).isEqualTo(length);
            assertThat(got.checksum()).isEqualTo(checksum.getValue());
        }
    }

    @Test
    void slowUploadHoldsNoConnection() {
        try (FastcgiPeer peer = FastcgiPeer.saying(OK);
                GatewayServer server = GatewayServer.of("/=" + peer.url() + "?connections=1");
                RawClient slow = RawClient.connect(server.address())) {
            slow.send("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf");
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/" + i).text()).isEqualTo("ok");
            }
            slow.send("rest");
            assertThat(slow.answer().text()).isEqualTo("ok");
            assertThat(peer.requests).hasSize(4);
            assertThat(peer.requests.stream().reduce((_, last) -> last).orElseThrow().content())
                    .isEqualTo("halfrest");
        }
    }

    @Test
    void streamsContentOfKnownLengthIfToldSo() {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(new Step.ReadUntil("half"), new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of(
                                "/=fastcgi://127.0.0.1:"
                                        + peer.address().getPort()
                                        + "?buffer=no");
                RawClient slow = RawClient.connect(server.address())) {
            slow.send("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf");
            Await.until("the first half is sent", () -> peer.received(0).contains("half"));
            slow.reset();
        }
    }

    @Test
    void connectionWithUnsentContentServesNoOtherClient() {
        Step early = new Step.Send(new Records().out("Status: 413 No\r\n\r\n").end(0, 0).bytes());
        Step ok = new Step.Send(new Records().out(OK).end(0, 0).bytes());
        Step rest = new Step.ReadToClose();
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(new Step.ReadUntil("half"), early, rest),
                                        List.of(new Step.ReadUntil("/other"), ok, rest)));
                GatewayServer server =
                        GatewayServer.ofOneLoop(
                                "/=fastcgi://127.0.0.1:"
                                        + peer.address().getPort()
                                        + "?buffer=no&keep=yes");
                RawClient slow = RawClient.connect(server.address())) {
            slow.send("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf");
            assertThat(slow.answer().status()).isEqualTo(413);
            assertThat(server.get("/other").text()).isEqualTo("ok");
            assertThat(peer.received(0)).doesNotContain("/other");
        }
    }

    @Test
    void contentAboveTheLimitIs413AndNotSent() {
        try (FastcgiPeer peer = FastcgiPeer.saying(OK);
                GatewayServer server =
                        GatewayServer.limited(20_000, SpoolLimits.DEFAULT, "/=" + peer.url());
                RawClient fits = RawClient.connect(server.address());
                RawClient large = RawClient.connect(server.address())) {
            fits.send(CHUNKED).send(chunks(new byte[20_000]));
            assertThat(fits.answer().status()).isEqualTo(200);
            large.send(CHUNKED).send(chunks(new byte[20_001]));
            assertThat(large.answer().status()).isEqualTo(413);
            assertThat(peer.requests).hasSize(1);
        }
    }

    @Test
    void withoutSpaceChunkedContentIs503AndKnownLengthIsStreamed() {
        SpoolLimits none = SpoolLimits.DEFAULT.withDiskMaxBytes(0).withMemoryMaxBytes(0);
        try (FastcgiPeer peer = FastcgiPeer.saying(OK);
                GatewayServer server = GatewayServer.limited(1 << 20, none, "/=" + peer.url());
                RawClient chunked = RawClient.connect(server.address());
                RawClient known = RawClient.connect(server.address())) {
            chunked.send(CHUNKED).send(chunks(new byte[100_000]));
            RawResponse refused = chunked.answer();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.field("Retry-After")).isEqualTo("1");
            assertThat(peer.requests).isEmpty();
            known.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n");
            known.send(new byte[100_000]);
            assertThat(known.answer().text()).isEqualTo("ok");
        }
    }

    @Test
    void clientThatLeavesFreesItsContent() {
        try (FastcgiPeer peer = FastcgiPeer.saying(OK);
                GatewayServer server = GatewayServer.of("/=" + peer.url())) {
            try (RawClient client = RawClient.connect(server.address())) {
                client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n");
                client.send(new byte[300_000]);
                Await.until("a part is in a file", () -> server.spool().diskBytes() > 100_000);
                client.reset();
            }
            Await.until("it is freed", () -> server.spool().diskBytes() == 0);
            assertThat(peer.requests).isEmpty();
        }
    }

    @Test
    void applicationThatReadsNothingDoesNotKeepTheContent() {
        Step answer = new Step.Send(new Records().out("Status: 403 No\r\n\r\n").end(0, 0).bytes());
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(new Step.Read(16), answer, new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of("/=fastcgi://127.0.0.1:" + peer.address().getPort());
                RawClient client = RawClient.connect(server.address())) {
            client.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n");
            client.send(new byte[5_000_000]);
            assertThat(client.answer().status()).isEqualTo(403);
        }
    }

    /// Returns chunks of at most 10,000 bytes with their end.
    private static byte[] chunks(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < content.length; at += 10_000) {
            int n = Math.min(10_000, content.length - at);
            out.writeBytes((Integer.toHexString(n) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(content, at, n);
            out.writeBytes(new byte[] {'\r', '\n'});
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }
}
