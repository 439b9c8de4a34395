package dev.serval.bench.lrwp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Stage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class ToolkitTest {
    @Test
    void callThatFailsFailsTheLoadWithItsStep() throws IOException {
        assumeThat(Toolkit.missing()).as("needs osptk (Debian package libosptk-dev)").isEmpty();
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            Toolkit toolkit =
                    Toolkit.compile(stage, Path.of("../examples/osp/client/osp_client.c"));
            int unused = stage.freePort();
            assertThatThrownBy(() -> toolkit.run(unused, 2, 1))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("failed: RequestAuthorisation");
        }
    }

    @Test
    void loadWithoutLatenciesHasNoPercentile() {
        Histogram none = new Histogram(1000, 1);
        assertThat(new PostLoad.Outcome(2, 0, "", 1, none).p99Millis()).isNaN();
    }
}
