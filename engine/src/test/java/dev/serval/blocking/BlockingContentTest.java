package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.worker.LoopWorkers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Content that application code reads by calls that block, in memory. Each server ends with the
/// leak check.
final class BlockingContentTest {
    private static final int PIECE = 50_000;

    private final List<String> seen = new ArrayList<>();

    @Test
    void readsSmallContentWithoutWaiting() {
        try (MemoryServer server = serve(this::readAll)) {
            MemoryPeer client = server.connect();
            client.send(post(5) + "hello");
            server.turn();
            server.turn();
            assertThat(client.takeText()).endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void readsContentAsItArrives() {
        try (MemoryServer server = serve(this::readAll)) {
            MemoryPeer client = server.connect();
            client.send(post(5));
            server.run();
            for (String b : List.of("h", "e", "l", "l")) {
                assertThat(server.ask(client, b)).isEmpty();
            }
            assertThat(server.ask(client, "o")).endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void readsSingleBytesToTheEnd() {
        try (MemoryServer server =
                serve(x -> {
                    InputStream in = x.input();
                    assertThat(in.available()).isEqualTo(3);
                    assertThat(in.read()).isEqualTo(0xff);
                    assertThat(in.read(new byte[4], 1, 0)).isZero();
                    assertThat(in.read()).isEqualTo('b');
                    assertThat(in.read()).isEqualTo('c');
                    assertThat(in.read()).isEqualTo(-1);
                    assertThat(in.read(new byte[4])).isEqualTo(-1);
                    assertThat(in.available()).isZero();
                    in.close();
                    assertThatThrownBy(in::read)
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("closed");
                    seen.add("done");
                })) {
            server.ask(server.connect(), post(3) + "\u00ffbc");
        }
        assertThat(seen).containsExactly("done");
    }

    /// So that long content needs few calls. The buffer for it is not kept while the thread waits.
    @Test
    void longContentThatHasArrivedIsReadAtOnce() {
        byte[] sent = new byte[60_000];
        new Random(1).nextBytes(sent);
        try (MemoryServer server =
                serve(x -> {
                    byte[] got = new byte[sent.length];
                    int n = x.input().read(got);
                    seen.add("read " + n);
                    assertThat(x.input().readNBytes(got, n, got.length - n)).isEqualTo(30_000);
                    assertThat(got).isEqualTo(sent);
                    seen.add("equal");
                })) {
            MemoryPeer client = server.connect();
            client.send(post(60_000));
            client.send(Arrays.copyOf(sent, 30_000));
            server.run();
            assertThat(seen).containsExactly("read 30000");
            assertThat(server.held()).as("bytes held while it waits").isLessThan(30_000);
            client.send(Arrays.copyOfRange(sent, 30_000, 60_000));
            server.run();
        }
        assertThat(seen).containsExactly("read 30000", "equal");
    }

    @Test
    void requestWithoutContentIsAtItsEnd() {
        try (MemoryServer server = serve(this::readAll)) {
            assertThat(server.ask(server.connect(), "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .contains("Content-Length: 0\r\n");
        }
    }

    @Test
    void readsTrailersAfterTheContent() {
        try (MemoryServer server =
                serve(x -> {
                    assertThat(x.trailers().size()).isZero();
                    byte[] all = x.input().readAllBytes();
                    x.output().write(all);
                    x.end(new Fields().addAll(x.trailers()));
                })) {
            String answer =
                    server.ask(server.connect(), chunked() + "3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n");
            assertThat(answer).endsWith("3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n");
        }
    }

    @Test
    void firstReadSends100Continue() {
        try (MemoryServer server = serve(this::readAll)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, expecting(5))).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(server.ask(client, "hello")).endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void unreadContentGetsNo100Continue() {
        ResponseHead refusal = new ResponseHead(Status.CONTENT_TOO_LARGE, Fields.EMPTY, 0);
        try (MemoryServer server = serve(x -> x.head(refusal))) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, expecting(5))).startsWith("HTTP/1.1 413 ");
            assertThat(client.sawEnd()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 100_000})
    void unreadContentDoesNotBlockTheNextRequest(int length) {
        try (MemoryServer server = serve(x -> x.output().write('k'))) {
            MemoryPeer client = server.connect();
            client.send(post(length));
            client.send(new byte[length]);
            server.run();
            assertThat(server.ask(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .containsSubsequence("\r\n\r\nk", "\r\n\r\nk");
        }
    }

    @Test
    void unreadContentStaysWithTheClient() {
        try (MemoryServer server =
                serve(x -> {
                    x.input().read();
                    LockSupport.park();
                })) {
            MemoryPeer client = server.connect();
            client.send(post(5_000_000));
            client.send(new byte[5_000_000]);
            server.run();
            // The loop's read buffer, and the one of the stream.
            assertThat(client.unread()).isGreaterThan(5_000_000 - (3 * (64 << 10)));
            client.reset();
            server.run();
            LoopWorkers workers = server.exchanges().workers();
            workers.end();
            Await.until(
                    "the Worker's end",
                    () -> {
                        server.run();
                        return workers.count() == 0;
                    });
        }
    }

    @Test
    void contentFailsIfTheClientDisconnects() {
        try (MemoryServer server = serve(this::recordFault)) {
            MemoryPeer client = server.connect();
            server.ask(client, post(5) + "he");
            client.end();
            server.run();
            assertThat(seen).containsExactly("PEER_GONE");
        }
    }

    @Test
    void malformedContentFails() {
        try (MemoryServer server = serve(this::recordFault)) {
            MemoryPeer client = server.connect();
            server.ask(client, chunked() + "3\r\nabc\r\n");
            assertThat(server.ask(client, "zzz\r\n")).startsWith("HTTP/1.1 400 ");
            assertThat(seen).containsExactly("PROTOCOL");
        }
    }

    @Test
    void tooLargeContentFails() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = 10);
        try (MemoryServer server = serve(this::recordFault, limits)) {
            MemoryPeer client = server.connect();
            server.ask(client, chunked() + "5\r\nabcde\r\n");
            assertThat(server.ask(client, "6\r\nabcdef\r\n")).startsWith("HTTP/1.1 413 ");
            assertThat(seen).containsExactly("TOO_LARGE");
        }
    }

    @Test
    void tooSlowContentFails() {
        try (MemoryServer server = serve(this::recordFault)) {
            MemoryPeer client = server.connect();
            server.ask(client, post(100) + "a");
            server.pass(Duration.ofSeconds(20));
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ");
            assertThat(seen).containsExactly("TOO_SLOW");
        }
    }

    @Test
    void contentEndsWithTheResponse() {
        try (MemoryServer server =
                serve(x -> {
                    x.end(Fields.EMPTY);
                    assertThatThrownBy(() -> x.input().read()).isInstanceOf(IOException.class);
                    assertThatThrownBy(() -> x.input().read()).isInstanceOf(IOException.class);
                    seen.add("thrown");
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, chunked() + "3\r\nabc\r\n");
            server.ask(client, "0\r\n\r\n");
            assertThat(seen).containsExactly("thrown");
        }
    }

    @Test
    void echoBuffersLittle() throws IOException {
        int pieces = 1_000; // 50 MB
        CRC32 sent = new CRC32();
        CRC32 received = new CRC32();
        Limits limits =
                Limits.DEFAULT.with(draft -> draft.content.maxBytes = (long) pieces * PIECE);
        try (MemoryServer server = serve(BlockingContentTest::echo, limits)) {
            MemoryPeer client = server.connect();
            client.send(post((long) pieces * PIECE));
            server.run();
            byte[] piece = new byte[PIECE];
            int headLength = 0;
            long got = 0;
            for (int i = 0; i < pieces; i++) {
                Arrays.fill(piece, (byte) (i * 31));
                sent.update(piece);
                client.send(piece);
                server.run();
                byte[] back = client.take();
                if (headLength == 0) {
                    headLength = endOfHead(back);
                    received.update(back, headLength, back.length - headLength);
                    got -= headLength;
                } else {
                    received.update(back);
                }
                got += back.length;
                assertThat(server.net().pool().lent()).isLessThan(12);
                assertThat(got).isGreaterThan((long) i * PIECE - (2 * 8192));
            }
            assertThat(got).isEqualTo((long) pieces * PIECE);
        }
        assertThat(received.getValue()).isEqualTo(sent.getValue());
    }

    static void echo(BlockingExchange x) throws IOException {
        x.head(new ResponseHead(Status.OK, Fields.EMPTY, x.request().contentLength()));
        byte[] some = new byte[5000];
        for (int n = x.input().read(some); n >= 0; n = x.input().read(some)) {
            x.output().write(some, 0, n);
            if (x.input().available() == 0) {
                x.output().flush();
            }
        }
    }

    private static int endOfHead(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n") + 4;
    }

    private void readAll(BlockingExchange x) throws IOException {
        x.output().write(x.input().readAllBytes());
    }

    /// Records the fault, and checks that later calls throw it too.
    private void recordFault(BlockingExchange x) throws IOException {
        try {
            x.input().readAllBytes();
            seen.add("read");
        } catch (ExchangeAbortedException e) {
            Fault fault = e.fault();
            assertThatThrownBy(() -> x.input().read()).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> x.output().write(1))
                    .isInstanceOf(ExchangeAbortedException.class)
                    .hasMessage(e.getMessage());
            assertThat(x.fault()).isEqualTo(fault);
            seen.add(fault.name());
            throw e;
        }
    }

    private static String post(long length) {
        return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static String expecting(int length) {
        return post(length).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n");
    }

    private static String chunked() {
        return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    }

    private static MemoryServer serve(BlockingHandler handler) {
        return serve(handler, Limits.DEFAULT);
    }

    private static MemoryServer serve(BlockingHandler handler, Limits limits) {
        return MemoryServer.of(BlockingHandler.on(ExecutorKind.WORKER, handler), limits);
    }
}
