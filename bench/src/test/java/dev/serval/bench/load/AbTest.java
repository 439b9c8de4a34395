package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import org.junit.jupiter.api.Test;

class AbTest {
    private static final String OUTPUT =
            """
            Concurrency Level:      300
            Time taken for tests:   3.002 seconds
            Complete requests:      1000
            Failed requests:        0
            Keep-Alive requests:    1000
            Total transferred:      14600000 bytes
            HTML transferred:       14336000 bytes
            """;
    private static final String PERCENTILES = "Percentage served,Time in ms\n98,1.0\n99,2.5\n";

    @Test
    void parsesReport() {
        assertThat(Ab.parse(OUTPUT, PERCENTILES, 14336))
                .isEqualTo(new Client.Tally(1000, 14_336_000L, 0, 3_002_000_000L, 2500));
    }

    @Test
    void countsFailedOtherAndTruncatedAnswersAsErrors() {
        String wrong = OUTPUT.replace("Failed requests:        0", "Failed requests:        2");
        assertThat(Ab.parse(wrong + "Non-2xx responses:      3\n", PERCENTILES, 14337).errors())
                .isEqualTo(6);
    }

    @Test
    void parsesBurst() {
        String output =
                OUTPUT.replace("Keep-Alive requests:    1000", "Keep-Alive requests:    990")
                        + """
                        Requests per second:    8123.45 [#/sec] (mean)
                        Time per request:       36.930 [ms] (mean)
                        Time per request:       0.123 [ms] (mean, across all concurrent requests)
                        """;
        assertThat(Ab.burst(output, 14336)).isEqualTo(new Ab.Burst(8123.45, 36.93, 1000, 0, 990));
        assertThat(Ab.burst(output + "Non-2xx responses:      7\n", 14337).failed()).isEqualTo(8);
    }

    @Test
    void failureHasTheLastLineOfAb() {
        assertThatThrownBy(() -> Ab.parse("This is ab\n\napr_socket_connect(): refused\n\n", "", 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("ab failed: apr_socket_connect(): refused");
        assertThatThrownBy(() -> Ab.burst("\n", 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("ab failed: it printed nothing");
    }
}
