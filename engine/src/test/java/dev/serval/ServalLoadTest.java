package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Overload on a whole server, with real sockets and each kind of Worker.
@Timeout(120)
final class ServalLoadTest {
    private static final int CLIENTS = 64;
    private static final int REQUESTS = 10; // of each client
    private static final long SPIN_NANOS = 5_000_000;
    private static final long WAIT_NANOS = 20_000_000;
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final Handler GREETING =
            x ->
                    x.response()
                            .send(
                                    new ResponseHead(Status.OK, Fields.EMPTY, HELLO.length),
                                    Body.Bytes.of(HELLO));

    private final Queue<RawResponse> answers = new ConcurrentLinkedQueue<>();

    @ParameterizedTest
    @EnumSource(WorkerKind.class)
    void eachRequestIsServedOrRefusedAndCounted(WorkerKind kind) throws Exception {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.load.forced = LoadMode.HEAVY;
                    draft.load.heavy = draft.load.heavy.withWaitNanos(WAIT_NANOS, WAIT_NANOS);
                });
        try (Serval server = start(kind, limits)) {
            CountDownLatch begin = new CountDownLatch(1);
            try (ExecutorService clients = Executors.newCachedThreadPool()) {
                for (int i = 0; i < CLIENTS; i++) {
                    clients.execute(() -> ask(server, begin));
                }
                begin.countDown();
            }
            long served = answers.stream().filter(each -> each.status() == 200).count();
            long refused = answers.stream().filter(each -> each.status() == 503).count();
            assertThat(served).isPositive();
            assertThat(refused).isPositive();
            assertThat(served + refused).isEqualTo((long) CLIENTS * REQUESTS);
            assertThat(answers)
                    .allMatch(each ->
                            each.status() == 200
                                    || each.fields().stream()
                                            .anyMatch(
                                                    f -> f.name().equalsIgnoreCase("Retry-After")));
            assertThat(server.metrics().sum(Counter.REQUESTS_REFUSED_LOAD)).isEqualTo(refused);
            assertThat(server.metrics().sums(LabelledCounter.REFUSALS))
                    .containsEntry("requests_refused_load", refused);
            assertThat(RawClient.get(server.addresses().getFirst(), "/file").text())
                    .isEqualTo("hello");
            server.limits(limits.with(draft -> draft.load.forced = null));
            Await.until(
                    "the load is seen to have ended", () -> server.load().mode() == LoadMode.LIGHT);
        }
    }

    private void ask(Serval server, CountDownLatch begin) {
        Await.open("all clients begin", begin);
        for (int i = 0; i < REQUESTS; i++) {
            answers.add(RawClient.get(server.addresses().getFirst(), "/page"));
        }
    }

    private static Serval start(WorkerKind kind, Limits limits) throws IOException {
        return Serval.builder()
                .listen(0)
                .loops(1)
                .limits(limits)
                .workers(kind)
                .mount("/file", GREETING)
                .mount(
                        "/page",
                        x ->
                                x.run(
                                        ExecutorKind.WORKER,
                                        () -> {
                                            spin();
                                            return GREETING;
                                        }))
                .start();
    }

    private static void spin() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < SPIN_NANOS) {
            Thread.onSpinWait();
        }
    }
}
