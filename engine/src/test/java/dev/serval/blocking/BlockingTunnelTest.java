package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.Fault;
import dev.serval.handler.Mapping;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.Connection;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The streams of an upgraded connection, in memory (RFC 9110 §7.8). The leak check at the end of
/// each server is half of this test.
@Timeout(60)
final class BlockingTunnelTest {
    private static final String ASK =
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: own\r\n\r\n";

    private final Mapping mapping = new Mapping("tunnel");
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private @Nullable BlockingTunnel opened;

    /// Code that uses the streams.
    private interface Code {
        void run(BlockingTunnel tunnel) throws IOException;
    }

    private static ResponseHead switching() {
        return new ResponseHead(
                Status.SWITCHING_PROTOCOLS,
                new Fields().add("Upgrade", "own"),
                ResponseHead.UNKNOWN_LENGTH);
    }

    private MemoryServer serve(Code code) {
        return serve(code, Limits.DEFAULT);
    }

    private MemoryServer serve(Code code, Limits limits) {
        return MemoryServer.of(
                x -> {
                    BlockingTunnel tunnel =
                            BlockingTunnel.open(x, switching(), () -> seen.add("over"));
                    opened = tunnel;
                    start(tunnel, code);
                },
                limits);
    }

    private void start(BlockingTunnel tunnel, Code code) {
        tunnel.run(
                mapping,
                () -> {
                    threads.add(Thread.currentThread());
                    try {
                        code.run(tunnel);
                    } catch (ExchangeAbortedException e) {
                        seen.add("aborted " + e.fault());
                    } catch (InterruptedIOException e) {
                        seen.add("interrupted " + Thread.currentThread().isInterrupted());
                    } catch (IOException e) {
                        seen.add("failed");
                    }
                },
                () -> seen.add("dropped"));
    }

    private BlockingTunnel tunnel() {
        @Nullable BlockingTunnel present = opened;
        if (present == null) {
            throw new AssertionError("no tunnel was opened");
        }
        return present;
    }

    private MemoryPeer switched(MemoryServer server, String first) {
        MemoryPeer client = server.connect();
        client.send(ASK + first);
        server.run();
        assertThat(client.text()).startsWith("HTTP/1.1 101 ");
        return client;
    }

