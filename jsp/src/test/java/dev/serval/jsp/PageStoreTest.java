package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.servlet.pages.PageComponents;
import dev.serval.servlet.pages.PageException;
import dev.serval.servlet.pages.PageSetup;
import dev.serval.testkit.ChildJvm;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Folders of compiled pages: which are kept, which are deleted, and who has one.
@Timeout(120)
final class PageStoreTest {
    private static final int KIB = 1 << 10;

    @TempDir private Path work;

    private PageSetup app(String key) {
        return app(work, key);
    }

    static PageSetup app(Path work, String key) {
        return new PageSetup(
                "shop",
                PageStoreTest.class.getClassLoader(),
                work,
                List.of(),
                List.of(),
                List.of(),
                work,
                key,
                false,
                new NoComponents(),
                UnaryOperator.identity(),
                System.getLogger("test"));
    }

    private record NoComponents() implements PageComponents {
        @Override
        public void begin(Object component) {}

        @Override
        public void end(Object component) {}
    }

    /// Opens a folder as an application does that was started so long ago, and leaves bytes in it.
    private Path used(String key, int secondsAgo, int bytes) throws Exception {
        try (PageStore store = new PageStore(app(key), PageLimits.DEFAULT)) {
            Path pages = store.folder("pages");
            Files.write(pages.resolve("a.class"), new byte[bytes]);
            Path folder = Objects.requireNonNull(pages.getParent());
            Files.setLastModifiedTime(
                    folder, FileTime.from(Instant.now().minusSeconds(secondsAgo)));
            return folder;
        }
    }

    private static PageLimits limits(long bytes, int stores) {
        return new PageLimits(KIB, 1, bytes, stores);
    }

    @Test
    void folderThatAnotherEngineHasJustDeletedDoesNotCount() throws Exception {
        Files.createDirectory(work.resolve("present"));
        assertThat(PageStore.present(work.resolve("present"))).isNotNull();
        assertThat(PageStore.present(work.resolve("deleted"))).isNull();
    }

    @Test
    void deletesTheLeastRecentlyUsedWhenThereAreTooMany() throws Exception {
        PageLimits limits = limits(KIB, 2);
        Path oldest = used("a", 300, 1);
        Path older = used("b", 200, 1);
        Path young = used("c", 100, 1);
        try (PageStore store = new PageStore(app("d"), limits)) {
            Path own = store.folder("pages");
            assertThat(oldest).doesNotExist();
            assertThat(older).doesNotExist();
            assertThat(young).as("with the new one there are two").exists();
            assertThat(own).exists();
        }
    }

    @Test
    void deletesTheLeastRecentlyUsedWhenTheyAreTooLarge() throws Exception {
        PageLimits limits = limits(10 * KIB, 64);
        Path large = used("a", 100, 8 * KIB);
        Path old = used("b", 200, 3 * KIB);
        try (PageStore store = new PageStore(app("c"), limits)) {
            assertThat(store.folder("pages")).exists();
            assertThat(old).doesNotExist();
            assertThat(large).as("with it there are not too many bytes").exists();
        }
    }

    @Test
    void exactlyTheLimitIsKept() throws Exception {
        PageLimits limits = limits(10 * KIB, 64);
        Path one = used("a", 200, 8 * KIB);
        Path two = used("b", 100, 2 * KIB);
        try (PageStore store = new PageStore(app("c"), limits)) {
            assertThat(store.folder("pages")).exists();
            assertThat(one).exists();
            assertThat(two).exists();
        }
    }

    @Test
    void neverDeletesAFolderInUse() throws Exception {
        PageLimits limits = limits(KIB, 1);
        try (PageStore first = new PageStore(app("a"), limits);
                PageStore second = new PageStore(app("b"), limits);
                PageStore third = new PageStore(app("c"), limits)) {
            Path page = Files.write(first.folder("pages").resolve("a.class"), new byte[2 * KIB]);
            assertThat(second.folder("pages")).exists();
            assertThat(third.folder("pages")).exists();
            assertThat(page).exists();
        }
    }

