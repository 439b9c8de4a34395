package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.ExecutorKind;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.Connection;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Application code whose exchange is aborted, whose thread is interrupted, or that throws, in each
/// state, in memory. The code must be notified, and all that was lent must come back. The leak
/// check at the end of each server is half of this test.
final class BlockingAbortTest {
    private static final String POST =
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n";
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int FIRST_REQUESTS = 50; // of a mapping, which the pool carries

    private final List<String> seen = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /// What application code does when the exchange ends.
    enum State {
        /// Waits for something else, with nothing committed.
        BUSY {
            @Override
            void enter(BlockingExchange x) throws IOException {
                x.output().write(new byte[100]);
                LockSupport.park();
                x.output().flush();
            }
        },
        /// Waits for something else after the head was sent.
        BUSY_COMMITTED {
            @Override
            void enter(BlockingExchange x) throws IOException {
                x.output().write(new byte[100]);
                x.output().flush();
                LockSupport.park();
                x.output().write(new byte[100]);
                x.output().flush();
            }
        },
        /// Waits for content.
        READING {
            @Override
            void enter(BlockingExchange x) throws IOException {
                x.input().readNBytes(20_000);
            }
        },
        /// Waits for content after the head was sent.
        READING_COMMITTED {
            @Override
            void enter(BlockingExchange x) throws IOException {
                x.output().flush();
                x.input().readNBytes(20_000);
            }
        },
        /// Waits for room.
        WRITING {
            @Override
            void enter(BlockingExchange x) throws IOException {
                x.output().write(new byte[1_000_000]);
            }
        },
        /// Waits for room, with a buffer that the engine keeps until it is sent.
        WRITING_MUCH {
            @Override
            void enter(BlockingExchange x) throws IOException {
                x.bufferAtLeast(100_000);
                x.output().write(new byte[1_000_000]);
            }
        };

        abstract void enter(BlockingExchange x) throws IOException;

        boolean isCommitted() {
            return this != BUSY && this != READING;
        }
    }

    /// A way to end the exchange.
    record End(String name, BiConsumer<MemoryServer, MemoryPeer> action) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> statesAndEnds() {
        List<End> ends =
                List.of(
                        new End("client resets", (_, client) -> client.reset()),
                        new End(
                                "server aborts",
                                (server, _) -> server.net().forEach(Connection::abort)),
                        new End(
                                "deadline passes",
                                (server, _) -> server.pass(Duration.ofSeconds(4))));
        return Stream.of(State.values()).flatMap(s -> ends.stream().map(e -> Arguments.of(s, e)));
    }