    private static String content(MemoryPeer client) {
        String all = client.text();
        return all.substring(all.indexOf("\r\n\r\n") + 4);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void say(BlockingTunnel tunnel, String text) throws IOException {
        tunnel.output().write(bytes(text));
        tunnel.output().flush();
    }

    private static void echo(BlockingTunnel tunnel) throws IOException {
        byte[] piece = new byte[3000];
        for (int n = tunnel.input().read(piece); n >= 0; n = tunnel.input().read(piece)) {
            tunnel.output().write(piece, 0, n);
            tunnel.output().flush();
        }
        tunnel.output().close();
    }

    @Test
    void bytesGoBothWaysUntilTheClientEnds() {
        try (MemoryServer server = serve(BlockingTunnelTest::echo)) {
            MemoryPeer client = switched(server, "GET / is no request");
            assertThat(content(client)).isEqualTo("GET / is no request");
            client.send(" more");
            server.run();
            assertThat(content(client)).endsWith("request more");
            assertThat(seen).isEmpty();
            client.end();
            server.run();
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
            assertThat(seen).containsExactly("over");
            assertThat(tunnel().isOver()).isTrue();
            assertThat(tunnel().fault()).isNull();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
        }
    }

    @Test
    void singleBytesAreReadAndWritten() {
        try (MemoryServer server =
                serve(tunnel -> {
                    for (int b = tunnel.input().read(); b >= 0; b = tunnel.input().read()) {
                        tunnel.output().write(b + 1);
                    }
                    tunnel.close();
                })) {
            MemoryPeer client = server.connect();
            client.send(ASK + "HAL");
            client.end();
            server.run();
            assertThat(content(client)).isEqualTo("IBM");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 65_536})
    void slowClientHoldsTheWriterAndThenTheReader(int window) {
        int length = 2_000_000;
        try (MemoryServer server = serve(BlockingTunnelTest::echo)) {
            MemoryPeer client = switched(server, "");
            client.window(0);
            client.send("0123456789".repeat(length / 10));
            server.run();
            assertThat(length - client.unread()).isLessThan(300_000);
            assertThat(server.held()).isLessThan(300_000);
            for (int i = 0; i < 100_000 && content(client).length() < length; i += 1) {
                client.window(window * 20L);
                server.run();
            }
            assertThat(content(client)).isEqualTo("0123456789".repeat(length / 10));
            client.window(window);
            client.end();
            server.run();
            assertThat(seen).containsExactly("over");
        }
    }

    @Test
    void serverMayEndItsDirectionFirst() {
        StringBuilder read = new StringBuilder();
        try (MemoryServer server =
                serve(tunnel -> {
                    tunnel.output().write(bytes("bye"));
                    tunnel.output().close();
                    for (int b = tunnel.input().read(); b >= 0; b = tunnel.input().read()) {
                        read.append((char) b);
                    }
                    seen.add("end");
                })) {
            MemoryPeer client = switched(server, "");
            assertThat(content(client)).isEqualTo("bye");
            assertThat(client.sawEnd()).isTrue();
            client.send("still here");
            server.run();
            assertThat(seen).isEmpty();
            client.end();
            server.run();
            assertThat(read).hasToString("still here");
            assertThat(seen).containsExactlyInAnyOrder("over", "end");
            assertThat(client.sawReset()).isFalse();
        }
    }

    @Test
    void clientMayEndItsDirectionFirst() {
        try (MemoryServer server =
                serve(tunnel -> {
                    assertThat(tunnel.input().readAllBytes()).isEqualTo(bytes("last"));
                    assertThat(tunnel.inputEnded()).isTrue();
                    assertThat(tunnel.isOver()).isFalse();
                    say(tunnel, "first ");
                    say(tunnel, "second");
                    tunnel.output().close();
                })) {
            MemoryPeer client = server.connect();
            client.send(ASK + "last");
            client.end();
            server.run();
            assertThat(content(client)).isEqualTo("first second");
            assertThat(seen).containsExactly("over");
        }
    }

    @Test
    void closeSendsWhatWasWritten() {
        try (MemoryServer server =
                serve(tunnel -> {
                    tunnel.output().write(bytes("not flushed"));
                    tunnel.close();
                    tunnel.close();
                    seen.add("closed");
                })) {
            MemoryPeer client = switched(server, "unread");
            assertThat(content(client)).isEqualTo("not flushed");
            assertThat(client.sawReset()).isFalse();
            assertThat(seen).containsExactly("closed", "over");
            assertThat(tunnel().fault()).isNull();
        }
    }

    @Test
    void closeOfBothStreamsEndsTheTunnel() {
        try (MemoryServer server =
                serve(tunnel -> {
                    tunnel.output().write(bytes("bye"));
                    tunnel.input().close();
                    tunnel.output().close();
                    seen.add("closed");
                })) {
            MemoryPeer client = switched(server, "unread");
            assertThat(content(client)).isEqualTo("bye");
            assertThat(seen).containsExactly("closed", "over");
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @Test
    void abortResetsTheClient() {
        try (MemoryServer server =
                serve(tunnel -> {
                    tunnel.output().write(bytes("lost"));
                    tunnel.abort();
                    tunnel.abort();
                })) {
            MemoryPeer client = server.connect();
            client.send(ASK);
            server.run();
            assertThat(client.sawReset()).isTrue();
            assertThat(client.text()).doesNotContain("lost");
            assertThat(seen).containsExactly("over");
            assertThat(tunnel().fault()).isEqualTo(Fault.APPLICATION);
        }
    }

    /// What code does when the tunnel ends.
    enum Waiting {
        /// Waits for bytes.
        READS {
            @Override
            void enter(BlockingTunnel tunnel) throws IOException {
                int _ = tunnel.input().read();
            }
        },
        /// Waits for room.
        WRITES {
            @Override
            void enter(BlockingTunnel tunnel) throws IOException {
                tunnel.output().write(new byte[1_000_000]);
            }
        };

        abstract void enter(BlockingTunnel tunnel) throws IOException;
    }

    private MemoryPeer waiting(MemoryServer server) {
        MemoryPeer client = server.connect();
        client.window(10_000);
        client.send(ASK);
        server.run();
        assertThat(threads).isNotEmpty();
        assertThat(seen).isEmpty();
        return client;
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void lostClientWakesTheCode(Waiting code) {
        try (MemoryServer server = serve(code::enter)) {
            waiting(server).reset();
            server.run();
            server.awaitWorkers();
            assertThat(seen).containsExactlyInAnyOrder("over", "aborted PEER_GONE");
            assertThat(tunnel().fault()).isEqualTo(Fault.PEER_GONE);
            assertThat(server.count(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void stopOfTheServerWakesTheCode(Waiting code) {
        try (MemoryServer server = serve(code::enter)) {
            MemoryPeer _ = waiting(server);
            server.net().forEach(Connection::abort);
            server.run();
            server.awaitWorkers();
            assertThat(seen).containsExactlyInAnyOrder("over", "aborted SHUTDOWN");
        }
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void closeByAnotherThreadWakesTheCode(Waiting code) {
        try (MemoryServer server = serve(code::enter)) {
            MemoryPeer client = waiting(server);
            tunnel().close();
            server.run();
            client.window(2_000_000);
            server.run();
            server.awaitWorkers();
            assertThat(seen).containsExactlyInAnyOrder("over", "failed");
        }
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void abortByAnotherThreadWakesTheCode(Waiting code) {
        try (MemoryServer server = serve(code::enter)) {
            MemoryPeer client = waiting(server);
            tunnel().abort();
            server.run();
            server.awaitWorkers();
            assertThat(seen).containsExactlyInAnyOrder("over", "aborted APPLICATION");
            assertThat(client.sawReset()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Waiting.class)
    void interruptWakesTheCodeAndBreaksItsStreamOnly(Waiting code) {
        try (MemoryServer server =
                serve(tunnel -> {
                    try {
                        code.enter(tunnel);
                    } catch (InterruptedIOException e) {
                        seen.add("interrupted " + Thread.interrupted());
                        assertThatThrownBy(() -> code.enter(tunnel))
                                .isExactlyInstanceOf(IOException.class)
                                .hasMessageContaining("interrupted");
                        seen.add("broken");
                        if (code == Waiting.READS) {
                            say(tunnel, "still");
                        } else {
                            assertThat(tunnel.input().read()).isEqualTo('x');
                        }
                        seen.add("other stream");
                    }
                    tunnel.close();
                })) {
            MemoryPeer client = waiting(server);
            threads.getFirst().interrupt();
            server.run();
            client.window(3_000_000);
            client.send("x");
            server.run();
            server.awaitWorkers();
            assertThat(seen).containsExactly("interrupted true", "broken", "other stream", "over");
        }
    }

    @Test
    void streamsFailAfterTheyWereClosed() {
        try (MemoryServer server =
                serve(tunnel -> {
                    InputStream in = tunnel.input();
                    OutputStream out = tunnel.output();
                    assertThat(in.read(new byte[0])).isZero();
                    assertThat(in.read()).isEqualTo('o');
                    assertThat(in.available()).isEqualTo(2);
                    in.close();
                    in.close();
                    assertThatIOException().isThrownBy(in::read);
                    assertThatIOException().isThrownBy(() -> in.read(new byte[1]));
                    assertThatIOException().isThrownBy(in::available);
                    say(tunnel, "written");
                    out.close();
                    out.close();
                    assertThatIOException().isThrownBy(() -> out.write(1));
                    assertThatIOException().isThrownBy(() -> out.write(new byte[10]));
                    assertThatIOException().isThrownBy(out::flush);
                    tunnel.close();
                    seen.add("checked");
                })) {
            MemoryPeer client = switched(server, "one");
            assertThat(content(client)).isEqualTo("written");
            assertThat(seen).containsExactlyInAnyOrder("checked", "over");
        }
    }

    @Test
    void everythingFailsAfterTheTunnelIsOver() {
        try (MemoryServer server = serve(tunnel -> {})) {
            MemoryPeer client = switched(server, "");
            client.reset();
            server.run();
            BlockingTunnel over = tunnel();
            assertThat(seen).containsExactly("over");
            assertThatThrownBy(() -> over.input().read())
                    .isInstanceOf(ExchangeAbortedException.class);
            assertThatThrownBy(() -> over.output().write(1))
                    .isInstanceOf(ExchangeAbortedException.class);
            assertThatThrownBy(() -> over.output().flush())
                    .isInstanceOf(ExchangeAbortedException.class);
            assertThat(over.readsWithoutWaiting()).isTrue();
            assertThat(over.writesWithoutWaiting()).isTrue();
            over.onReadable(() -> seen.add("readable"));
            over.onWritable(() -> seen.add("writable"));
            over.close();
            over.abort();
            start(over, _ -> seen.add("ran"));
            server.run();
            assertThat(seen).containsExactly("over", "dropped");
            assertThat(over.fault()).isEqualTo(Fault.PEER_GONE);
        }
    }

    @Test
    void exceptionOfTheCodeClosesTheTunnel() {
        try (MemoryServer server =
                serve(tunnel -> {
                    throw new IllegalStateException("meant");
                })) {
            MemoryPeer client = server.connect();
            client.send(ASK);
            server.run();
            assertThat(client.isClosed()).isTrue();
            assertThat(seen).containsExactly("over");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void tunnelAboveTheLimitOfExchangesIsOverAtOnce() {
        Limits one = Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 1);
        try (MemoryServer server = serve(BlockingTunnelTest::echo, one)) {
            MemoryPeer first = switched(server, "a");
            MemoryPeer second = server.connect();
            second.send(ASK);
            server.run();
            assertThat(second.text()).doesNotContain("HTTP/1.1 101");
            assertThat(seen).containsExactly("over", "dropped");
            assertThat(server.ask(first, "b")).endsWith("b");
            first.end();
            server.run();
        }
    }

    @Test
    void contentMustBeReadBefore() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    assertThatThrownBy(() ->
                                    BlockingTunnel.open(x, switching(), () -> seen.add("over")))
                            .isInstanceOf(IllegalStateException.class);
                    seen.add("refused");
                    x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 0));
                    x.response().end(Fields.EMPTY);
                })) {
            MemoryPeer client = server.connect();
            client.send(ASK.replace("\r\n\r\n", "\r\nContent-Length: 3\r\n\r\n"));
            server.run();
            assertThat(seen).containsExactly("refused");
        }
    }

    // Without waiting

    private void echoWithoutWaiting(BlockingTunnel tunnel) throws IOException {
        byte[] piece = new byte[3000];
        while (!tunnel.inputEnded()) {
            if (!tunnel.writesWithoutWaiting()) {
                tunnel.onWritable(() -> start(tunnel, this::echoWithoutWaiting));
                return;
            }
            if (!tunnel.readsWithoutWaiting()) {
                tunnel.onReadable(() -> start(tunnel, this::echoWithoutWaiting));
                return;
            }
            int n = tunnel.input().read(piece);
            if (n > 0) {
                tunnel.output().write(piece, 0, n);
                tunnel.output().flush();
            }
        }
        tunnel.close();
    }

    @Test
    void echoWithoutWaitingKeepsThePaceOfTheClient() {
        int length = 2_000_000;
        try (MemoryServer server =
                serve(tunnel -> {
                    tunnel.withoutWaiting();
                    echoWithoutWaiting(tunnel);
                })) {
            MemoryPeer client = switched(server, "");
            client.window(0);
            client.send("0123456789".repeat(length / 10));
            client.end();
            server.run();
            assertThat(length - client.unread()).isLessThan(500_000);
            client.window(2L * length);
            server.run();
            assertThat(content(client)).isEqualTo("0123456789".repeat(length / 10));
            assertThat(seen).containsExactly("over");
        }
    }

    @Test
    void lostClientRunsNeitherCallback() {
        AtomicInteger calls = new AtomicInteger();
        try (MemoryServer server =
                serve(tunnel -> {
                    tunnel.withoutWaiting();
                    tunnel.onReadable(calls::incrementAndGet);
                    pour(tunnel, calls);
                })) {
            MemoryPeer client = waiting(server);
            int before = calls.get();
            assertThat(tunnel().writesWithoutWaiting()).isFalse();
            client.reset();
            server.run();
            assertThat(calls).hasValue(before);
            assertThat(seen).containsExactly("over");
        }
    }

    private void pour(BlockingTunnel tunnel, AtomicInteger calls) throws IOException {
        while (tunnel.writesWithoutWaiting()) {
            tunnel.output().write(new byte[8 << 10]);
        }
        tunnel.onWritable(() -> {
            calls.incrementAndGet();
            start(tunnel, again -> pour(again, calls));
        });
    }
}
