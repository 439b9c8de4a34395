package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.mode.InMode;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Another Serval as the upstream.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class ServalUpstreamTest {
    /// How long the upstream bears the other server, on a busy machine.
    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private TempTree tree;
    private Serval upstream;

    @BeforeEach
    void startUpstream() throws IOException {
        tree = TempTree.create();
        tree.file("www/small.txt", "small");
        tree.file("www/big.bin", 3 << 20);
        tree.file("www/empty.txt", "");
        tree.file("www/a b.txt", "space");
        tree.file("www/folder/index.html", "<p>index");
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.content.maxBytes = 1 << 30;
                    draft.pace.graceNanos = PATIENCE_NANOS;
                    draft.pace.stallNanos = PATIENCE_NANOS;
                });
        upstream =
                InMode.startPlain(
                        Serval.listen(0)
                                .withoutFlagWarning()
                                .limits(limits)
                                .mount(
                                        "/",
                                        FileHandler.of(
                                                tree.root().resolve("www"), FileOptions.DEFAULT))
                                .mount("/echo", new EchoHandler())
                                .mount("/hints", ServalUpstreamTest::hint));
    }

    @AfterEach
    void stopUpstream() {
        upstream.close();
        tree.close();
    }

    private static void hint(Exchange x) {
        x.response().inform(Status.EARLY_HINTS, Fields.of(FieldName.LINK, "</a.css>; rel=preload"));
        x.response().inform(Status.EARLY_HINTS, Fields.of(FieldName.LINK, "</b.css>; rel=preload"));
        x.response().send(new ResponseHead(Status.OK, Fields.EMPTY, 2), body("ok"));
    }

    @Test
    void answersEqualThoseOfTheUpstream() {
        try (GatewayServer server = server();
                RawClient direct = RawClient.connect(upstream.addresses().getFirst());
                RawClient proxied = RawClient.connect(server.address())) {
            String etag = direct.exchange(request("GET", "/small.txt", "")).field("ETag");
            assertThat(etag).isNotNull();
            List<String> requests =
                    List.of(
                            request("GET", "/small.txt", ""),
                            request("GET", "/big.bin", ""),
                            request("HEAD", "/big.bin", ""),
                            request("GET", "/empty.txt", ""),
                            request("GET", "/none", ""),
                            request("GET", "/a%20b.txt", ""),
                            request("GET", "/folder", ""),
                            request("GET", "/folder/", ""),
                            request("GET", "/big.bin", "Range: bytes=5-9\r\n"),
                            request("GET", "/big.bin", "Range: bytes=9999999-\r\n"),
                            request("GET", "/small.txt", "If-None-Match: " + etag + "\r\n"),
                            request("HEAD", "/small.txt", "If-None-Match: " + etag + "\r\n"),
                            request("GET", "/small.txt", "If-Match: \"no\"\r\n"),
                            request("OPTIONS", "/small.txt", ""),
                            request("DELETE", "/small.txt", ""),
                            request("POST", "/echo", "Content-Length: 3\r\n") + "abc",
                            request("PROPFIND", "/echo", "Content-Length: 3\r\n") + "abc",
                            request("POST", "/echo", "Content-Length: 0\r\n"),
                            request("POST", "/echo?refuse", "Content-Length: 3\r\n") + "abc");
            // The tag of a large file that was written just now differs at each look-up.
            Await.until(
                    "the file has a strong tag",
                    () ->
                            !String.valueOf(
                                            direct.send(request("HEAD", "/big.bin", ""))
                                                    .answer("HEAD")
                                                    .field("ETag"))
                                    .startsWith("W/"));
            for (String request : requests) {
                String method = request.substring(0, request.indexOf(' '));
                RawResponse expected = direct.send(request).answer(method);
                RawResponse got = proxied.send(request).answer(method);
                assertThat(got.status()).as(request).isEqualTo(expected.status());
                assertThat(got.body()).as(request).isEqualTo(expected.body());
                assertThat(fields(got)).as(request).isEqualTo(fields(expected));
            }
            assertThat(server.neighbour("/").pool().open()).isEqualTo(1);
            assertThat(server.neighbour("/").pool().status().failures()).isZero();
        }
    }

    @Test
    void passesEarlyHints() {
        try (GatewayServer server = server();
                RawClient client = RawClient.connect(server.address())) {
            client.send(request("GET", "/hints", ""));
            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 103").contains("</a.css>");
            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 103").contains("</b.css>");
            assertThat(client.answer().text()).isEqualTo("ok");
        }
    }

    @Test
    void passes100ContinueOnlyIfTheUpstreamWantsTheContent() {
        String expect = "Expect: 100-continue\r\nContent-Length: 5\r\n";
        try (GatewayServer server =
                        GatewayServer.of("/=http://127.0.0.1:" + upstream.port() + "?buffer=no");
                RawClient client = RawClient.connect(server.address());
                RawClient refused = RawClient.connect(server.address())) {
            client.send(request("PUT", "/echo", expect));
            assertThat(client.until("\r\n\r\n")).startsWith("HTTP/1.1 100");
            assertThat(client.send("hello").answer().text()).isEqualTo("hello");
            assertThat(refused.exchange(request("PUT", "/echo?refuse", expect)).status())
                    .isEqualTo(403);
        }
    }

    @Test
    void passesTrailersInBothDirections() {
        try (GatewayServer server = server();
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    request("POST", "/echo", "TE: trailers\r\nTransfer-Encoding: chunked\r\n")
                            + "3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n");
            String all = client.until("X-Sum: 7\r\n\r\n");
            assertThat(all).contains("\r\n3\r\nabc\r\n0\r\n");
            assertThat(client.exchange(request("GET", "/small.txt", "")).text()).isEqualTo("small");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void carries20MegabytesInBothDirectionsAtOnce(boolean chunked) {
        byte[] content = new byte[20 << 20];
        new Random(3).nextBytes(content);
        String framing =
                chunked
                        ? "Transfer-Encoding: chunked\r\n"
                        : "Content-Length: " + content.length + "\r\n";
        try (GatewayServer server = server();
                RawClient client =
                        RawClient.connect(server.address()).patience(Duration.ofSeconds(60))) {
            // The client reads while it sends, so both directions are full at once.
            client.send(request("POST", "/echo", framing));
            client.send(chunked ? chunks(content) : content);
            assertThat(client.answer().body()).isEqualTo(content);
            assertThat(client.exchange(request("GET", "/small.txt", "")).text()).isEqualTo("small");
            assertThat(server.neighbour("/").pool().open()).isEqualTo(1);
        }
    }

    private GatewayServer server() {
        return GatewayServer.of("/=http://127.0.0.1:" + upstream.port());
    }

    private static String request(String method, String target, String fields) {
        return method + " " + target + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
    }

    private static byte[] chunks(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 4096);
        int at = 0;
        for (int size = 1; at < content.length; size = size * 3 % 70_001) {
            int n = Math.min(size, content.length - at);
            out.writeBytes((Integer.toHexString(n) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            out.write(content, at, n);
            out.writeBytes(new byte[] {'\r', '\n'});
            at += n;
        }
        out.writeBytes("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return out.toByteArray();
    }

    private static Body body(String text) {
        return Body.Bytes.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Returns the fields that belong to the message and not to its connection.
    private static List<String> fields(RawResponse response) {
        return response.fields().stream()
                .filter(f ->
                        !f.name().equalsIgnoreCase("Connection")
                                && !f.name().equalsIgnoreCase("Date"))
                .map(f -> f.name() + ": " + f.value())
                .sorted()
                .toList();
    }
}
