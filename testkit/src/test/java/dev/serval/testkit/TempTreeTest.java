package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TempTreeTest {
    @Test
    void writesTheSameContentForTheSamePathAndSize() {
        try (TempTree one = TempTree.create();
                TempTree other = TempTree.create()) {
            Path file = one.file("a/b.bin", 10_000);
            assertThat(file).hasSize(10_000);
            assertThat(Digests.sha256(other.file("a/b.bin", 10_000)))
                    .isEqualTo(Digests.sha256(file))
                    .isEqualTo(Digests.sha256(TempTree.content("a/b.bin", 10_000)))
                    .isNotEqualTo(Digests.sha256(one.file("c", 10_000)));
        }
    }

    @Test
    void closeDeletesEverythingExceptLinkTargets() throws IOException {
        try (TempTree outside = TempTree.create()) {
            Path kept = outside.file("kept", "x");
            TempTree tree = TempTree.create();
            tree.file("deep/er/file", "y");
            tree.folder("empty");
            tree.link("link", outside.root());
            tree.close();
            assertThat(tree.root()).doesNotExist();
            assertThat(Files.readString(kept)).isEqualTo("x");
        }
    }

    @Test
    void refusesPathsOutside() {
        try (TempTree tree = TempTree.create()) {
            assertThatThrownBy(() -> tree.file("../x", "y"))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
