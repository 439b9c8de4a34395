package dev.serval.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.handler.Fault;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Samples of a running server, with a clock of the test.
final class SamplerTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void momentHasWhatHappenedSinceTheOneBefore() throws Exception {
        try (Serval server =
                        Serval.listen(0)
                                .mount("/a", x -> x.response().abort(Fault.APPLICATION))
                                .mount("/own", x -> x.response().abort(Fault.APPLICATION))
                                .start();
                Sampler sampler =
                        new Sampler(
                                server,
                                "/own",
                                InstantSource.fixed(Instant.ofEpochSecond(7)),
                                nanos::get)) {
            ask(server, "/a");
            ask(server, "/own");
            ask(server, "/none");
            Await.until( // they are counted after their answers were sent
                    "the times of both",
                    () -> server.metrics().totals("/own").times().count() == 2);
            nanos.set(2 * SECOND);
            sampler.sample();
            Moment first = sampler.history().read().getFirst();
            assertThat(first.epochMillis()).isEqualTo(7_000);
            assertThat(first.seconds()).isEqualTo(2);
            assertThat(first.requests()).isEqualTo(2);
            assertThat(first.failures()).isEqualTo(1);
            assertThat(first.p99Nanos()).isPositive();
            assertThat(first.heapBytes()).isPositive();
            nanos.set(3 * SECOND);
            sampler.sample();
            Moment second = sampler.history().read().getLast();
            assertThat(second.seconds()).isEqualTo(1);
            assertThat(second.requests()).isZero();
            assertThat(second.p99Nanos()).isZero();
        }
    }

    @Test
    void refusalsAreThoseSinceTheMomentBefore() throws Exception {
        Limits two =
                Limits.DEFAULT.with(draft -> {
                    draft.rate.requests = 2;
                    draft.rate.perNanos = 3_600 * SECOND;
                    draft.rate.burst = 2;
                });
        try (Serval server =
                        Serval.listen(0)
                                .limits(two)
                                .mount("/a", x -> x.response().abort(Fault.APPLICATION))
                                .start();
                Sampler sampler = new Sampler(server, "/own", InstantSource.system(), nanos::get)) {
            List<Long> refusals = new ArrayList<>();
            List<Long> failures = new ArrayList<>();
            for (int requests : new int[] {5, 1, 0}) {
                for (int i = 0; i < requests; i++) {
                    ask(server, "/a");
                }
                nanos.addAndGet(SECOND);
                sampler.sample();
                refusals.add(sampler.history().read().getLast().refusals());
                failures.add(sampler.history().read().getLast().failures());
            }
            assertThat(refusals).containsExactly(3L, 1L, 0L);
            assertThat(failures).as("429 is no 5xx").containsExactly(2L, 0L, 0L);
        }
    }

    private static void ask(Serval server, String path) {
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            var _ = client.exchange("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        }
    }
}
