package dev.serval.soak.whole;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ServerWatchTest {
    @Test
    void readsTheCountersOfRefusalsOnly() {
        String text =
                """
                # HELP serval_requests_refused_total Requests refused.
                # TYPE serval_requests_refused_total counter
                serval_requests_refused_total{reason="limit"} 3
                serval_head_timeouts_total 12
                serval_requests_total{mount="/",status="2xx"} 1027
                """;
        assertThat(ServerWatch.metrics(text))
                .hasSize(2)
                .containsEntry("requests_refused_total{reason=\"limit\"}", 3L)
                .containsEntry("head_timeouts_total", 12L);
        assertThat(ServerWatch.metrics("")).isEmpty();
    }
}
