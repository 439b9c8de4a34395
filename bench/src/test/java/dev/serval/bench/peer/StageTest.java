package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StageTest {
    @Test
    void makesTheSameFilesEveryTimeAndRemovesThem() throws IOException {
        Path folder;
        Site.Page page;
        try (Stage stage = stage()) {
            folder = stage.folder();
            page = stage.site().page("a.bin");
            byte[] content = Files.readAllBytes(stage.site().root().resolve("a.bin"));
            assertThat(content).hasSize(2048);
            assertThat(Site.digest(content)).isEqualTo(page.digest());
        }
        assertThat(folder).doesNotExist();
        try (Stage again = stage()) {
            assertThat(again.site().page("a.bin")).isEqualTo(page);
        }
    }

    @Test
    void startFailureHasOutputOfTheServer() throws IOException {
        try (Stage stage = stage()) {
            List<String> command = List.of("sh", "-c", "echo no such directive; exit 1");
            int port = stage.freePort();
            assertThatThrownBy(() -> stage.launch("broken", port, command))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("broken did not start")
                    .hasMessageContaining("no such directive");
        }
    }

    private static Stage stage() throws IOException {
        return Stage.create(Map.of("a.bin", 2048), Cpus.unpinned(Set.of(0)));
    }
}
