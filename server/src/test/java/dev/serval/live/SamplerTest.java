package dev.serval.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.handler.Fault;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
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
            Moment first = sampler.histories().of(Span.TEN_MINUTES).read().getFirst();
            assertThat(first.epochMillis()).isEqualTo(7_000);
            assertThat(first.seconds()).isEqualTo(2);
            assertThat(first.requests()).isEqualTo(2);
            assertThat(first.failures()).isEqualTo(1);
            assertThat(first.p99Nanos()).isPositive();
            assertThat(first.state().heapBytes()).isPositive();
            nanos.set(3 * SECOND);
            sampler.sample();
            Moment second = sampler.histories().of(Span.TEN_MINUTES).read().getLast();
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
                refusals.add(sampler.histories().of(Span.TEN_MINUTES).read().getLast().refusals());
                failures.add(sampler.histories().of(Span.TEN_MINUTES).read().getLast().failures());
            }
            assertThat(refusals).containsExactly(3L, 1L, 0L);
            assertThat(failures).as("429 is no 5xx").containsExactly(2L, 0L, 0L);
        }
    }

    @Test
    void longerSpansHaveTheSumsAndTheLargestValuesOfTheirPeriod() throws Exception {
        try (Serval server =
                        Serval.listen(0)
                                .mount("/a", x -> x.response().abort(Fault.APPLICATION))
                                .start();
                Sampler sampler = new Sampler(server, "/own", InstantSource.system(), nanos::get)) {
            History hour = sampler.histories().of(Span.HOUR);
            for (int i = 0; i < 2 * Span.HOUR.periodSeconds() - 1; i++) {
                if (i < 3) {
                    ask(server, "/a");
                    long ended = i + 1L;
                    Await.until(
                            "it has ended",
                            () -> server.metrics().totals("/own").requests() == ended);
                }
                server.forceLoad(i == 4 ? LoadMode.CRITICAL : null);
                nanos.addAndGet(SECOND);
                sampler.sample();
            }
            assertThat(hour.read()).hasSize(1);
            Moment first = hour.read().getFirst();
            assertThat(first.requests()).isEqualTo(3);
            assertThat(first.failures()).isEqualTo(3);
            assertThat(first.seconds()).isEqualTo(Span.HOUR.periodSeconds());
            assertThat(first.state().mode()).isEqualTo(LoadMode.CRITICAL);
            sampler.sample();
            assertThat(hour.read()).hasSize(2);
            assertThat(hour.read().getLast().requests()).isZero();
            assertThat(hour.read().getLast().state().mode()).isEqualTo(LoadMode.LIGHT);
            assertThat(sampler.histories().of(Span.DAY).read()).isEmpty();
        }
    }

    private static void ask(Serval server, String path) {
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            var _ = client.exchange("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
        }
    }
}