    @ParameterizedTest
    @MethodSource("statesAndEnds")
    void abortWakesWaitingCode(State state, End end) {
        try (MemoryServer server = serve(state)) {
            MemoryPeer client = enter(server);
            end.action.accept(server, client);
            server.run();
            LockSupport.unpark(threads.getFirst());
            server.awaitWorkers();
            String fault =
                    switch (end.name) {
                        case "client resets" -> "PEER_GONE";
                        case "server aborts" -> "SHUTDOWN";
                        default -> "TIMEOUT";
                    };
            assertThat(seen).containsExactly(fault);
            assertThat(server.count(Counter.HANDLER_FAULTS)).isZero();
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void interruptWakesWaitingCodeAndBreaksTheStream(State state) {
        try (MemoryServer server = serve(state)) {
            MemoryPeer client = enter(server);
            threads.getFirst().interrupt();
            server.run();
            assertThat(seen).containsExactly("interrupted true");
            client.window(Long.MAX_VALUE);
            server.run();
            String answer = client.takeText();
            if (state.isCommitted()) {
                assertThat(answer).doesNotContain("0\r\n\r\n");
                assertThat(client.isClosed()).isTrue();
            } else {
                assertThat(answer).startsWith("HTTP/1.1 500 ");
            }
            assertThat(server.count(Counter.HANDLER_FAULTS))
                    .isEqualTo(1); // not interrupted by the server
        }
    }

    @Test
    void oneBrokenStreamDoesNotBreakTheOther() {
        try (MemoryServer server =
                serve(x -> {
                    threads.add(Thread.currentThread());
                    assertThat(x.input().readNBytes(4)).hasSize(4);
                    assertThatThrownBy(() -> x.input().read())
                            .isInstanceOf(InterruptedIOException.class);
                    assertThat(Thread.interrupted()).isTrue();
                    assertThatThrownBy(() -> x.input().read())
                            .isInstanceOf(IOException.class)
                            .isNotInstanceOf(InterruptedIOException.class);
                    x.output().write("still here".getBytes(StandardCharsets.US_ASCII));
                })) {
            MemoryPeer client = enter(server);
            threads.getFirst().interrupt();
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("still here");
        }
    }

    @Test
    void interruptedThreadMayMakeCallsThatNeedNotWait() {
        try (MemoryServer server =
                serve(x -> {
                    Thread.currentThread().interrupt();
                    x.input().read();
                    x.output().write(new byte[100]);
                    x.output().close();
                    seen.add("interrupted " + Thread.currentThread().isInterrupted());
                })) {
            MemoryPeer client = server.connect();
            client.send(POST.replace("20000", "1") + "a");
            server.run();
            assertThat(client.takeText()).contains("Content-Length: 100\r\n");
        }
        assertThat(seen).containsExactly("interrupted true");
    }

    @Test
    void interruptedThreadDoesNotWait() {
        try (MemoryServer server =
                serve(x -> {
                    x.output().write(new byte[100]);
                    Thread.currentThread().interrupt();
                    assertThatThrownBy(() -> x.output().flush())
                            .isInstanceOf(InterruptedIOException.class);
                    assertThat(Thread.interrupted()).isTrue();
                    assertThatThrownBy(() -> x.output().write(1)).isInstanceOf(IOException.class);
                    x.output().close();
                })) {
            assertThat(server.ask(server.connect(), POST)).startsWith("HTTP/1.1 500 ");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"BUSY", "BUSY_COMMITTED"})
    void exceptionIsAnswered500OrEndsTheConnection(State state) {
        try (MemoryServer server =
                serve(x -> {
                    x.output().write(new byte[100]);
                    if (state.isCommitted()) {
                        x.output().flush();
                    }
                    throw new Exception("meant");
                })) {
            MemoryPeer client = server.connect();
            String answer = server.ask(client, POST);
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
            if (state.isCommitted()) {
                assertThat(client.isClosed()).isTrue();
                assertThat(answer).doesNotContain("\r\n0\r\n");
            } else {
                assertThat(answer).startsWith("HTTP/1.1 500 ");
            }
        }
    }

    @Test
    void endedResponseIsSentThoughItsHandlerThenThrows() {
        try (MemoryServer server =
                serve(x -> {
                    x.output().write("whole".getBytes(StandardCharsets.US_ASCII));
                    x.output().close();
                    throw new IOException("meant");
                })) {
            assertThat(server.ask(server.connect(), POST))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\nwhole");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void exceptionOfHeadSupplierIsAnswered500() {
        try (MemoryServer server =
                serve(x ->
                        x.head(() -> {
                            throw new IllegalStateException("meant");
                        }))) {
            assertThat(server.ask(server.connect(), POST)).startsWith("HTTP/1.1 500 ");
        }
    }

    @Test
    void streamsAreClosedAfterTheirHandlerReturned() {
        List<BlockingExchange> kept = new ArrayList<>();
        try (MemoryServer server = serve(kept::add)) {
            MemoryPeer client = server.connect();
            client.send(POST.replace("20000", "1") + "a");
            server.run();
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            server.run();
            client.clear();
            BlockingExchange old = kept.getFirst();
            assertThatThrownBy(() -> old.output().write(1)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> old.input().read()).isInstanceOf(IOException.class);
            old.end(Fields.EMPTY);
            server.run();
            assertThat(client.length()).isZero();
        }
    }

    @Test
    void drainLetsWritersFinish() {
        try (MemoryServer server = serve(State.WRITING)) {
            MemoryPeer client = server.connect();
            client.window(30_000);
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            server.run();
            server.drain();
            client.window(Long.MAX_VALUE);
            server.run();
            server.pass(Duration.ofSeconds(1));
            assertThat(client.text()).endsWith("\r\n0\r\n\r\n");
            assertThat(client.sawEnd()).isTrue();
            assertThat(server.log()).containsExactly("GET / 200 1000000");
        }
    }

    @Test
    void clientThatReadsNothingTimesOut() {
        try (MemoryServer server = serve(State.WRITING, Limits.DEFAULT)) {
            enter(server);
            server.pass(Duration.ofSeconds(40));
            assertThat(seen).containsExactly("TOO_SLOW");
        }
    }

    @Test
    void tooMuchContentEndsTheConnection() {
        try (MemoryServer server =
                serve(x -> {
                    x.head(new ResponseHead(Status.OK, Fields.EMPTY, 50));
                    State.WRITING.enter(x);
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, POST);
            assertThat(client.sawEnd()).isTrue();
        }
    }

    private MemoryPeer enter(MemoryServer server) {
        MemoryPeer client = server.connect();
        client.window(30_000);
        client.send(POST + "some");
        server.run();
        assertThat(threads).hasSize(1);
        assertThat(seen).isEmpty();
        return client;
    }

    private MemoryServer serve(State state) {
        return serve(
                state,
                Limits.DEFAULT.with(
                        draft -> draft.pace.exchangeNanos = Duration.ofSeconds(3).toNanos()));
    }

    private MemoryServer serve(State state, Limits limits) {
        return MemoryServer.of(
                BlockingHandler.on(
                        ExecutorKind.WORKER,
                        x -> {
                            threads.add(Thread.currentThread());
                            try {
                                state.enter(x);
                            } catch (ExchangeAbortedException e) {
                                seen.add(e.fault().name());
                                assertThat(x.fault()).isEqualTo(e.fault());
                                throw e;
                            } catch (InterruptedIOException e) {
                                seen.add("interrupted " + Thread.currentThread().isInterrupted());
                                throw e;
                            }
                        }),
                limits);
    }

    private static MemoryServer serve(BlockingHandler handler) {
        return MemoryServer.of(BlockingHandler.on(ExecutorKind.WORKER, handler));
    }

    @Test
    void disconnectIsNoFaultThoughTheHandlerClosesItsResponse() {
        try (MemoryServer server =
                serve(x -> {
                    try (OutputStream out = x.output()) {
                        out.write(x.input().readAllBytes());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })) {
            MemoryPeer client = server.connect();
            client.send(POST);
            server.run();
            client.reset();
            server.awaitWorkers();
            assertThat(server.count(Counter.WORKERS_ENDED)).isEqualTo(1);
            assertThat(server.count(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    /// The loop carries the thread again before it closes the connection, because others wait to be
    /// carried, too.
    @Test
    void disconnectIsNoFaultThoughTheThreadEndsBeforeTheConnection() {
        List<MemoryPeer> clients = new ArrayList<>();
        try (MemoryServer server =
                serve(x -> {
                    if (clients.isEmpty()) {
                        return;
                    }
                    threads.add(Thread.currentThread());
                    LockSupport.park();
                    if (x.request().contentLength() > 0) {
                        x.onAbort(() -> seen.add("told"));
                        assertThat(x.input().readNBytes(4)).hasSize(4);
                        clients.getFirst().reset();
                        readLost(x);
                    }
                })) {
            MemoryPeer first = server.connect();
            for (int i = 0; i <= FIRST_REQUESTS; i++) {
                server.ask(first, GET);
            }
            clients.add(server.connect());
            server.ask(clients.getFirst(), POST + "some");
            server.ask(server.connect(), GET);
            threads.forEach(LockSupport::unpark);
            server.awaitWorkers();
            assertThat(seen).containsExactly("PEER_GONE", "told");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isZero();
            assertThat(server.count(Counter.PEERS_GONE)).isEqualTo(1);
            assertThat(server.admission().exchanges()).isZero();
            assertThat(server.log()).endsWith("POST / 0 0");
        }
    }

    private void readLost(BlockingExchange x) throws IOException {
        try {
            seen.add("read " + x.input().read());
        } catch (ExchangeAbortedException e) {
            seen.add(e.fault().name());
            throw new UncheckedIOException(e); // as application code may
        }
    }

    @Test
    void methodsOfAnExceptionNeverRunOnTheLoop() {
        List<Thread> callers = new CopyOnWriteArrayList<>();
        try (MemoryServer server =
                serve(x -> {
                    x.end(Fields.EMPTY);
                    throw new IllegalStateException("after the end") {
                        private static final long serialVersionUID = 1;

                        @Override
                        public synchronized @Nullable Throwable getCause() {
                            if (isCalledBy("BlockingTask")) { // not by the log
                                callers.add(Thread.currentThread());
                            }
                            return null;
                        }
                    };
                })) {
            server.connect().send(POST);
            server.run();
            server.awaitWorkers();
            // the loop of a MemoryServer runs on this thread
            assertThat(callers).isNotEmpty().doesNotContain(Thread.currentThread());
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    private static boolean isCalledBy(String type) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith(type)));
    }
}
