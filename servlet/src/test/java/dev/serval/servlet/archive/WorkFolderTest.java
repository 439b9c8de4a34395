package dev.serval.servlet.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Digests;
import dev.serval.testkit.Rewrite;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keeps unpacked applications, each once and within bounds.
final class WorkFolderTest {
    private final TempTree tree = TempTree.create();

    /// Far ahead of the files' times, so that their marks are settled.
    private Instant now = Instant.now().plus(Duration.ofHours(1));

    private final InstantSource clock = () -> now;

    @AfterEach
    void delete() {
        tree.close();
    }

    @Test
    void unpacksNeverBesideTheArchive() throws IOException {
        Path war = war("site/app.war", "one");
        try (UnpackedApp app = open().prepare(war)) {
            assertThat(app.root().resolve("index.html")).hasContent("one");
            assertThat(app.root()).startsWith(tree.path("work"));
        }
        assertThat(tree.path("site")).isDirectoryContaining(file -> file.equals(war));
        assertThat(names("site")).containsExactly("app.war");
    }

    @Test
    void unpacksTheSameContentOnce() throws IOException {
        WorkFolder work = open();
        try (UnpackedApp first = work.prepare(war("a.war", "one"));
                UnpackedApp second = open().prepare(war("b.war", "one"));
                UnpackedApp other = work.prepare(war("c.war", "two"))) {
            assertThat(second.root()).isEqualTo(first.root());
            assertThat(other.root()).isNotEqualTo(first.root());
        }
        assertThat(names("work/apps")).hasSize(2).contains(Digests.sha256(tree.path("a.war")));
    }

    @Test
    void hashesOnlyOnce() throws IOException {
        Path war = war("a.war", "one");
        WorkFolder work = open();
        work.prepare(war).close();
        Path entry = tree.path("work/apps/" + Digests.sha256(war));
        assertThat(Files.readAllLines(entry.resolve("marks"))).hasSize(1);
        // Under another key the entry is found only by its mark, not by the hash.
        Path renamed = tree.path("work/apps/" + "0".repeat(64));
        Files.move(entry, renamed);
        try (UnpackedApp app = open().prepare(war)) {
            assertThat(app.root()).isEqualTo(renamed.resolve("files"));
        }
    }

    @Test
    void doesNotTrustTheMarkOfAnArchiveJustWritten() throws IOException {
        Path war = war("a.war", "one");
        now = Rewrite.changed(war); // another write within the same tick leaves the mark as it is
        open().prepare(war).close();
        assertThat(tree.path("work/apps/" + Digests.sha256(war) + "/marks")).doesNotExist();
    }

    @Test
    void warnsBeforeItDeletesWhatAnApplicationHasWritten() throws IOException {
        Path war = war("a.war", "one");
        WorkFolder work = open();
        Path root;
        try (UnpackedApp app = work.prepare(war)) {
            root = app.root();
        }
        List<String> warnings = new ArrayList<>();
        Files.writeString(root.resolve("upload.txt"), "mine"); // changes no file of the archive
        work.prepare(war, warnings::add).close();
        assertThat(root.resolve("upload.txt")).exists();
        assertThat(warnings).isEmpty();
        Files.writeString(root.resolve("index.html"), "changed by the application");
        work.prepare(war, warnings::add).close();
        assertThat(root.resolve("index.html")).hasContent("one");
        assertThat(root.resolve("upload.txt")).doesNotExist();
        assertThat(warnings)
                .singleElement()
                .asString()
                .startsWith(root.resolve("index.html") + " was changed or deleted")
                .contains("is unpacked again");
    }

    @Test
    void noticesChangeOfSameSizeAndTime() throws IOException {
        Path war = war("a.war", "one");
        FileTime time = Files.getLastModifiedTime(war);
        WorkFolder work = open();
        work.prepare(war).close();
        long size = Files.size(war);
        Rewrite.untilSeen(
                war,
                () -> {
                    war("a.war", "two");
                    Files.setLastModifiedTime(war, time);
                });
        assertThat(Files.size(war)).isEqualTo(size);
        try (UnpackedApp app = work.prepare(war)) {
            assertThat(app.root().resolve("index.html")).hasContent("two");
        }
    }

