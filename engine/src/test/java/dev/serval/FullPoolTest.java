package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.blocking.BlockingExchange;
import dev.serval.blocking.BlockingHandler;
import dev.serval.handler.ExecutorKind;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Checks that application code on the loops continues while calls that do not return occupy every
/// thread of the pool.
@Timeout(120)
final class FullPoolTest {
    private static final int POOL_THREADS = 3;

    @TempDir private Path folder;

    private final CountDownLatch entered = new CountDownLatch(POOL_THREADS);
    private final CountDownLatch parks = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);

    @Test
    void newAndKnownMappingsContinue() throws Exception {
        Assumptions.assumeTrue(WorkerKind.best() == WorkerKind.LOOP);
        List<Path> fifos = new ArrayList<>();
        for (int i = 0; i < POOL_THREADS; i++) {
            fifos.add(fifo("fifo" + i));
        }
        Serval server =
                Serval.builder()
                        .listen(0)
                        .loops(1)
                        .limits(
                                Limits.DEFAULT.with(
                                        draft -> draft.workers.poolThreadsMax = POOL_THREADS))
                        .mount("/hog", BlockingHandler.on(ExecutorKind.WORKER, this::hog))
                        .mount("/known", BlockingHandler.on(ExecutorKind.WORKER, this::known))
                        .mount("/new", BlockingHandler.on(ExecutorKind.WORKER, x -> {}))
                        .start();
        try (RawClient preempted = client(server);
                RawClient known = client(server);
                RawClient fresh = client(server)) {
            for (int i = 0; i < 100; i++) { // the pool carries the first requests of a mapping
                assertThat(ask(known, "/known/ok")).isEqualTo(200);
            }
            send(preempted, "/known/parks");
            parks.await();
            List<RawClient> hogs = new ArrayList<>();
            for (int i = 0; i < POOL_THREADS; i++) {
                RawClient hog = client(server);
                send(hog, "/hog/fifo" + i);
                hogs.add(hog);
            }
            entered.await();

            assertThat(ask(fresh, "/new")).isEqualTo(200);
            assertThat(ask(known, "/known/ok")).isEqualTo(200);
            letGo.countDown();
            assertThat(preempted.answer().status()).isEqualTo(200);

            for (Path one : fifos) {
                Files.newOutputStream(one, StandardOpenOption.WRITE).close();
            }
            for (RawClient hog : hogs) {
                assertThat(hog.answer().status()).isEqualTo(200);
                hog.close();
            }
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    private void hog(BlockingExchange x) throws IOException {
        String name = x.request().target().text().substring("/hog/".length());
        entered.countDown();
        try (InputStream in = new FileInputStream(folder.resolve(name).toFile())) {
            in.read();
        }
    }

    /// Keeps its loop until the loop is preempted, then parks.
    private void known(BlockingExchange x) throws InterruptedException {
        if (!x.request().target().text().endsWith("parks")) {
            return;
        }
        Thread own = Thread.currentThread();
        Await.until("the loop is preempted", () -> own.getName().startsWith("GET /known/parks"));
        parks.countDown();
        letGo.await();
    }

    private static RawClient client(Serval server) {
        RawClient client = RawClient.connect(server.addresses().getFirst());
        client.patience(Duration.ofSeconds(60));
        return client;
    }

    private static int ask(RawClient client, String path) {
        send(client, path);
        return client.answer().status();
    }

    private static void send(RawClient client, String path) {
        client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    private Path fifo(String name) throws IOException, InterruptedException {
        Path fifo = folder.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        return fifo;
    }
}
