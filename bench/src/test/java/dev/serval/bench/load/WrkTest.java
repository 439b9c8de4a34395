package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.servlet.Request;
import java.nio.file.Path;
import java.util.List;
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
    void scriptPostsTheContent() {
        Request request = new Request("/form", Request.Body.FORM, 500, Request.Answer.SUM);
        assertThat(Wrk.settings(request, Path.of("/tmp/content"), new Wrk.Turns("", List.of())))
                .isEqualTo(
                        """
                        wrk.method = "POST"
                        wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
                        wrk.body = io.open("/tmp/content"):read("*a")
                        """);
    }

    @Test
    void scriptSendsCookiesInTurn() {
        Request request = new Request("/session", Request.Body.NONE, 0, Request.Answer.COUNT);
        Wrk.Turns turns = new Wrk.Turns("Cookie", List.of("ID=a", "ID=b"));
        assertThat(Wrk.settings(request, Path.of("/tmp/content"), turns))
                .startsWith(
                        """
                        wrk.method = "GET"
                        local field = "Cookie"
                        local values = {"ID=a", "ID=b", }
                        """)
                .contains("at = at % #requests + 1");
    }

    @Test
    void failureHasOutputOfWrk() {
        assertThatThrownBy(() -> Wrk.parse("unable to connect\n", 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("unable to connect");
    }
}
