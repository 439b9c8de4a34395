package dev.serval.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
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
    void rejectsWrongOptions() {
        for (List<String> wrong :
                List.of(
                        List.<String>of(),
                        List.of("--minutes", "1"),
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