    @Test
    void usingAFolderAgainMakesItTheYoungest() throws Exception {
        PageLimits limits = limits(KIB, 2);
        Path again = used("a", 300, 1);
        Path other = used("b", 100, 1);
        try (PageStore store = new PageStore(app("a"), PageLimits.DEFAULT)) {
            assertThat(store.folder("pages")).exists();
        }
        try (PageStore store = new PageStore(app("c"), limits)) {
            assertThat(store.folder("pages")).exists();
            assertThat(again).exists();
            assertThat(other).doesNotExist();
        }
    }

    @Test
    void closingASecondStoreKeepsTheFirstOneLockedForOtherProcesses() throws Exception {
        try (PageStore first = new PageStore(app("a"), PageLimits.DEFAULT)) {
            Path folder = Objects.requireNonNull(first.folder("pages").getParent());
            try (PageStore second = new PageStore(app("a"), PageLimits.DEFAULT)) {
                assertThat(second.folder("pages").getParent()).isNotEqualTo(folder);
            }
            assertThat(folderOfAnotherProcess()).isNotEqualTo(folder.toString());
        }
        assertThat(leases()).isEmpty();
    }

    /// Returns the folder that another process gets for the same application.
    private String folderOfAnotherProcess() throws Exception {
        Process process =
                ChildJvm.command(List.of(), PageStoreProgram.class, work.toString(), "a").start();
        try (var out = process.inputReader()) {
            String line = Objects.requireNonNull(out.readLine());
            assertThat(process.waitFor()).isZero();
            return line;
        } finally {
            process.destroyForcibly();
        }
    }

    private List<Path> leases() throws IOException {
        List<Path> leases = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(work.resolve("pages"), "*.*.lock")) {
            files.forEach(leases::add);
        }
        return leases;
    }

    @Test
    void closedStoreHasNoFileOpen() throws Exception {
        Path own = Path.of("/proc/self/fd");
        assumeThat(own).as("needs /proc").exists();
        try (PageStore store = new PageStore(app("a"), PageLimits.DEFAULT)) {
            assertThat(store.folder("pages")).exists();
            assertThat(openFiles(own)).anyMatch(file -> file.startsWith(work.toString()));
        }
        assertThat(openFiles(own)).noneMatch(file -> file.startsWith(work.toString()));
    }

    private static List<String> openFiles(Path descriptors) throws IOException {
        List<String> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
            for (Path each : all) {
                try {
                    files.add(Files.readSymbolicLink(each).toString());
                } catch (NoSuchFileException e) {
                    // It was closed meanwhile.
                }
            }
        }
        return files;
    }

    @Test
    void leaseOfADeadServerIsDeleted() throws Exception {
        Path all = Files.createDirectories(work.resolve("pages"));
        Path dead = all.resolve("t-1.4711-0.lock");
        FileChannel.open(dead, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
        Path left = Files.createDirectory(all.resolve("t-1"));
        try (PageStore store = new PageStore(app("a"), PageLimits.DEFAULT)) {
            assertThat(store.folder("pages")).exists();
            assertThat(dead).doesNotExist();
            assertThat(left).doesNotExist();
        }
    }

    /// A server that stops takes no lock of the folder.
    @Test
    void leaseDeletedBetweenTheListingAndTheLookIsNotHeld() throws Exception {
        Path all = Files.createDirectories(work.resolve("pages"));
        assertThat(new StoreLeases(all).isHeld(all.resolve("t-1.4711-0.lock"))).isFalse();
    }

    @Test
    void closedStoreOpensNoFolder() throws Exception {
        PageStore store = new PageStore(app("a"), PageLimits.DEFAULT);
        store.close();
        assertThatThrownBy(() -> store.folder("pages"))
                .isInstanceOf(PageException.class)
                .hasMessageContaining("has stopped");
        assertThat(work.resolve("pages")).doesNotExist();
    }
}
