package dev.serval.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SoakOptionsTest {
    @Test
    void readsFractionsOfAMinuteInAnyOrder() {
        assertThat(SoakOptions.parse(List.of("--minutes", "0.25", "workers")).length())
                .isEqualTo(Duration.ofSeconds(15));
        assertThat(SoakOptions.parse(List.of("workers")).length()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void namesTheSoak() {
        assertThat(SoakOptions.parse(List.of("workers")).name()).isEqualTo("workers");
        assertThat(SoakOptions.parse(List.of("--minutes", "1", "servlets")).name())
                .isEqualTo("servlets");
    }

    @Test
    void runsEverythingWithoutAName() {
        SoakOptions usual = SoakOptions.parse(List.of());
        assertThat(usual)
                .isEqualTo(
                        new SoakOptions(
                                "", Duration.ofMinutes(30), 256, Path.of("docs", "results")));
        assertThat(SoakOptions.parse(List.of("--out", "a/b", "--minutes", "2", "--heap", "128")))
                .isEqualTo(new SoakOptions("", Duration.ofMinutes(2), 128, Path.of("a", "b")));
    }

    @Test
    void rejectsWrongOptions() {
        for (List<String> wrong :
                List.of(
                        List.of("workers", "--heap", "100"),
                        List.of("--out", "a", "servlets"),
                        List.of("--heap", "0"),
                        List.of("workers", "--minutes"),
                        List.of("workers", "--minutes", "0"),
                        List.of("workers", "--minutes", "-1"),
                        List.of("walkers"))) {
            assertThatThrownBy(() -> SoakOptions.parse(wrong))
                    .as(wrong.toString())
                    .isInstanceOf(BenchFailure.class);
        }
    }
}
