package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.ExecutorKind;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Responses that application code writes by calls that block, in memory. Each server ends with the
/// leak check.
final class BlockingResponseTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final ResponseHead TEXT =
            new ResponseHead(
                    Status.OK,
                    Fields.of(FieldName.CONTENT_TYPE, "text/plain"),
                    ResponseHead.UNKNOWN_LENGTH);

    private final List<String> seen = new ArrayList<>();

    @Test
    void smallResponseIsSentWholeWithoutWaiting() {
        try (MemoryServer server =
                serve(x -> {
                    x.head(TEXT);
                    x.output().write(bytes("hel"));
                    x.output().write('l');
                    x.output().write(bytes("o"));
                    assertThat(x.committed()).isFalse();
                })) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.turn(); // reads; its first requests go to the pool
            server.turn();
            assertThat(client.takeText())
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Type: text/plain\r\n", "Content-Length: 5\r\n")
                    .endsWith("\r\n\r\nhello");
            assertThat(client.writes()).isEqualTo(1);
        }
    }

    @Test
    void emptyHandlerAnswers200WithoutContent() {
        try (MemoryServer server = serve(x -> {})) {
            assertThat(server.ask(server.connect(), GET))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("Content-Length: 0\r\n");
        }
    }

    @Test
    void responseThatJustFillsTheBufferHasItsLength() {
        try (MemoryServer server = serve(x -> x.output().write(new byte[x.bufferBytes()]))) {
            assertThat(server.ask(server.connect(), GET)).contains("Content-Length: 8192\r\n");
        }
    }

    @Test
    void longResponseIsChunked() {
        try (MemoryServer server = serve(x -> x.output().write(pattern(20_000)))) {
            String answer = server.ask(server.connect(), GET);
            assertThat(answer).contains("Transfer-Encoding: chunked\r\n");
            assertThat(dechunked(answer)).isEqualTo(text(20_000));
        }
    }

    @Test
    void largerBufferHoldsLargerResponse() {
        try (MemoryServer server =
                serve(x -> {
                    x.bufferAtLeast(100_000);
                    x.output().write(pattern(100_000));
                    assertThat(x.committed()).isFalse();
                })) {
            MemoryPeer client = server.connect();
            client.window(10_000);
            server.ask(client, GET);
            client.window(Long.MAX_VALUE);
            server.run();
            assertThat(server.log()).containsExactly("GET / 200 100000");
        }
    }

    @Test
    void largeBufferIsReusedOnlyAfterItWasSent() {
        try (MemoryServer server =
                serve(x -> {
                    x.bufferAtLeast(50_000);
                    x.output().write(pattern(200_000));
                })) {
            MemoryPeer client = server.connect();
            StringBuilder got = new StringBuilder();
            client.send(GET);
            for (int i = 0; i < 100; i++) {
                client.window(3_000);
                server.run();
                got.append(client.takeText());
            }
            assertThat(dechunked(got.toString())).isEqualTo(text(200_000));
        }
    }

    @Test
    void slowClientBlocksTheWriter() {
        int length = 1_000_000;
        try (MemoryServer server =
                serve(x -> {
                    OutputStream out = x.output();
                    for (int i = 0; i < length / 1000; i++) {
                        out.write(pattern(1000));
                        seen.add("");
                    }
                })) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(GET);
            for (int i = 0; i < 300; i++) {
                server.turn(); // without a look at the client
            }
            // One buffer of the exchange, and what the engine queues.
            assertThat(seen.size() * 1000).isLessThan((64 << 10) + (3 * 8192));
            StringBuilder got = new StringBuilder();
            while (seen.size() < length / 1000) {
                client.window(40_000);
                server.run();
                got.append(client.takeText());
            }
            client.window(Long.MAX_VALUE);
            server.run();
            got.append(client.takeText());
            assertThat(dechunked(got.toString())).isEqualTo(text(1000).repeat(length / 1000));
        }
    }

    @Test
    void flushSendsContentBeforeTheHandlerReturns() {
        List<Thread> parked = new ArrayList<>();
        try (MemoryServer server =
                serve(x -> {
                    x.output().write(bytes("first"));
                    x.output().flush();
                    assertThat(x.committed()).isTrue();
                    parked.add(Thread.currentThread());
                    LockSupport.park();
                    x.output().write(bytes("second"));
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).endsWith("\r\n\r\n5\r\nfirst\r\n");
            LockSupport.unpark(parked.getFirst());
            server.run();
            assertThat(client.takeText()).isEqualTo("6\r\nsecond\r\n0\r\n\r\n");
        }
    }

    @Test
    void closeSendsTheResponseBeforeTheHandlerReturns() {
        List<Thread> parked = new ArrayList<>();
        try (MemoryServer server =
                serve(x -> {
                    x.output().write(bytes("all"));
                    x.output().close();
                    x.output().close();
                    x.end(Fields.EMPTY);
                    parked.add(Thread.currentThread());
                    LockSupport.park();
                    assertThatThrownBy(() -> x.output().flush()).isInstanceOf(IOException.class);
                    assertThatThrownBy(() -> x.output().write(1))
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("has ended");
                    seen.add("done");
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET))
                    .contains("Content-Length: 3\r\n")
                    .endsWith("\r\n\r\nall");
            // The next request waits until no thread reads this one any more.
            assertThat(server.ask(client, GET)).isEmpty();
            for (int i = 0; i < 2; i++) {
                LockSupport.unpark(parked.getLast());
                server.run();
            }
            assertThat(client.takeText()).endsWith("\r\n\r\nall");
        }
        assertThat(seen).containsExactly("done", "done");
    }

    @Test
    void callsHeadSupplierWhenTheHeadIsSent() {
        try (MemoryServer server =
                serve(x -> {
                    x.head(() -> {
                        seen.add("called");
                        return TEXT;
                    });
                    x.output().write(pattern(8192));
                    assertThat(seen).isEmpty();
                    x.output().write(1);
                    assertThat(seen).containsExactly("called");
                    assertThatThrownBy(() -> x.head(TEXT))
                            .isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(x::reset).isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(() -> x.inform(Status.EARLY_HINTS, Fields.EMPTY))
                            .isInstanceOf(IllegalStateException.class);
                })) {
            assertThat(server.ask(server.connect(), GET)).contains("Content-Type: text/plain");
        }
        assertThat(seen).containsExactly("called");
    }

    @Test
    void resetDiscardsUnsentHeadAndContent() {
        try (MemoryServer server =
                serve(x -> {
                    x.head(new ResponseHead(Status.NOT_FOUND, Fields.EMPTY, 3));
                    x.output().write(bytes("not this"));
                    x.reset();
                    x.output().write(bytes("nor this"));
                    x.resetContent();
                    x.output().write(bytes("this"));
                })) {
            assertThat(server.ask(server.connect(), GET))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Content-Length: 4\r\n")
                    .endsWith("\r\n\r\nthis");
        }
    }

    @Test
    void informsThenAnswersWithTrailers() {
        try (MemoryServer server =
                serve(x -> {
                    x.inform(Status.EARLY_HINTS, Fields.of(FieldName.LINK, "</a.css>"));
                    x.output().write(bytes("text"));
                    x.end(new Fields().add("Digest-Of-All", "abc"));
                })) {
            assertThat(server.ask(server.connect(), GET))
                    .startsWith("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 ")
                    .endsWith("4\r\ntext\r\n0\r\nDigest-Of-All: abc\r\n\r\n");
        }
    }

    @Test
    void informRefusesFinalStatus() {
        try (MemoryServer server =
                serve(x ->
                        assertThatThrownBy(() -> x.inform(Status.OK, Fields.EMPTY))
                                .isInstanceOf(IllegalArgumentException.class))) {
            assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 200 ");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 8192, 100_000})
    void headHasTheLengthOfGet(int length) {
        try (MemoryServer server = serve(x -> x.output().write(pattern(length)))) {
            String answer = server.ask(server.connect(), GET.replace("GET", "HEAD"));
            assertThat(answer).contains("Content-Length: " + length + "\r\n").endsWith("\r\n\r\n");
        }
    }

    /// The length of GET is not known here. A length of 0 would mean that GET has no content (RFC
    /// 9110 §8.6).
    @Test
    void headWithoutWrittenContentHasNoLength() {
        try (MemoryServer server = serve(x -> x.head(TEXT))) {
            MemoryPeer client = server.connect();
            String head = GET.replace("GET", "HEAD");
            assertThat(server.ask(client, head))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("Content-Length: 0")
                    .endsWith("\r\n\r\n");
            assertThat(server.ask(client, GET)).contains("Content-Length: 0\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusWithoutContentGetsNone(int status) {
        ResponseHead head =
                new ResponseHead(Status.of(status), Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);
        try (MemoryServer server =
                serve(x -> {
                    x.head(head);
                    x.output().write(pattern(x.request().target().text().length()));
                    if (x.request().target().text().equals("/long")) {
                        x.output().write(pattern(30_000));
                    }
                })) {
            MemoryPeer client = server.connect();
            for (String target : List.of("/", "/long")) {
                assertThat(server.ask(client, GET.replace(" / ", " " + target + " ")))
                        .startsWith("HTTP/1.1 " + status)
                        .doesNotContain("Content-Length", "Transfer-Encoding")
                        .endsWith("\r\n\r\n");
            }
        }
    }

    @Test
    void http10ClientGetsLongResponseUntilTheConnectionEnds() {
        try (MemoryServer server = serve(x -> x.output().write(pattern(20_000)))) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, "GET / HTTP/1.0\r\n\r\n")).endsWith(text(20_000));
            assertThat(client.sawEnd()).isTrue();
        }
    }

    @Test
    void tooFewBytesEndTheConnection() {
        try (MemoryServer server = promising(10, 4)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).contains("Content-Length: 10\r\n").endsWith("abcd");
            assertThat(client.sawEnd()).isTrue();
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void surplusBytesAreNotSent() {
        try (MemoryServer server = promising(4, 10)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET))
                    .contains("Content-Length: 4\r\n")
                    .endsWith("\r\n\r\nabcd");
            assertThat(client.sawEnd()).isTrue();
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void writesAfterSurplusBytesThrow() {
        try (MemoryServer server =
                serve(x -> {
                    x.head(new ResponseHead(Status.OK, Fields.EMPTY, 4));
                    x.output().write(pattern(5));
                    assertThatThrownBy(() -> x.output().flush())
                            .isInstanceOf(ExchangeAbortedException.class)
                            .hasMessageContaining("Content-Length");
                    assertThatThrownBy(() -> x.output().write(1))
                            .isInstanceOf(ExchangeAbortedException.class);
                    seen.add("thrown");
                })) {
            assertThat(server.ask(server.connect(), GET)).endsWith("\r\n\r\nabcd");
        }
        assertThat(seen).containsExactly("thrown");
    }

    @Test
    void answersPipelinedRequestsInOrder() {
        try (MemoryServer server =
                serve(x -> x.output().write(bytes(x.request().target().text())))) {
            String answers =
                    server.ask(
                            server.connect(),
                            GET.replace(" / ", " /a ") + GET.replace(" / ", " /b ") + GET);
            assertThat(answers).containsSubsequence("\r\n\r\n/a", "\r\n\r\n/b", "\r\n\r\n/");
        }
    }

    @Test
    void runsOnBlockingExecutor() {
        try (MemoryServer server =
                MemoryServer.of(
                        BlockingHandler.on(
                                ExecutorKind.BLOCKING,
                                x -> x.output().write(bytes("elsewhere"))))) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).isEmpty();
            server.work();
            assertThat(client.takeText()).endsWith("\r\n\r\nelsewhere");
        }
        assertThatThrownBy(() -> BlockingHandler.on(ExecutorKind.LOOP, x -> {}))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusedHandlerHoldsNothing() {
        try (MemoryServer server =
                MemoryServer.of(BlockingHandler.on(ExecutorKind.BLOCKING, x -> {}))) {
            server.blockingMax(0);
            assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 503 ");
        }
    }

    private MemoryServer promising(int promised, int written) {
        return serve(x -> {
            x.head(new ResponseHead(Status.OK, Fields.EMPTY, promised));
            x.output().write(pattern(written));
        });
    }

    private static MemoryServer serve(BlockingHandler handler) {
        return MemoryServer.of(BlockingHandler.on(ExecutorKind.WORKER, handler));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + i % 26);
        }
        return bytes;
    }

    private static String text(int length) {
        return new String(pattern(length), StandardCharsets.ISO_8859_1);
    }

    /// Returns the content of one chunked response, which must be complete.
    private static String dechunked(String answer) {
        StringBuilder content = new StringBuilder();
        int at = answer.indexOf("\r\n\r\n") + 4;
        int size = -1;
        while (size != 0) {
            int end = answer.indexOf("\r\n", at);
            size = Integer.parseInt(answer.substring(at, end), 16);
            content.append(answer, end + 2, end + 2 + size);
            at = end + 2 + size + 2;
        }
        assertThat(at).isEqualTo(answer.length());
        return content.toString();
    }
}
