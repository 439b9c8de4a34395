package dev.serval.bench.lrwp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /// A client that a signal kills has no step to name.
    @ParameterizedTest
    @CsvSource({"0, true", "1, false"})
    void callsCountOnlyIfNoClientFailed(int exit, boolean counted) throws IOException {
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            Path client = stage.folder().resolve("osp_client");
            Files.writeString(client, "#!/bin/sh\necho ready\necho calls 3\nexit " + exit + "\n");
            Files.setPosixFilePermissions(client, PosixFilePermissions.fromString("rwx------"));
            Toolkit toolkit = new Toolkit(stage, stage.folder());
            if (counted) {
                assertThat(toolkit.run(1, 1, 1).answers()).isEqualTo(6);
            } else {
                assertThatThrownBy(() -> toolkit.run(1, 1, 1)).isInstanceOf(BenchFailure.class);
            }
        }
    }

    @Test
    void loadWithoutLatenciesHasNoPercentile() {
        Histogram none = new Histogram(1000, 1);
        assertThat(new PostLoad.Outcome(2, 0, "", 1, none).p99Millis()).isNaN();
    }
}