    @Test
    void keepsNothingOfAnArchiveThatChangesMeanwhile() throws IOException {
        Path war = war("a.war", "one");
        AtomicInteger looks = new AtomicInteger();
        InstantSource writer =
                () -> {
                    if (looks.incrementAndGet() == 2) { // between the mark and the hash
                        war("a.war", "longer");
                    }
                    return now;
                };
        WorkFolder work =
                WorkFolder.open(
                        tree.path("work"), WorkLimits.DEFAULT, ArchiveLimits.DEFAULT, writer);
        assertThatThrownBy(() -> work.prepare(war)).hasMessageContaining("changed while");
        assertThat(names("work/apps")).isEmpty();
        work.prepare(war).close();
    }

    @Test
    void unpacksAgainWhatIsIncomplete() throws IOException {
        Path war = war("a.war", "one");
        WorkFolder work = open();
        Path page;
        try (UnpackedApp app = work.prepare(war)) {
            page = app.root().resolve("index.html");
        }
        Files.delete(page);
        work.prepare(war).close();
        assertThat(page).hasContent("one");
        Files.writeString(page, "");
        work.prepare(war).close();
        assertThat(page).hasContent("one");
        Files.writeString(page, "two"); // as an application may do in its own folder
        Files.setLastModifiedTime(page, FileTime.fromMillis(0));
        work.prepare(war).close();
        assertThat(page).hasContent("one");
    }

    @Test
    void leavesChangedFilesOfAnotherServerAlone() throws IOException {
        Path war = war("a.war", "one");
        try (UnpackedApp used = open().prepare(war)) {
            Files.writeString(used.root().resolve("index.html"), "changed by the application");
            try (UnpackedApp fresh = open().prepare(war)) {
                assertThat(fresh.root()).isNotEqualTo(used.root());
                assertThat(fresh.root().resolve("index.html")).hasContent("one");
            }
            assertThat(used.root().resolve("index.html")).hasContent("changed by the application");
        }
    }

    @Test
    void failedArchiveLeavesNothing() throws IOException {
        ZipMaker zip = new ZipMaker();
        zip.add("good.txt", "good");
        zip.add("bad.txt", "bad").crc = 1;
        Path war = tree.file("a.war", zip.bytes());
        assertThatThrownBy(() -> open().prepare(war)).hasMessageContaining("bad.txt");
        assertThat(names("work/apps")).isEmpty();
        assertThat(names("work/temporary")).isEmpty();
        assertThat(names("work/leases")).isEmpty();
    }

    @Test
    void deletesWhatACrashedServerLeft() throws IOException {
        WorkFolder work = open();
        tree.file("work/temporary/t-123/files/index.html", "half");
        tree.link("work/temporary/t-123/link", tree.folder("precious"));
        tree.file("precious/file", "kept");
        work.prepare(war("a.war", "one")).close();
        assertThat(names("work/temporary")).isEmpty();
        assertThat(tree.path("precious/file")).hasContent("kept");
    }

    /// A server that stops takes no lock of the folder.
    @Test
    void leaseDeletedBetweenTheListingAndTheLookIsNotHeld() throws IOException {
        assertThat(Lease.isHeld(tree.folder("leases").resolve("shop.1-1.5"))).isFalse();
    }

    @Test
    void sweepsLeasesOfDeadProcesses() throws IOException {
        WorkFolder work = open(new WorkLimits(1 << 20, 1, 0));
        Path first = war("a.war", "one");
        work.prepare(first).close();
        tree.file("work/leases/" + Digests.sha256(first) + ".1-1.5", "");
        work.prepare(war("b.war", "two")).close();
        assertThat(names("work/apps")).containsExactly(Digests.sha256(tree.path("b.war")));
        assertThat(names("work/leases")).isEmpty();
    }

    @Test
    void deletesTheLeastRecentlyUsed() throws IOException {
        WorkFolder work = open(new WorkLimits(1 << 20, 2, 0));
        List<String> keys = new ArrayList<>();
        for (String name : List.of("a", "b", "a", "c")) {
            now = now.plusSeconds(60);
            Path war = war(name + ".war", name);
            work.prepare(war).close();
            keys.add(Digests.sha256(war));
        }
        assertThat(names("work/apps")).containsExactlyInAnyOrder(keys.get(0), keys.get(3));
    }

