package dev.serval.servlet.vault;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.session.SessionFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The files of sessions.
final class FileVaultTest {
    private static final SessionKey KEY = SessionKey.of("AAAAAAAAAAAAAAAAAAAAAA");
    private static final StoredSession SESSION = session("AAAAAAAAAAAAAAAAAAAAAA");

    private static StoredSession session(String id) {
        return new StoredSession(id, true, 1, 2, 3, 60, /* version */ 0, new byte[100]);
    }

    @TempDir private Path folder;

    private FileVault open() throws IOException {
        return FileVault.open(
                folder,
                new FileVault.Mode(/* survives */ true, /* syncs */ false),
                VaultLimits.STANDARD,
                System.getLogger("test"),
                1_000_000);
    }

    /// The look for overdue sessions reads one that a request ends at the same time.
    @Test
    void readerDoesNotTakeARemovalForDamage() throws Exception {
        AtomicInteger current = new AtomicInteger();
        try (FileVault vault = open();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> writer =
                    threads.submit(() -> {
                        for (int i = 0; i < 3_000; i++) {
                            StoredSession session = session(String.format("%022d", i));
                            long _ = vault.write(SessionKey.of(session.id()), session);
                            current.set(i);
                            vault.remove(SessionKey.of(session.id()));
                        }
                        return null;
                    });
            while (!writer.isDone()) { // a read throws if it takes the removal for damage
                SessionKey key = SessionKey.of(String.format("%022d", current.get()));
                @Nullable StoredSession found = vault.read(key);
                assertThat(found == null || found.attributes().length == 100).isTrue();
            }
            writer.get(60, TimeUnit.SECONDS);
            assertThat(vault.size()).isZero();
            assertThat(vault.bytes()).isZero();
        }
    }

