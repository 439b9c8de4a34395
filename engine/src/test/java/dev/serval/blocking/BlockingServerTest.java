package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.WorkerKind;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.SocketWire;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Application code that blocks, over sockets, on each kind of thread: carried by the loops, by the
/// JDK's scheduler, by platform threads, and on ExecutorKind.BLOCKING.
@Timeout(240)
final class BlockingServerTest {
    private static final int PIECE = 64 << 10;
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    /// What carries application code.
    record Mode(WorkerKind kind, ExecutorKind executor) {
        Serval serve(BlockingHandler handler, Limits limits) throws IOException {
            Handler mounted = BlockingHandler.on(executor, handler);
            return Serval.builder()
                    .listen(0)
                    .loops(1)
                    .workers(kind)
                    .limits(limits)
                    .mount("/", mounted)
                    .start();
        }
    }

    static Stream<Mode> modes() {
        List<Mode> modes = new ArrayList<>();
        for (WorkerKind kind : WorkerKind.values()) {
            if (kind != WorkerKind.LOOP || WorkerKind.loopRefusal() == null) {
                modes.add(new Mode(kind, ExecutorKind.WORKER));
            }
        }
        modes.add(new Mode(WorkerKind.best(), ExecutorKind.BLOCKING));
        return modes.stream();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void echoIsComplete(Mode mode) throws Exception {
        // A gigabyte on the best kind of thread; less on the others, to save time.
        boolean best = mode.kind == WorkerKind.best() && mode.executor == ExecutorKind.WORKER;
        long length = best ? 1L << 30 : 64L << 20;
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = length);
        Serval server = mode.serve(BlockingServerTest::echo, limits);
        try (Caller caller = Caller.http1(SocketWire.connect(server.addresses().getFirst()))) {
            Call echo = caller.call(Call.Ask.post("/", length)).expectPattern();
            caller.awaitEnd(echo.sendPattern(length).finish());
            assertThat(echo.isWhole()).isTrue();
            assertThat(echo.length()).isEqualTo(length);
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void eachOfManyRequestsGetsItsOwnResponse(Mode mode) throws Exception {
        Serval server =
                mode.serve(
                        x -> {
                            byte[] all = x.input().readAllBytes();
                            x.output().write(all);
                            if (all.length % 3 == 0) {
                                x.output().flush();
                            }
                            x.output().write(all);
                        },
                        Limits.DEFAULT);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(RawClient.connect(server.addresses().getFirst()));
        }
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < clients.size(); i++) {
                String content = text(round, i);
                clients.get(i).send(post(content.length()) + content);
            }
            for (int i = 0; i < clients.size(); i++) {
                assertThat(clients.get(i).answer("POST").text())
                        .isEqualTo(text(round, i).repeat(2));
            }
        }
        clients.forEach(RawClient::close);
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void resetAbortsWriter(Mode mode) throws Exception {
        AtomicReference<IOException> heard = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(1);
        Serval server =
                mode.serve(
                        x -> {
                            try {
                                for (int i = 0; i < 100_000; i++) {
                                    x.output().write(new byte[PIECE]);
                                }
                            } catch (IOException e) {
                                heard.set(e);
                                throw e;
                            } finally {
                                done.countDown();
                            }
                        },
                        Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(GET);
            client.until("\r\n\r\n");
            client.reset();
        }
        Await.open("the end of the writer", done);
        assertThat(heard.get()).isInstanceOf(ExchangeAbortedException.class);
        Await.until("the exchange's end", () -> server.connections() == 0);
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void stopEndsWaitingWriters(Mode mode) throws Exception {
        AtomicReference<IOException> heard = new AtomicReference<>();
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        Serval server =
                mode.serve(
                        x -> {
                            writing.countDown();
                            try {
                                x.output().write(new byte[100 << 20]);
                            } catch (IOException e) {
                                heard.set(e);
                                throw e;
                            } finally {
                                done.countDown();
                            }
                        },
                        Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(GET);
            Await.open("the writer", writing);
            client.until("\r\n\r\n"); // and takes no more
            server.stop(Duration.ZERO);
        }
        Await.open("the end of the writer", done);
        assertThat(heard.get())
                .isInstanceOfAny(ExchangeAbortedException.class, InterruptedIOException.class);
        LeakCheck.nothingHeld(server);
    }

    /// Sends more requests than there are threads, so that some wait for one when the server stops.
    @Test
    void stopDropsRequestsThatWaitForAThread() throws Exception {
        AtomicInteger began = new AtomicInteger();
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(1)
                        .mount(
                                "/",
                                BlockingHandler.on(
                                        ExecutorKind.BLOCKING,
                                        x -> {
                                            began.incrementAndGet();
                                            new CountDownLatch(1).await(); // never opened
                                        }))
                        .start();
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            clients.add(RawClient.connect(server.addresses().getFirst()));
            clients.getLast().send(GET);
        }
        Await.until("64 on threads", () -> began.get() == 64);
        Await.until(
                "all of them begun",
                () -> server.metrics().sum(Counter.REQUESTS) == clients.size());
        server.close();
        LeakCheck.nothingHeld(server);
        assertThat(began).hasValue(64);
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        clients.forEach(RawClient::close);
    }

    private static void echo(BlockingExchange x) throws IOException {
        x.head(new ResponseHead(Status.OK, Fields.EMPTY, x.request().contentLength()));
        byte[] some = new byte[16 << 10];
        for (int n = x.input().read(some); n >= 0; n = x.input().read(some)) {
            x.output().write(some, 0, n);
        }
    }

    private static String text(int round, int client) {
        return ("round " + round + ", client " + client + "; ").repeat(1 + client * client);
    }

    private static String post(long length) {
        return "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n";
    }
}
