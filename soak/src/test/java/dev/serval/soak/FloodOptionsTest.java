package dev.serval.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.soak.flood.Flood;
import dev.serval.soak.flood.FloodSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FloodOptionsTest {
    @Test
    void runsEveryFloodByDefault() {
        FloodSettings usual = FloodOptions.parse(List.of("floods"));
        assertThat(usual.cells()).containsExactly(Flood.values());
        assertThat(usual.heapMegabytes()).isEqualTo(256);
        FloodSettings chosen =
                FloodOptions.parse(
                        List.of("--cells", "open-heads,unread", "floods", "--seconds", "3"));
        assertThat(chosen.cells()).containsExactly(Flood.OPEN_HEADS, Flood.UNREAD);
        assertThat(chosen.seconds()).isEqualTo(3);
    }

    @Test
    void rejectsWrongOptions() {
        for (List<String> wrong :
                List.of(
                        List.of("floods", "--cells", "rain"),
                        List.of("floods", "--cells"),
                        List.of("floods", "--seconds", "0"),
                        List.of("floods", "--minutes", "1"))) {
            assertThatThrownBy(() -> FloodOptions.parse(wrong))
                    .as(wrong.toString())
                    .isInstanceOf(BenchFailure.class);
        }
    }
}