    @Test
    void keepsApplicationsInUse() throws IOException {
        WorkFolder work = open(new WorkLimits(1 << 20, 2, 0));
        Path third = war("c.war", "c");
        try (UnpackedApp a = work.prepare(war("a.war", "a"))) {
            now = now.plusSeconds(60);
            UnpackedApp b = work.prepare(war("b.war", "b"));
            assertThatThrownBy(() -> work.prepare(third)).hasMessageContaining("has no room");
            b.close();
            try (UnpackedApp c = work.prepare(third)) {
                assertThat(a.root().resolve("index.html")).hasContent("a");
                assertThat(c.root().resolve("index.html")).hasContent("c");
                assertThat(b.root()).doesNotExist();
            }
        }
    }

    @Test
    void boundsTheBytes() throws IOException {
        WorkFolder work = open(new WorkLimits(1000, 9, 0));
        work.prepare(war("a.war", "a".repeat(600))).close();
        now = now.plusSeconds(60);
        work.prepare(war("b.war", "b".repeat(600))).close();
        assertThat(names("work/apps")).containsExactly(Digests.sha256(tree.path("b.war")));
        Path large = war("c.war", "c".repeat(1001));
        assertThatThrownBy(() -> work.prepare(large)).hasMessageContaining("1001 of 1000 bytes");
    }

