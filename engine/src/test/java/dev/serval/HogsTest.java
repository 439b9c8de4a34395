package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Checks that application code that keeps its thread, in any way, does not block others on its
/// loop. The test shows this by order: other requests are answered before the first hog is
/// released.
@Timeout(120)
final class HogsTest {
    private static final int FILES = 10_000;
    private static final int SLEEPERS = 400;
    private static final int FIRST_REQUESTS = 50; // the pool carries them
    private static final ResponseHead OK = new ResponseHead(Status.OK, Fields.EMPTY, 2);
    private static final Handler ANSWER =
            x -> x.response().send(OK, Body.Bytes.of(new byte[] {'o', 'k'}));

    private static final CountDownLatch INITIALISED = new CountDownLatch(1);
    private static final CountDownLatch INITIALISING = new CountDownLatch(1);

    @TempDir private Path folder;

    private final CountDownLatch letGo = new CountDownLatch(1);
    private final AtomicInteger ended = new AtomicInteger();
    private final Phaser entered = new Phaser(1);
    private final List<RawClient> clients = new ArrayList<>();
    private volatile boolean spins = true;

    /// A class whose initialiser blocks.
    private static final class Slow {
        static final int VALUE = slowly();

        private static int slowly() {
            INITIALISING.countDown();
            awaitQuietly(INITIALISED);
            return 1;
        }
    }

    @Test
    void applicationCodeThatKeepsItsLoopBlocksNoOtherRequest() throws Exception {
        Path fifo = fifo("fifo");
        Path nativeFifo = fifo("native");
        Files.write(folder.resolve("file.txt"), "of a file".getBytes(StandardCharsets.US_ASCII));
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(1)
                        .mount("/", Folder.of(folder))
                        .mount("/app", x -> hog(x, fifo, nativeFifo))
                        .start();
        warmUp(server);
        List<String> hogs = List.of("spin", "native", "initialiser", "fifo", "lock");
        for (String hog : hogs) {
            entered.register();
            ask(server, "/app/" + hog);
            entered.arriveAndAwaitAdvance();
        }
        for (int i = 0; i < SLEEPERS; i++) {
            ask(server, "/app/sleep");
        }
        askForFiles(server);
        assertThat(ended).as("hogs that ended").hasValue(0);
        assertThat(server.preemptions()).isGreaterThanOrEqualTo(hogs.size() - 1);

        Await.until("all Workers are seen", () -> seesAll(server, hogs.size()));
        assertThat(server.workerViews())
                .extracting(WorkerView::name)
                .anyMatch(name -> name.matches("GET /app/spin, connection \\d+"));

        spins = false;
        INITIALISED.countDown();
        letGo.countDown();
        for (Path one : List.of(fifo, nativeFifo)) {
            Files.newOutputStream(one, StandardOpenOption.WRITE).close();
        }
        for (RawClient client : clients) {
            assertThat(client.answer().status()).isEqualTo(200);
            client.close();
        }
        Await.until("kept threads", () -> server.keptThreads() == 0);
        assertThat(server.workers()).isZero();
        server.close();
        LeakCheck.nothingHeld(server);
    }

