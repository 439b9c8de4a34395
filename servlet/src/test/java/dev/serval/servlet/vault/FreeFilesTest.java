package dev.serval.servlet.vault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// New sessions take the files of those that have ended, and nothing else of them.
@Timeout(120)
final class FreeFilesTest {
    private static final System.Logger LOG = System.getLogger("test");
    private static final String MARK = "of the session that has ended";

    @TempDir private Path folder;

    private final List<Path> forced = new ArrayList<>();
    private int made;

    private FileVault open(boolean survives, boolean syncs, VaultLimits limits) throws IOException {
        return FileVault.open(
                folder,
                new FileVault.Mode(survives, syncs),
                limits,
                LOG,
                1_000_000,
                (path, _) -> forced.add(path));
    }

    private FileVault open() throws IOException {
        return open(/* survives */ true, /* syncs */ false, VaultLimits.STANDARD);
    }

    /// Returns a session whose file is in folder `00`.
    private StoredSession session(String content) {
        while (true) {
            String id = String.format("%022d", made++);
            if (SessionKey.of(id).hex().startsWith("00")) {
                byte[] attributes = content.getBytes(StandardCharsets.US_ASCII);
                return new StoredSession(id, true, 1, 2, 3, 60, /* version */ 0, attributes);
            }
        }
    }

    private static SessionKey key(StoredSession session) {
        return SessionKey.of(session.id());
    }

    private static void write(FileVault vault, StoredSession session) throws IOException {
        long _ = vault.write(key(session), session);
    }