    /// A request asks for a session at the moment at which another one stores it.
    @Test
    void readerDoesNotTakeAnArrivalForDamage() throws Exception {
        try (FileVault vault = open();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            AtomicInteger next = new AtomicInteger();
            Future<?> writer =
                    threads.submit(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            StoredSession session = session(String.format("%022d", i));
                            next.set(i);
                            long _ = vault.write(SessionKey.of(session.id()), session);
                        }
                        return null;
                    });
            while (!writer.isDone()) { // a read throws if it takes the arrival for damage
                SessionKey key = SessionKey.of(String.format("%022d", next.get()));
                for (int i = 0; i < 1_000 && !writer.isDone() && vault.read(key) == null; i++) {
                    Thread.onSpinWait();
                }
            }
            writer.get(60, TimeUnit.SECONDS);
            assertThat(vault.size()).isEqualTo(1_000);
        }
    }

    /// Clients that return no cookie cannot fill the disk.
    @Test
    void unconfirmedSessionsTakeAQuarterOfTheSpace() throws Exception {
        VaultLimits limits = VaultLimits.STANDARD.withDiskMaxBytes(16 * 4_096);
        FileVault.Mode mode = new FileVault.Mode(true, false);
        try (FileVault vault =
                FileVault.open(folder, mode, limits, System.getLogger("test"), 1_000_000)) {
            int written = 0;
            for (int i = 0; i < 5; i++) {
                written += isWritten(vault, "u", i, /* confirmed */ false) ? 1 : 0;
            }
            assertThat(written).isEqualTo(5);
            assertThat(isWritten(vault, "u", 5, /* confirmed */ false)).isFalse();
            for (int i = 0; i < 11; i++) {
                assertThat(isWritten(vault, "c", i, /* confirmed */ true)).isTrue();
            }
            assertThat(isWritten(vault, "c", 11, /* confirmed */ true)).isFalse();
            assertThat(vault.bytes()).isEqualTo(16 * 4_096);
        }
    }

    private static boolean isWritten(FileVault vault, String kind, int number, boolean confirmed)
            throws IOException {
        String id = kind + number;
        try {
            long _ =
                    vault.write(
                            SessionKey.of(id),
                            new StoredSession(id, confirmed, 1, 2, 3, 60, 0, new byte[100]));
            return true;
        } catch (VaultFullException e) {
            return false;
        }
    }

    @Test
    void writeThatFailsLeavesNoFile() throws Exception {
        Path part = folder.resolve(KEY.hex().substring(0, 2));
        Path obstacle = Files.createDirectories(part.resolve(KEY.hex()).resolve("x"));
        try (FileVault vault = open()) {
            assertThatThrownBy(() -> vault.write(KEY, SESSION)).isInstanceOf(IOException.class);
            try (Stream<Path> files = Files.list(part)) {
                assertThat(files).containsExactly(obstacle.getParent());
            }
            assertThat(vault.bytes()).isZero();
        }
    }

    @Test
    void sessionWithoutTimeoutIsNeverOverdue() throws Exception {
        StoredSession endless =
                new StoredSession("endless", true, 1, 2, 1_000_000, 0, 0, new byte[100]);
        try (FileVault vault = open()) {
            long _ = vault.write(SessionKey.of("endless"), endless);
            long _ = vault.write(KEY, SESSION);
            vault.touch(SessionKey.of("endless"), 1_000_001, 0);
            assertThat(overdue(vault, Long.MAX_VALUE - 1)).containsExactly(KEY);
            assertThat(overdue(vault, Long.MAX_VALUE))
                    .containsExactlyInAnyOrder(KEY, SessionKey.of("endless"));
        }
        try (FileVault vault = open()) {
            assertThat(overdue(vault, Long.MAX_VALUE - 1)).containsExactly(KEY);
        }
    }

    private static List<SessionKey> overdue(FileVault vault, long nowMillis) {
        List<SessionKey> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.addAll(vault.overdue(nowMillis, 10));
        }
        return all;
    }

    /// A loss of power must not lose a name on the way to a session that a request has stored.
    @Test
    void newNamesAreForcedUpToTheRoot() throws Exception {
        List<Path> forced = new ArrayList<>();
        Path place = folder.resolve("new/shop");
        FileVault.Mode syncs = new FileVault.Mode(/* survives */ true, /* syncs */ true);
        SessionFile.Forcing forcing =
                (path, _) -> {
                    if (forced.isEmpty()) {
                        assertThat(place).as("before its name is forced").exists();
                    }
                    forced.add(path);
                };
        System.Logger log = System.getLogger("test");
        try (FileVault vault =
                FileVault.open(place, syncs, VaultLimits.STANDARD, log, 1_000_000, forcing)) {
            assertThat(forced)
                    .startsWith(place.getParent(), folder, folder.getParent())
                    .endsWith(folder.getRoot());
            forced.clear();
            long _ = vault.write(KEY, SESSION);
            Path part = place.resolve(KEY.hex().substring(0, 2));
            Path file = part.resolve(KEY.hex());
            assertThat(forced).hasSize(3).endsWith(part, place);
            assertThat(forced.getFirst()).as("its content").hasParentRaw(part);
            forced.clear();
            long _ = vault.write(KEY, SESSION);
            assertThat(forced).as("its name is known").containsExactly(file);
        }
    }

    /// The first write into a folder creates it, and has not forced its name yet.
    @Test
    void secondWriteIntoANewFolderForcesItsNameToo() throws Exception {
        List<Path> forced = new ArrayList<>();
        AtomicInteger fails = new AtomicInteger(1);
        FileVault.Mode syncs = new FileVault.Mode(/* survives */ true, /* syncs */ true);
        SessionFile.Forcing forcing =
                (path, _) -> {
                    if (folder.equals(path.getParent()) && fails.getAndDecrement() > 0) {
                        throw new IOException("the first write ends here");
                    }
                    forced.add(path);
                };
        System.Logger log = System.getLogger("test");
        try (FileVault vault =
                FileVault.open(folder, syncs, VaultLimits.STANDARD, log, 1_000_000, forcing)) {
            forced.clear();
            assertThatThrownBy(() -> vault.write(KEY, SESSION)).hasMessageContaining("ends here");
            long _ = vault.write(KEY, SESSION);
            assertThat(forced).endsWith(folder);
        }
    }

    @Test
    void withoutSyncNothingIsForced() throws Exception {
        SessionFile.Forcing forcing =
                (path, _) -> {
                    throw new IOException("forced " + path);
                };
        FileVault.Mode mode = new FileVault.Mode(/* survives */ true, /* syncs */ false);
        System.Logger log = System.getLogger("test");
        try (FileVault vault =
                FileVault.open(folder, mode, VaultLimits.STANDARD, log, 1_000_000, forcing)) {
            assertThat(vault.write(KEY, SESSION)).isZero();
        }
    }

    private static Object node(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }

    private static StoredSession sized(int bytes, long accessedMillis) {
        return new StoredSession(
                "AAAAAAAAAAAAAAAAAAAAAA", true, 1, 2, accessedMillis, 60, 0, new byte[bytes]);
    }

    /// A new file costs some file systems a hundred times what a write costs.
    @Test
    void shortSessionIsChangedInItsFile() throws Exception {
        Path file = folder.resolve(KEY.hex().substring(0, 2)).resolve(KEY.hex());
        try (FileVault vault = open()) {
            long _ = vault.write(KEY, SESSION);
            Object first = node(file);
            for (int bytes : new int[] {0, 1_900, 30, 1_500}) {
                long _ = vault.write(KEY, sized(bytes, 3));
                assertThat(read(vault)).hasSize(bytes);
                assertThat(node(file)).isEqualTo(first);
                assertThat(vault.bytes()).isEqualTo(4_096);
            }
        }
    }

    private static byte[] read(FileVault vault) throws IOException {
        return requireNonNull(vault.read(KEY)).attributes();
    }

    @Test
    void sessionMayBecomeLongAndShortAgain() throws Exception {
        for (int bytes : new int[] {100, 3_000, 100, 10_000, 3_000, 20, 30}) {
            try (FileVault vault = open()) {
                long _ = vault.write(KEY, sized(bytes, 3));
                assertThat(read(vault)).hasSize(bytes);
                assertThat(vault.bytes()).isEqualTo(bytes == 10_000 ? 3 * 4_096 : 4_096);
            }
            try (FileVault vault = open();
                    Stream<Path> files = Files.walk(folder)) {
                assertThat(read(vault)).hasSize(bytes);
                assertThat(files.filter(Files::isRegularFile)).hasSize(2); // and the owner's
            }
        }
    }

    /// A change that a loss of power has left half done does not take the session away.
    @Test
    void sessionWhoseLastChangeIsDamagedIsAsBefore() throws Exception {
        Path file = folder.resolve(KEY.hex().substring(0, 2)).resolve(KEY.hex());
        try (FileVault vault = open()) {
            long _ = vault.write(KEY, sized(100, 3));
            long _ = vault.write(KEY, sized(101, 3));
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 1;
            Files.write(file, bytes);
            assertThat(read(vault)).hasSize(100);
            long _ = vault.write(KEY, sized(102, 3));
            assertThat(read(vault)).hasSize(102);
        }
        try (FileVault vault = open()) {
            assertThat(read(vault)).hasSize(102);
        }
    }

    /// A loss of power may leave a name without its content.
    @Test
    void emptyFileIsRemovedWithoutAWord() throws Exception {
        Path part = Files.createDirectories(folder.resolve(KEY.hex().substring(0, 2)));
        Path file = Files.createFile(part.resolve(KEY.hex()));
        List<String> lines = new ArrayList<>();
        FileVault.Mode mode = new FileVault.Mode(/* survives */ true, /* syncs */ false);
        System.Logger log = SessionFixture.logTo(lines);
        try (FileVault vault = FileVault.open(folder, mode, VaultLimits.STANDARD, log, 1_000_000)) {
            assertThat(vault.size()).isZero();
            assertThat(file).doesNotExist();
            assertThat(lines).isEmpty();
            long _ = vault.write(KEY, SESSION);
            assertThat(read(vault)).hasSize(100);
        }
    }

    /// A file that cannot be opened must not keep its session from being stored.
    @Test
    void fileThatCannotBeReadIsReplaced() throws Exception {
        Path file = folder.resolve(KEY.hex().substring(0, 2)).resolve(KEY.hex());
        try (FileVault vault = open()) {
            long _ = vault.write(KEY, SESSION);
            Files.delete(file);
            Files.createSymbolicLink(file, file); // in a circle
            long _ = vault.write(KEY, sized(200, 3));
            assertThat(read(vault)).hasSize(200);
        }
    }

    /// Only the content decides how old a session is that was just written.
    @Test
    void changeEndsTheTimeOfAWrongClock() throws Exception {
        try (FileVault vault = open()) {
            long _ = vault.write(KEY, sized(100, 1_000_000));
            vault.touch(KEY, 900_000_000, 60);
            long _ = vault.write(KEY, sized(100, 1_001_000));
            assertThat(requireNonNull(vault.read(KEY)).accessedMillis()).isEqualTo(1_001_000);
        }
    }

    /// Files that are not known, as after a removal that failed, give way.
    @Test
    void unknownFileIsReplaced() throws Exception {
        Path part = Files.createDirectories(folder.resolve(KEY.hex().substring(0, 2)));
        try (FileVault vault = open()) {
            Files.writeString(part.resolve(KEY.hex()), "x".repeat(5_000));
            long _ = vault.write(KEY, SESSION);
            assertThat(read(vault)).hasSize(100);
            Files.writeString(part.resolve(KEY.hex()), "damaged");
            long _ = vault.write(KEY, SESSION);
            assertThat(read(vault)).hasSize(100);
            Files.delete(part.resolve(KEY.hex()));
            long _ = vault.write(KEY, SESSION);
            assertThat(read(vault)).hasSize(100);
        }
    }

    @Test
    void timeOfUseIsStoredAlone() throws Exception {
        for (int bytes : new int[] {100, 5_000}) {
            try (FileVault vault = open()) {
                long _ = vault.write(KEY, sized(bytes, 1_000_000));
                vault.touch(KEY, 1_050_000, 60);
                assertThat(requireNonNull(vault.read(KEY)).accessedMillis()).isEqualTo(1_050_000);
            }
            try (FileVault vault = open()) {
                assertThat(overdue(vault, 1_109_000)).isEmpty();
                assertThat(overdue(vault, 1_111_001)).containsExactly(KEY);
                Thread.currentThread().interrupt();
                vault.touch(KEY, 1_060_000, 60);
                assertThat(Thread.interrupted()).isTrue();
                assertThat(requireNonNull(vault.read(KEY)).accessedMillis()).isEqualTo(1_060_000);
            }
        }
    }

    /// A reader may see a change half done.
    @Test
    void readerDoesNotTakeAChangeForDamage() throws Exception {
        try (FileVault vault = open();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            long _ = vault.write(KEY, SESSION);
            Future<?> writer =
                    threads.submit(() -> {
                        for (int i = 0; i < 10_000; i++) {
                            long _ = vault.write(KEY, sized(1_000 + i % 900, 3));
                        }
                        return null;
                    });
            while (!writer.isDone()) { // a read throws if it takes the change for damage
                assertThat(vault.read(KEY)).isNotNull();
            }
            writer.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void fileThatTheDiskDoesNotTakeIsNotLeftBehind() throws Exception {
        AtomicInteger failures = new AtomicInteger(1);
        FileVault.Mode syncs = new FileVault.Mode(/* survives */ true, /* syncs */ true);
        Path file = folder.resolve(KEY.hex().substring(0, 2)).resolve(KEY.hex());
        SessionFile.Forcing forcing =
                (path, _) -> {
                    if (path.toString().endsWith(".tmp") && failures.getAndDecrement() > 0) {
                        throw new IOException("the disk fails");
                    }
                };
        System.Logger log = System.getLogger("test");
        try (FileVault vault =
                FileVault.open(folder, syncs, VaultLimits.STANDARD, log, 1_000_000, forcing)) {
            assertThatThrownBy(() -> vault.write(KEY, SESSION)).hasMessageContaining("disk fails");
            assertThat(file.getParent()).isEmptyDirectory();
            assertThat(vault.size()).isZero();
            long _ = vault.write(KEY, SESSION);
            assertThat(read(vault)).hasSize(100);
        }
    }

    /// What is new in a folder is forced later if that failed at first.
    @Test
    void nameThatCouldNotBeForcedIsForcedByTheNextWrite() throws Exception {
        List<Path> forced = new ArrayList<>();
        AtomicInteger failsAt = new AtomicInteger(-1);
        FileVault.Mode syncs = new FileVault.Mode(/* survives */ true, /* syncs */ true);
        Path part = folder.resolve(KEY.hex().substring(0, 2));
        SessionFile.Forcing forcing =
                (path, _) -> {
                    if (path.equals(part) && failsAt.getAndDecrement() == 0) {
                        throw new IOException("the disk fails");
                    }
                    forced.add(path);
                };
        System.Logger log = System.getLogger("test");
        try (FileVault vault =
                FileVault.open(folder, syncs, VaultLimits.STANDARD, log, 1_000_000, forcing)) {
            long _ = vault.write(KEY, SESSION);
            vault.remove(KEY);
            failsAt.set(0);
            assertThatThrownBy(() -> vault.write(KEY, SESSION)).hasMessageContaining("disk fails");
            forced.clear();
            long _ = vault.write(KEY, SESSION);
            assertThat(forced).contains(part);
        }
    }

    @Test
    void countsWhatItKeeps() throws Exception {
        try (FileVault vault = open()) {
            long _ = vault.write(KEY, SESSION);
            long _ = vault.write(KEY, SESSION); // in its own place
            assertThat(vault.size()).isEqualTo(1);
            assertThat(vault.bytes()).isEqualTo(4_096);
        }
        try (FileVault vault = open()) {
            assertThat(vault.size()).isEqualTo(1);
            assertThat(vault.bytes()).isEqualTo(4_096);
            vault.remove(KEY);
            vault.remove(KEY);
            assertThat(vault.size()).isZero();
            assertThat(vault.bytes()).isZero();
        }
    }

    @Test
    void sessionOfAFullVaultIsReplaced() throws Exception {
        VaultLimits limits = VaultLimits.STANDARD.withDiskMaxBytes(4 * 4_096);
        FileVault.Mode mode = new FileVault.Mode(true, false);
        try (FileVault vault =
                FileVault.open(folder, mode, limits, System.getLogger("test"), 1_000_000)) {
            assertThat(isWritten(vault, "u", 0, /* confirmed */ false)).isTrue();
            assertThat(isWritten(vault, "u", 1, /* confirmed */ false)).isTrue();
            assertThat(isWritten(vault, "u", 2, /* confirmed */ false)).isFalse();
            assertThat(isWritten(vault, "u", 1, /* confirmed */ false)).isTrue();
            assertThat(isWritten(vault, "c", 0, /* confirmed */ true)).isTrue();
            assertThat(isWritten(vault, "c", 1, /* confirmed */ true)).isTrue();
            assertThat(isWritten(vault, "c", 1, /* confirmed */ true)).isTrue();
            assertThat(isWritten(vault, "c", 2, /* confirmed */ true)).isFalse();
            assertThat(vault.bytes()).isEqualTo(4 * 4_096);
        }
    }

    /// Closing any channel of a locked file drops the lock of the whole process.
    @Test
    void secondAttemptInTheSameProcessDoesNotGiveTheFolderAway() throws Exception {
        try (FileVault _ = open()) {
            assertThatThrownBy(this::open).hasMessageContaining("belongs to another server");
            assertThat(lockSeenByAnotherProcess()).isEqualTo("taken");
        }
        assertThat(lockSeenByAnotherProcess()).isEqualTo("free");
        open().close();
    }

    private String lockSeenByAnotherProcess() throws Exception {
        Path program = folder.resolve("Look.java");
        Files.writeString(
                program,
                """
                import java.nio.channels.FileChannel;
                import java.nio.file.*;

                class Look {
                    public static void main(String[] args) throws Exception {
                        try (FileChannel file =
                                FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
                            System.out.print(file.tryLock() == null ? "taken" : "free");
                        }
                    }
                }
                """);
        Process look =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                program.toString(),
                                folder.resolve(FolderOwner.FILE).toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String answer = new String(look.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        look.waitFor();
        return answer;
    }
}
