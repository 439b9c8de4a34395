package dev.serval.servlet.multipart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Files, permissions, quota and clean-up of a spool.
final class SpoolTest {
    private static final byte[] BYTES = "0123456789".getBytes(StandardCharsets.US_ASCII);

    private final TempTree tree = TempTree.create();

    @AfterEach
    void deleteTree() {
        tree.close();
    }

    @Test
    void onlyTheOwnerMayReadFolderAndFiles() throws IOException {
        Path folder = tree.path("work/spool");
        try (Spool spool = Spool.open(folder, 100)) {
            SpoolFile file = spool.newFile();
            file.write(BYTES, 2, 5);
            file.finish();
            assertThat(permissions(folder)).isEqualTo("rwx------");
            Path only = folder.resolve("part-1.spool");
            assertThat(permissions(only)).isEqualTo("rw-------");
            try (InputStream in = file.open()) {
                assertThat(in.readAllBytes()).containsExactly('2', '3', '4');
            }
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void createsItsFolderAgainIfThatWasRemoved() throws IOException {
        Path folder = tree.path("work/spool");
        try (Spool spool = Spool.open(folder, 100)) {
            Files.delete(folder);
            SpoolFile file = spool.newFile();
            file.write(BYTES, 0, 3);
            file.finish();
            assertThat(permissions(folder)).isEqualTo("rwx------");
            try (InputStream in = file.open()) {
                assertThat(in.readAllBytes()).hasSize(3);
            }
        }
    }

    @Test
    void deletesFilesOfTheLastRunOnly() throws IOException {
        tree.file("spool/part-1.spool", "old");
        Path other = tree.file("spool/other", "kept");
        try (Spool spool = Spool.open(tree.path("spool"), 100)) {
            assertThat(tree.path("spool/part-1.spool")).doesNotExist();
            SpoolFile file = spool.newFile();
            file.finish();
            assertThat(tree.path("spool/part-1.spool")).exists();
        }
        assertThat(other).exists();
    }

    @Test
    void grantsBytesUpToTheQuota() throws IOException {
        try (Spool spool = Spool.open(tree.path("spool"), 20)) {
            SpoolFile first = spool.newFile();
            SpoolFile second = spool.newFile();
            first.write(BYTES, 0, 10);
            second.write(BYTES, 0, 10);
            assertThat(spool.usedBytes()).isEqualTo(20);
            assertThatThrownBy(() -> first.write(BYTES, 0, 1))
                    .isInstanceOfSatisfying(
                            MultipartException.class,
                            e -> assertThat(e.statusCode()).isEqualTo(507));
            assertThat(spool.usedBytes()).isEqualTo(20);
            second.delete();
            first.write(BYTES, 0, 10);
            first.delete();
            first.delete();
            assertThat(spool.usedBytes()).isZero();
        }
    }

    @Test
    void movedFileLeavesTheQuota() throws IOException {
        try (Spool spool = Spool.open(tree.path("spool"), 10)) {
            SpoolFile file = spool.newFile();
            file.write(BYTES, 0, 10);
            file.finish();
            Path target = tree.file("target", "replaced");
            file.moveTo(target);
            assertThat(target).hasBinaryContent(BYTES);
            assertThat(spool.usedBytes()).isZero();
            assertThat(tree.path("spool")).isEmptyDirectory();
        }
    }

    @Test
    void movedFileHasThePermissionsOfANewFile() throws IOException {
        try (Spool spool = Spool.open(tree.path("spool"), 10)) {
            SpoolFile file = spool.newFile();
            file.write(BYTES, 0, 10);
            file.finish();
            Path target = tree.path("target");
            file.moveTo(target);
            assertThat(permissions(target)).isEqualTo(permissions(tree.file("new", "")));
        }
    }

    @Test
    void fileThatCannotBeMovedStaysPrivate() throws IOException {
        try (Spool spool = Spool.open(tree.path("spool"), 10)) {
            SpoolFile file = spool.newFile();
            file.finish();
            assertThatThrownBy(() -> file.moveTo(tree.path("absent/target")))
                    .isInstanceOf(NoSuchFileException.class);
            assertThat(permissions(tree.path("spool/part-1.spool"))).isEqualTo("rw-------");
        }
    }

    @Test
    void closesWithoutItsFolder() throws IOException {
        Spool spool = Spool.open(tree.path("spool"), 10);
        Files.delete(tree.path("spool"));
        spool.close();
        assertThatThrownBy(spool::newFile).isInstanceOf(NoSuchFileException.class);
        assertThat(tree.path("spool")).doesNotExist();
    }

    @Test
    void refusesNegativeQuota() {
        assertThatThrownBy(() -> Spool.open(tree.path("spool"), -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
