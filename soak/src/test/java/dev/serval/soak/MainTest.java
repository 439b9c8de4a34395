package dev.serval.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) throws Exception {
        PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream faults = new PrintStream(err, true, StandardCharsets.UTF_8);
        return new Main(to, faults).run(List.of(arguments));
    }

    @Test
    void helpShowsEverySoak() throws Exception {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(
                        "workers",
                        "servlets",
                        "floods",
                        "crowd",
                        "tls",
                        "streams",
                        "--minutes N",
                        "--heap N",
                        "--out");
    }

    @Test
    void wrongUseNamesTheSoaks() throws Exception {
        assertThat(run("workers", "--heap", "3")).isEqualTo(2);
        assertThat(run("walkers")).isEqualTo(2);
        assertThat(run("floods", "--cells", "rain")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("serval soak: workers has no option but --minutes")
                .contains(
                        "serval soak: no soak or option 'walkers'; the soaks are: workers, servlets")
                .contains("serval soak: no flood 'rain'; there are: none, slow-heads");
    }
}
