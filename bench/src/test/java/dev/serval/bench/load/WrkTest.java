package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import org.junit.jupiter.api.Test;

class WrkTest {
    @Test
    void parsesTheLineOfTheScript() {
        String output =
                """
                Running 3s test @ http://127.0.0.1:18001/4k.bin
                  208887 requests in 3.00s, 863.97MB read
                serval-bench 208887 905942919 3002812 0 0 0 0 0 812
                """;
        assertThat(Wrk.parse(output, 4096))
                .isEqualTo(new Client.Tally(208887, 208887L * 4096, 0, 3_002_812_000L, 812));
    }

    @Test
    void addsUpAllKindsOfErrors() {
        String output = "serval-bench 10 100000 3000000 1 2 3 4 5 6\n";
        assertThat(Wrk.parse(output, 4096).errors()).isEqualTo(15);
    }

    @Test
    void truncatedAnswersAreAnError() {
        String output = "serval-bench 10 40959 3000000 0 0 0 0 0 0\n";
        assertThat(Wrk.parse(output, 4096).errors()).isEqualTo(1);
    }

    @Test
    void failureHasOutputOfWrk() {
        assertThatThrownBy(() -> Wrk.parse("unable to connect\n", 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("unable to connect");
    }
}
