package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.control.Commands.Answer;
import dev.serval.metrics.EndedRequest;
import dev.serval.metrics.RequestPhase;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The lines of `serval status` about requests that have ended.
final class StatusRequestsTest {
    private final Metrics metrics = new Metrics();
    private final Metrics.Column column = metrics.column();

    private record Ended(int mount, int status, boolean isRefused) implements EndedRequest {
        @Override
        public long totalNanos() {
            return 25_000_000;
        }

        @Override
        public long nanos(RequestPhase phase) {
            return phase == RequestPhase.QUEUE ? totalNanos() : 0;
        }

        @Override
        public long group() {
            return 0;
        }

        @Override
        public String name() {
            return "GET /page";
        }

        @Override
        public long endedEpochSeconds() {
            return 0;
        }
    }

    @Test
    void refusalsHaveTheirReasonInWordsAndAreNoErrors() throws IOException {
        int shop = column.enter("/shop");
        column.ended(new Ended(shop, 503, true), "/shop", 0);
        column.ended(new Ended(shop, 503, true), "/shop", 0);
        column.ended(new Ended(shop, 500, false), "/shop", 0);
        column.refuse(Counter.REQUESTS_REFUSED_LOAD);
        column.refuse(Counter.REQUESTS_REFUSED_LOAD);
        String printed = print();
        assertThat(printed)
                .containsPattern("(?m)^Mount +requests +refused +4xx +5xx ")
                .containsPattern("(?m)^/shop +3 +2 +0 +1 ")
                .containsPattern("(?m)^ +2  load too high")
                .doesNotContain("requests refused load");
    }

    @Test
    void slowRequestTellsItsPhase() throws IOException {
        int shop = column.enter("/shop");
        column.ended(new Ended(shop, 200, false), "/shop", 0);
        assertThat(print()).contains("25.0 ms  200  GET /page: queue 25.0 ms");
    }

    private String print() throws IOException {
        List<String> lines = new ArrayList<>();
        StatusRequests.print(
                metrics,
                new Answer() {
                    @Override
                    public void line(String text) {
                        lines.add(text);
                    }

                    @Override
                    public void problem(String text) {
                        lines.add(text);
                    }
                });
        return String.join("\n", lines);
    }
}