    private Path file(StoredSession session) {
        return folder.resolve("00").resolve(key(session).hex());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("00"))) {
            return all.toList();
        }
    }

    private static Object node(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino");
    }

    private static boolean isSame(@Nullable StoredSession read, StoredSession written) {
        return read != null
                && read.id().equals(written.id())
                && Arrays.equals(read.attributes(), written.attributes());
    }

    @Test
    void newSessionTakesTheFileOfOneThatHasEnded() throws IOException {
        StoredSession ended = session(MARK);
        StoredSession next = session("of the next one");
        try (FileVault vault = open()) {
            write(vault, ended);
            write(vault, ended.withVersion(0)); // both records
            Object node = node(file(ended));
            vault.remove(key(ended));
            assertThat(file(ended)).doesNotExist();
            assertThat(Files.readAllBytes(files().getFirst())).containsOnly(0);
            assertThat(vault.size()).isZero();
            assertThat(vault.bytes()).isZero();

            write(vault, next);
            assertThat(files()).containsExactly(file(next));
            assertThat(node(file(next))).isEqualTo(node);
            assertThat(isSame(vault.read(key(next)), next)).isTrue();
            assertThat(Files.readString(file(next), StandardCharsets.ISO_8859_1))
                    .doesNotContain(MARK, ended.id());
        }
        try (FileVault vault = open()) {
            assertThat(isSame(vault.read(key(next)), next)).isTrue();
        }
    }

    @Test
    void freeFilesEndWithTheVaultAndAtTheNextStart() throws IOException {
        StoredSession ended = session("a");
        StoredSession stays = session("b");
        try (FileVault vault = open()) {
            write(vault, ended);
            write(vault, stays);
            vault.remove(key(ended));
            assertThat(files()).hasSize(2);
        }
        assertThat(files()).containsExactly(file(stays));

        Files.copy(
                file(stays),
                file(stays).resolveSibling("free.9.tmp")); // of a process that was killed
        try (FileVault vault = open()) {
            assertThat(vault.size()).isEqualTo(1);
            assertThat(files()).containsExactly(file(stays));
        }
        try (FileVault vault =
                open(/* survives */ false, /* syncs */ false, VaultLimits.STANDARD)) {
            write(vault, ended);
            vault.remove(key(ended));
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void fewAreKept() throws IOException {
        List<StoredSession> sessions =
                Stream.generate(() -> session("a")).limit(3L * FreeFiles.FOLDER_MAX).toList();
        try (FileVault vault = open()) {
            endAll(vault, sessions);
            assertThat(files()).hasSize(FreeFiles.FOLDER_MAX);
            endAll(vault, sessions); // their places are free again
            assertThat(files()).hasSize(FreeFiles.FOLDER_MAX);
        }
        VaultLimits small = VaultLimits.STANDARD.withDiskMaxBytes(64 * 4_096);
        try (FileVault vault = open(/* survives */ true, /* syncs */ false, small)) {
            endAll(vault, sessions);
            assertThat(files()).as("a sixteenth of the quota").hasSize(4);
        }
    }

    private static void endAll(FileVault vault, List<StoredSession> sessions) throws IOException {
        for (StoredSession each : sessions) {
            write(vault, each);
        }
        for (StoredSession each : sessions) {
            vault.remove(key(each));
        }
    }

    @Test
    void filesOfLongSessionsAreDeleted() throws IOException {
        StoredSession ended = session("a".repeat(5_000));
        try (FileVault vault = open()) {
            write(vault, ended);
            vault.remove(key(ended));
            assertThat(files()).isEmpty();
        }
    }

    @Test
    void longSessionTakesNone() throws IOException {
        StoredSession ended = session("a");
        StoredSession next = session("b".repeat(5_000));
        try (FileVault vault = open()) {
            write(vault, ended);
            vault.remove(key(ended));
            write(vault, next);
            assertThat(files()).hasSize(2);
            assertThat(isSame(vault.read(key(next)), next)).isTrue();
        }
    }

    @Test
    void freeFileThatSomebodyHasRemovedIsNotMissed() throws IOException {
        StoredSession ended = session("a");
        StoredSession next = session("b");
        try (FileVault vault = open()) {
            write(vault, ended);
            vault.remove(key(ended));
            Files.delete(files().getFirst());
            write(vault, next);
            assertThat(isSame(vault.read(key(next)), next)).isTrue();
        }
    }

    @Test
    void diskHasTheContentAndTheNameOfASessionInAFreeFile() throws IOException {
        StoredSession ended = session("a");
        StoredSession next = session("b");
        try (FileVault vault = open(/* survives */ true, /* syncs */ true, VaultLimits.STANDARD)) {
            write(vault, ended);
            vault.remove(key(ended));
            Path free = files().getFirst();
            forced.clear();
            write(vault, next);
            assertThat(forced).containsExactly(free, folder.resolve("00"));
        }
    }

    /// Only a mistake of the server, or of another program, could lead to it.
    @Test
    void sessionIsNeverWrittenIntoTheFileOfAnotherOne() throws IOException {
        StoredSession one = session("one");
        StoredSession two = session("two");
        try (FileVault vault = open()) {
            write(vault, one);
            write(vault, two);
            Files.copy(file(two), file(one), StandardCopyOption.REPLACE_EXISTING);
            write(vault, one);
            assertThat(isSame(vault.read(key(one)), one)).isTrue();
            assertThat(Files.readString(file(one), StandardCharsets.ISO_8859_1))
                    .doesNotContain(two.id());
        }
    }

    /// A reader may have opened the file just before.
    @Test
    void readerDoesNotTakeTheNextSessionForDamage() throws Exception {
        List<StoredSession> sessions = Stream.generate(() -> session("a")).limit(100).toList();
        AtomicInteger current = new AtomicInteger();
        try (FileVault vault = open();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<?> writer =
                    threads.submit(() -> {
                        for (int i = 0; i < 5_000; i++) {
                            StoredSession session = sessions.get(i % sessions.size());
                            write(vault, session);
                            current.set(i % sessions.size());
                            vault.remove(key(session));
                        }
                        return null;
                    });
            while (!writer.isDone()) { // a read throws if it takes the next session for damage
                StoredSession session = sessions.get(current.get());
                @Nullable StoredSession found = vault.read(key(session));
                assertThat(found == null || isSame(found, session)).isTrue();
            }
            writer.get(60, TimeUnit.SECONDS);
            assertThat(vault.size()).isZero();
            assertThat(files()).hasSize(1);
        }
    }
}