    private static boolean seesAll(Serval server, int hogs) {
        try {
            List<WorkerView> views = server.workerViews();
            long parked = views.stream().filter(v -> v.state() == WorkerView.State.PARKED).count();
            return views.size() == hogs + SLEEPERS && parked >= SLEEPERS;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The loop learns that the request is long, although another thread carries its end.
    @Test
    void preemptedPartCountsAsWork() throws Exception {
        Mapping mapping = new Mapping("spin");
        Route route = new Route("/", List.of(x -> hog(x, folder, folder)), mapping);
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(1)
                        .mount("/app", x -> EngineExchange.of(x).enter(route))
                        .mount("/other", ANSWER)
                        .start();
        for (int i = 0; i < FIRST_REQUESTS; i++) { // carried by the pool
            assertThat(RawClient.get(server.addresses().getFirst(), "/app/ok").status())
                    .isEqualTo(200);
        }
        assertThat(mapping.at(0).workNanos()).isZero();
        entered.register();
        ask(server, "/app/spin");
        entered.arriveAndAwaitAdvance();
        assertThat(RawClient.get(server.addresses().getFirst(), "/other").status()).isEqualTo(200);
        spins = false;
        assertThat(clients.getFirst().answer().status()).isEqualTo(200);
        Await.until("its work is known", () -> mapping.at(0).workNanos() >= 2_000_000);
        clients.forEach(RawClient::close);
        server.close();
    }

    @Test
    void refusesApplicationCodeButServesFilesWithoutKeptThreads() throws Exception {
        Files.write(folder.resolve("file.txt"), "of a file".getBytes(StandardCharsets.US_ASCII));
        Limits most = Limits.DEFAULT.with(draft -> draft.workers.keptThreadsMax = 2);
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(1)
                        .limits(most)
                        .mount("/", Folder.of(folder))
                        .mount("/app", x -> hog(x, folder, folder))
                        .start();
        warmUp(server);
        ask(server, "/app/sleep"); // starts before the hogs and continues after them
        for (int i = 0; i < 2; i++) {
            entered.register();
            ask(server, "/app/spin");
            entered.arriveAndAwaitAdvance();
        }
        Await.until("kept threads", () -> server.keptThreads() == 2);
        try (RawClient refused = RawClient.connect(server.addresses().getFirst())) {
            Await.until(
                    "a refusal",
                    () ->
                            refused.send("GET /app/ok HTTP/1.1\r\nHost: a\r\n\r\n")
                                            .answer()
                                            .status()
                                    == 503);
        }
        assertThat(server.metrics().sum(Counter.REQUESTS_REFUSED_WORKER)).isPositive();
        askForFiles(server);
        letGo.countDown(); // the pool carries the sleeper
        assertThat(clients.getFirst().answer().status()).isEqualTo(200);
        assertThat(ended).hasValue(1);

        spins = false;
        for (RawClient client : clients.subList(1, 3)) {
            assertThat(client.answer().status()).isEqualTo(200);
        }
        try (RawClient again = RawClient.connect(server.addresses().getFirst())) {
            Await.until(
                    "an answer",
                    () ->
                            again.send("GET /app/ok HTTP/1.1\r\nHost: a\r\n\r\n").answer().status()
                                    == 200);
        }
        clients.forEach(RawClient::close);
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @Test
    void stopInterruptsSleepersAndAbandonsSpinners() throws Exception {
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(2)
                        .mount("/app", x -> hog(x, folder, folder))
                        .start();
        warmUp(server);
        entered.register();
        ask(server, "/app/spin");
        entered.arriveAndAwaitAdvance();
        ask(server, "/app/hour");
        Await.until("Workers", () -> server.workers() == 2);
        server.stop(Duration.ZERO); // returns although one Worker spins
        Await.until("the sleeper has ended", () -> ended.get() == 1);
        spins = false;
        Await.until(
                "threads", () -> server.carriers().threads().stream().noneMatch(Thread::isAlive));
        clients.forEach(RawClient::close);
    }

    @Test
    void everyKindOfThreadAnswers() throws Exception {
        for (WorkerKind kind : WorkerKind.values()) {
            Serval server =
                    Serval.builder()
                            .listen(0)
                            .loops(1)
                            .workers(kind)
                            .mount("/app", x -> hog(x, folder, folder))
                            .start();
            warmUp(server);
            assertThat(server.workers()).isZero();
            server.close();
            LeakCheck.nothingHeld(server);
        }
    }

    private void hog(Exchange x, Path fifo, Path nativeFifo) {
        String what = x.request().target().text().substring("/app/".length());
        x.run(
                ExecutorKind.WORKER,
                () -> {
                    if (what.equals("ok")) {
                        return ANSWER;
                    }
                    try {
                        keep(what, fifo, nativeFifo);
                    } finally {
                        ended.incrementAndGet();
                    }
                    return ANSWER;
                });
    }

    private void keep(String what, Path fifo, Path nativeFifo) throws Exception {
        switch (what) {
            case "spin" -> {
                entered.arriveAndDeregister();
                while (spins) {
                    Thread.onSpinWait();
                }
            }
            case "sleep" -> letGo.await();
            case "hour" -> new CountDownLatch(1).await(); // never counted down
            case "native" -> {
                entered.arriveAndDeregister();
                openNatively(nativeFifo);
            }
            case "initialiser" -> {
                entered.arriveAndDeregister();
                assertThat(Slow.VALUE).isEqualTo(1);
            }
            case "fifo" -> {
                entered.arriveAndDeregister();
                try (InputStream in = new FileInputStream(fifo.toFile())) {
                    in.read();
                }
            }
            case "lock" -> {
                synchronized (this) {
                    entered.arriveAndDeregister();
                    letGo.await();
                }
            }
            default -> throw new IllegalArgumentException(what);
        }
    }

    /// Sends the first requests of a mapping, which the pool carries. The test needs the later
    /// ones.
    private static void warmUp(Serval server) {
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            for (int i = 0; i < 4 * FIRST_REQUESTS; i++) {
                client.send("GET /app/ok HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(client.answer().status()).isEqualTo(200);
            }
        }
    }

    private void ask(Serval server, String path) {
        RawClient client = RawClient.connect(server.addresses().getFirst());
        client.patience(Duration.ofSeconds(60));
        client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        clients.add(client);
    }

    private static void askForFiles(Serval server) {
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.patience(Duration.ofSeconds(60));
            String requests = "GET /file.txt HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100);
            for (int i = 0; i < FILES / 100; i++) {
                client.send(requests);
                for (int answer = 0; answer < 100; answer++) {
                    assertThat(client.answer().status()).isEqualTo(200);
                }
            }
        }
    }

    private Path fifo(String name) throws IOException, InterruptedException {
        Path fifo = folder.resolve(name);
        Process made = new ProcessBuilder("mkfifo", fifo.toString()).start();
        assertThat(made.waitFor()).isZero();
        return fifo;
    }

    /// Blocks in a system call until the test writes to the FIFO.
    @SuppressWarnings("restricted") // the test blocks in the foreign-function API
    private static void openNatively(Path fifo) throws Exception {
        Linker linker = Linker.nativeLinker();
        MethodHandle open =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("open"),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                        Linker.Option.firstVariadicArg(2));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom(fifo.toString());
            assertThat((int) open.invokeExact(path, 0)).isPositive();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
