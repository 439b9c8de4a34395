package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.LeakCheck;
import dev.serval.Serval;
import dev.serval.WorkerKind;
import dev.serval.handler.ExecutorKind;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Threads that application code started, and that use the streams of an exchange after its handler
/// returned. Their own response ends at any point. All other responses of the loop stay correct.
@Timeout(240)
final class LateWritersTest {
    private static final int ROUNDS = 250;
    private static final int CLIENTS = 4;
    private static final int WRITERS = 2;

    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofPlatform().daemon().name("writer").factory());
    private final AtomicInteger writing = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> unexpected = new AtomicReference<>();

    static Stream<BlockingServerTest.Mode> modes() {
        return BlockingServerTest.modes();
    }

    @AfterEach
    void end() {
        threads.shutdownNow(); // does not wait: a broken writer would never end
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("modes")
    void lateWritersDoNotChangeLaterResponses(BlockingServerTest.Mode mode) throws Exception {
        Serval server = mode.serve(this::answer, Limits.DEFAULT);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            RawClient client = RawClient.connect(server.addresses().getFirst());
            client.patience(Duration.ofSeconds(30));
            clients.add(client);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < CLIENTS; i++) {
                char own = (char) ('a' + (round + i) % 26);
                clients.get(i).send(post("/late/" + own) + get(round * CLIENTS + i));
            }
            for (int i = 0; i < CLIENTS; i++) {
                char own = (char) ('a' + (round + i) % 26);
                RawResponse late = clients.get(i).answer("POST");
                assertThat(late.status()).isEqualTo(200);
                assertThat(late.text().replace(String.valueOf(own), "")).isEmpty();
                assertThat(clients.get(i).answer().text()).isEqualTo(text(round * CLIENTS + i));
            }
        }
        Await.until("the writers to end", () -> writing.get() == 0);
        assertThat(unexpected).hasValue(null);
        assertThat(server.metrics().sum(Counter.HANDLER_FAULTS)).isZero();
        clients.forEach(RawClient::close);
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @Test
    void handlerReturnWakesThreadThatWaitsForRoom() throws Exception {
        AtomicReference<Throwable> heard = new AtomicReference<>();
        CountDownLatch told = new CountDownLatch(1);
        BlockingServerTest.Mode mode =
                new BlockingServerTest.Mode(WorkerKind.best(), ExecutorKind.WORKER);
        Serval server =
                mode.serve(
                        x -> {
                            AtomicReference<Thread> writer = new AtomicReference<>();
                            threads.execute(() -> {
                                writer.set(Thread.currentThread());
                                try {
                                    while (true) {
                                        x.output().write(new byte[1 << 16]);
                                    }
                                } catch (IOException e) {
                                    heard.set(e);
                                    told.countDown();
                                }
                            });
                            Await.until(
                                    "a writer that waits",
                                    () ->
                                            writer.get() != null
                                                    && writer.get().getState()
                                                            == Thread.State.WAITING
                                                    && waitsForRoom(writer.get()));
                        },
                        Limits.DEFAULT);
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            told.await();
            assertThat(heard.get()).isNotInstanceOf(ExchangeAbortedException.class);
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    /// Returns whether the thread stays in `WAITING` for some time. Then it waits for room, and not
    /// only for the loop.
    private static boolean waitsForRoom(Thread writer) {
        for (int i = 0; i < 50_000; i++) {
            if (writer.getState() != Thread.State.WAITING) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private void answer(BlockingExchange x) throws Exception {
        String path = x.request().target().text();
        if (!path.startsWith("/late/")) {
            x.output()
                    .write(
                            text(Integer.parseInt(path.substring(1)))
                                    .getBytes(StandardCharsets.US_ASCII));
            return;
        }
        byte own = (byte) path.charAt("/late/".length());
        CountDownLatch begun = new CountDownLatch(WRITERS + 1);
        OutputStream out = x.output();
        InputStream in = x.input();
        writing.addAndGet(WRITERS + 1);
        for (int i = 0; i < WRITERS; i++) {
            threads.execute(() -> untilEnd(begun, x, new Pieces(out, own)));
        }
        threads.execute(() -> untilEnd(begun, x, in::read));
        begun.await();
        int spins = ThreadLocalRandom.current().nextInt(20_000);
        for (int i = 0; i < spins; i++) {
            Thread.onSpinWait();
        }
    }

    private interface Call {
        void run() throws IOException;
    }

    /// Repeats the call until the exchange ends. Earlier exceptions do not count, since two threads
    /// use one stream.
    private void untilEnd(CountDownLatch begun, BlockingExchange x, Call call) {
        begun.countDown();
        try {
            while (true) {
                try {
                    call.run();
                } catch (IOException e) {
                    if (x.hasEnded()) {
                        return;
                    }
                }
            }
        } catch (Throwable e) {
            unexpected.compareAndSet(null, e);
        } finally {
            writing.decrementAndGet();
        }
    }

    /// Writes pieces of random length, and flushes some of them. Past a bound it only flushes,
    /// because on a busy machine the handler may return so late that the client could not hold
    /// the answer.
    private static final class Pieces implements Call {
        private static final int MAX_BYTES = 1 << 18;

        private final OutputStream out;
        private final byte own;
        private int written;

        Pieces(OutputStream out, byte own) {
            this.out = out;
            this.own = own;
        }

        @Override
        public void run() throws IOException {
            byte[] piece = new byte[ThreadLocalRandom.current().nextInt(1, 3000)];
            if (written < MAX_BYTES) {
                Arrays.fill(piece, own);
                out.write(piece);
                out.write(own);
                written += piece.length;
            }
            if (piece.length % 7 == 0) {
                out.flush();
            }
        }
    }

    private static String post(String path) {
        return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
    }

    private static String get(int number) {
        return "GET /" + number + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    /// Returns the response of that number, which has none of the letters of late writers.
    private static String text(int number) {
        return ("<" + number + ">").repeat(1 + number % 2000);
    }
}
