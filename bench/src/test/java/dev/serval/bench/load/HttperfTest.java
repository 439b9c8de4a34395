package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import org.junit.jupiter.api.Test;

class HttperfTest {
    private static final String OUTPUT =
            """
            Total: connections 2000 requests 2000 replies 2000 test-duration 1.991 s

            Reply size [B]: header 202.0 content 1024.0 footer 0.0 (total 1226.0)
            Reply status: 1xx=0 2xx=2000 3xx=0 4xx=0 5xx=0

            Errors: total 0 client-timo 0 socket-timo 0 connrefused 0 connreset 0
            Errors: fd-unavail 0 addrunavail 0 ftab-full 0 other 0
            """;

    @Test
    void parsesReport() {
        Client.Tally tally = Httperf.parse(OUTPUT, 1024);
        assertThat(tally.requests()).isEqualTo(2000);
        assertThat(tally.contentBytes()).isEqualTo(2_048_000);
        assertThat(tally.errors()).isZero();
        assertThat(tally.nanos()).isEqualTo(1_991_000_000);
        assertThat(tally.p99Micros()).isNaN();
    }

    @Test
    void countsFailedConnectionsAndOtherAndShortAnswersAsErrors() {
        String wrong =
                OUTPUT.replace("2xx=2000", "2xx=1990")
                        .replace("Errors: total 0", "Errors: total 3");
        assertThat(Httperf.parse(wrong, 1024).errors()).isEqualTo(13);
        assertThat(Httperf.parse(wrong, 1025).errors()).isEqualTo(14);
        assertThat(Httperf.parse(wrong, 1025).requests()).isEqualTo(1990);
    }

    @Test
    void descriptorsThatTheProgramLacksAreNoErrorsOfTheServer() {
        String few =
                OUTPUT.replace("Errors: total 0", "Errors: total 92")
                        .replace("fd-unavail 0", "fd-unavail 89");
        assertThat(Httperf.parse(few, 1024).errors()).isEqualTo(3);
    }

    @Test
    void failureHasTheLastLineOfHttperf() {
        assertThatThrownBy(() -> Httperf.parse("httperf: connect failed\n", 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("httperf failed: httperf: connect failed");
    }
}