    @Test
    void isPrivate() throws IOException {
        open();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(tree.path("work"))))
                .isEqualTo("rwx------");
    }

    @Test
    void takesPermissionsToReadAwayFromOthers() throws IOException {
        mode("rwxr-xr-x");
        open().prepare(war("a.war", "one")).close();
        assertThat(Files.getPosixFilePermissions(tree.path("work")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwx---", "rwx----w-", "rwxrwxrwx"})
    void refusesFolderWhereOthersMayHavePutCode(String mode) throws IOException {
        mode(mode);
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessage(
                        "The work folder "
                                + tree.path("work")
                                + " has the mode "
                                + mode
                                + ", so other users may have put code there: remove it, so that the"
                                + " server creates its own, or choose another; serval run takes the"
                                + " one in XDG_CACHE_HOME");
        assertThat(names("work")).isEmpty();
    }

    private void mode(String mode) throws IOException {
        Files.setPosixFilePermissions(tree.folder("work"), PosixFilePermissions.fromString(mode));
    }

    @Test
    void refusesLinkEvenToAnOwnFolder() throws IOException {
        tree.link("work", tree.folder("elsewhere"));
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageContaining(tree.path("work") + " must be a folder, not a link");
        assertThat(names("elsewhere")).isEmpty();
    }

    @Test
    void refusesFolderOfAnotherUser() throws IOException {
        Path folder = Files.createDirectory(tree.path("work"));
        UserPrincipal self = Files.getOwner(folder);
        UserPrincipal other =
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("1");
        assertThatIOException()
                .isThrownBy(() -> PrivateFolder.check(folder, other))
                .withMessageContaining(
                        folder + " belongs to " + self.getName() + ", who could run code as ");
        PrivateFolder.check(folder, self);
    }

    /// Only root can give a folder to another user.
    @Test
    void opensNoFolderThatAnotherUserHasCreatedFirst() throws IOException {
        Path folder = tree.folder("work");
        assumeThat(Files.getOwner(folder).getName()).isEqualTo("root");
        Files.setOwner(
                folder,
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("1"));
        assertThatIOException()
                .isThrownBy(this::open)
                .withMessageContaining(", who could run code as root: remove it");
        assertThat(names("work")).isEmpty();
    }

    @Test
    void namesMissingArchive() {
        assertThatThrownBy(() -> open().prepare(tree.path("no.war")))
                .hasMessageContaining("no.war: there is no such archive");
    }

    @Test
    void serversSharingAFolderUnpackOnce()
            throws IOException, InterruptedException, ExecutionException {
        List<Path> wars = List.of(war("a.war", "a"), war("b.war", "b"), war("c.war", "c"));
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
            List<Future<Path>> roots = new ArrayList<>();
            for (int i = 0; i < 48; i++) {
                Path war = wars.get(i % 3);
                String content = war.getFileName().toString().substring(0, 1);
                WorkFolder work = open(new WorkLimits(1 << 20, 3, TimeUnit.SECONDS.toNanos(20)));
                roots.add(
                        pool.submit(() -> {
                            start.await();
                            try (UnpackedApp app = work.prepare(war)) {
                                Path page = app.root().resolve("index.html");
                                assertThat(page).hasContent(content);
                                return app.root();
                            }
                        }));
            }
            start.countDown();
            for (int i = 3; i < 48; i++) {
                assertThat(roots.get(i).get()).isEqualTo(roots.get(i % 3).get());
            }
        }
        assertThat(names("work/apps")).hasSize(3);
        assertThat(names("work/leases")).isEmpty();
    }

    @Test
    void waitsForAnotherProcessOnlySoLong() throws IOException, InterruptedException {
        WorkFolder work = open(new WorkLimits(1 << 20, 3, 0));
        Path war = war("a.war", "one");
        Process process = holding(tree.path("work/lock"));
        assertThatThrownBy(() -> work.prepare(war)).hasMessageContaining("Another server");
        end(process);
        work.prepare(war).close();
    }

    @Test
    void keepsWhatAnotherProcessUses() throws IOException, InterruptedException {
        WorkFolder work = open(new WorkLimits(1 << 20, 1, 0));
        Path war = war("a.war", "one");
        Path other = war("b.war", "two");
        work.prepare(war).close();
        Process process = holding(tree.path("work/leases/" + Digests.sha256(war) + ".1-1.0"));
        assertThatThrownBy(() -> work.prepare(other)).hasMessageContaining("has no room");
        end(process);
        work.prepare(other).close();
        assertThat(names("work/apps")).containsExactly(Digests.sha256(other));
    }

    @Test
    void temporaryFolderLivesAsLongAsItsApplication() throws IOException {
        WorkFolder work = open();
        try (TemporaryFolder one = work.temporary("a/b.{c}*");
                TemporaryFolder two = open().temporary("a/b.{c}*")) {
            Files.createDirectories(one.path().resolve("uploads/x"));
            Files.writeString(one.path().resolve("uploads/x/part"), "content");
            assertThat(two.path()).isNotEqualTo(one.path()).isEmptyDirectory();
            assertThat(one.path()).isDirectory().startsWith(tree.path("work"));
            assertThat(Files.getPosixFilePermissions(one.path()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            open().temporary("other").close();
            assertThat(one.path().resolve("uploads/x/part")).hasContent("content");
        }
        assertThat(names("work/temporary-of-apps")).isEmpty();
        assertThat(names("work/leases")).isEmpty();
    }

    @Test
    void deletesTemporaryFoldersOfDeadServersOnly() throws IOException, InterruptedException {
        WorkFolder work = open();
        tree.file("work/temporary-of-apps/shop-0/uploads/part", "content");
        tree.file("work/temporary-of-apps/shop-1/uploads/part", "content");
        tree.link("work/temporary-of-apps/shop-1/link", tree.folder("precious"));
        tree.file("precious/file", "kept");
        tree.file("work/leases/shop-1.1-1.0", "");
        Process living = holding(tree.path("work/leases/shop-0.2-2.0"));
        try (TemporaryFolder own = work.temporary("shop")) {
            assertThat(names("work/temporary-of-apps"))
                    .containsExactlyInAnyOrder("shop-0", String.valueOf(own.path().getFileName()));
            assertThat(tree.path("work/temporary-of-apps/shop-0/uploads/part")).exists();
            assertThat(tree.path("precious/file")).hasContent("kept");
        }
        living.destroyForcibly().waitFor();
        work.temporary("other").close();
        assertThat(names("work/temporary-of-apps")).isEmpty();
        assertThat(names("work/leases")).isEmpty();
    }

    /// Starts a process that locks a file until its input ends.
    private Process holding(Path file) throws IOException {
        String holder =
                """
                import java.nio.channels.FileChannel;
                import java.nio.file.*;
                void main(String[] args) throws Exception {
                    try (var lock = FileChannel.open(Path.of(args[0]),
                            StandardOpenOption.CREATE, StandardOpenOption.WRITE).lock()) {
                        System.out.println("locked");
                        System.in.read();
                    }
                }
                """;
        Path source = tree.file("Holder.java", holder);
        Process process =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                source.toString(),
                                file.toString())
                        .start();
        assertThat(process.inputReader().readLine()).isEqualTo("locked");
        return process;
    }

    private static void end(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        assertThat(process.waitFor()).isZero();
    }

    private WorkFolder open() throws IOException {
        return open(WorkLimits.DEFAULT);
    }

    private WorkFolder open(WorkLimits limits) throws IOException {
        return WorkFolder.open(tree.path("work"), limits, ArchiveLimits.DEFAULT, clock);
    }

    private Path war(String name, String page) {
        ZipMaker zip = new ZipMaker();
        zip.stored("index.html", page.getBytes(StandardCharsets.UTF_8));
        return tree.file(name, zip.bytes());
    }

    private List<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.list(tree.path(folder))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
