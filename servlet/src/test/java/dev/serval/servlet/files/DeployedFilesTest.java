package dev.serval.servlet.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.archive.ArchiveLimits;
import dev.serval.servlet.archive.UnpackedApp;
import dev.serval.servlet.archive.WorkFolder;
import dev.serval.servlet.archive.WorkLimits;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which paths may be those of files.
final class DeployedFilesTest {
    private final TempTree tree = TempTree.create();
    private final DeployedFiles files;

    DeployedFilesTest() throws IOException {
        tree.file("app/a.txt", "a");
        UnpackedApp app =
                WorkFolder.open(
                                tree.path("work"),
                                WorkLimits.DEFAULT,
                                ArchiveLimits.DEFAULT,
                                InstantSource.system())
                        .prepare(tree.path("app"));
        files =
                new DeployedFiles(
                        app.files(List.of()), System.getLogger(DeployedFilesTest.class.getName()));
    }

    @AfterEach
    void deleteTree() {
        tree.close();
    }

    @Test
    void existingFileMayBeServed() {
        assertThat(files.mayHave("/a.txt")).isTrue();
        assertThat(files.mayHave("/b.txt")).isFalse();
    }

    /// In a JVM whose locale is not UTF-8, these are all paths beyond ASCII.
    @ParameterizedTest
    @ValueSource(strings = {"/a\0b", "/\ud800"})
    void pathThatTheFileSystemCannotNameIsAbsent(String path) {
        assertThat(files.mayHave(path)).isFalse();
        assertThat(files.isFolder(path)).isFalse();
        assertThat(files.served(path)).isNull();
        assertThat(files.url(path)).isNull();
        assertThat(files.open(path)).isNull();
        assertThat(files.realPath(path)).isNull();
        assertThat(files.below(path)).isEmpty();
    }
}
