package dev.serval.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MetricsTest {
    @Test
    void sumsItsColumns() {
        Metrics metrics = new Metrics();
        Metrics.Column one = metrics.column();
        Metrics.Column two = metrics.column();
        one.count(Counter.REQUESTS);
        two.add(Counter.REQUESTS, 5);
        two.count(Counter.BYTES_OUT);
        assertThat(metrics.sum(Counter.REQUESTS)).isEqualTo(6);
        assertThat(one.get(Counter.REQUESTS)).isEqualTo(1);
        assertThat(metrics.sum(Counter.BYTES_OUT)).isEqualTo(1);
        assertThat(metrics.sum(Counter.BYTES_IN)).isZero();
    }

    @Test
    void losesNoCountIfEachThreadHasItsColumn() throws InterruptedException {
        Metrics metrics = new Metrics();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Metrics.Column column = metrics.column();
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int n = 0; n < 10_000; n++) {
                                    column.count(Counter.REQUESTS);
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(metrics.sum(Counter.REQUESTS)).isEqualTo(40_000);
    }
}
