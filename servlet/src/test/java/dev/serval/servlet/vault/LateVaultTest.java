package dev.serval.servlet.vault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A folder of sessions that the predecessor of a server still has.
@Timeout(60)
final class LateVaultTest {
    private static final String ID = "AAAAAAAAAAAAAAAAAAAAAA";
    private static final SessionKey KEY = SessionKey.of(ID);
    private static final StoredSession SESSION =
            new StoredSession(ID, true, 1, 2, 3, 60, /* version */ 0, new byte[100]);

    @TempDir private Path folder;
    private final FileVaults predecessor = new FileVaults();
    private final FileVaults successor = new FileVaults(Duration.ofSeconds(30));

    private SessionVault open(FileVaults vaults) throws IOException {
        return vaults.open(
                folder,
                new FileVault.Mode(/* survives */ true, /* syncs */ false),
                VaultLimits.STANDARD,
                System.getLogger("test"),
                1_000_000);
    }

    @Test
    void callsWaitUntilThePredecessorHasStoredItsSessions() throws Exception {
        SessionVault before = open(predecessor);
        SessionVault late = open(successor);
        AtomicInteger adopted = new AtomicInteger(-1);
        late.whenKnown(() -> adopted.set(late.size()));
        assertThat(late.isAwaited()).isTrue();
        assertThat(late.mayContain(KEY)).as("nobody knows yet").isTrue();
        assertThat(late.overdue(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(late.size()).isZero();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<@Nullable StoredSession> reading = threads.submit(() -> late.read(KEY));
            long _ = before.write(KEY, SESSION);
            assertThat(reading.isDone()).isFalse();
            before.close();
            assertThat(Objects.requireNonNull(reading.get()).id()).isEqualTo(ID);
        }
        Await.until("the sessions are counted", () -> adopted.get() == 1);
        assertThat(late.isAwaited()).isFalse();
        assertThat(late.mayContain(SessionKey.of("BBBBBBBBBBBBBBBBBBBBBB"))).isFalse();
        late.close();
    }

    /// Requests must look for their session, although none is known yet.
    @Test
    void storeMayHaveSessionsWhileTheyAreAwaited() throws Exception {
        SessionVault before = open(predecessor);
        SessionVault late = open(successor);
        SessionFixture f = SessionFixture.over(late, SessionLimits.STANDARD, true, true);
        assertThat(f.store.hasOthers()).isTrue();
        before.close();
        Await.until("they are known", () -> !late.isAwaited());
        assertThat(f.store.hasOthers()).as("there are none").isFalse();
        f.sessions.close();
    }

    /// Otherwise the move of sessions between versions would remove what both have.
    @Test
    void versionsOfAnApplicationShareIt() throws Exception {
        SessionVault before = open(predecessor);
        SessionVault late = open(successor);
        assertThat(open(successor)).isSameAs(late);
        before.close();
        long _ = late.write(KEY, SESSION);
        assertThat(open(successor)).isSameAs(late);
        late.close();
        late.close();
        assertThat(late.read(KEY)).isNotNull();
        assertThatThrownBy(() -> open(new FileVaults()))
                .as("one user is left")
                .isInstanceOf(FolderTakenException.class);
        late.close();
        try (SessionVault next = open(predecessor)) {
            assertThat(next.isAwaited()).isFalse();
            assertThat(next.size()).isEqualTo(1);
        }
    }

    @Test
    void predecessorThatKeepsTheFolderFailsCallsInTheEnd() throws Exception {
        try (SessionVault _ = open(predecessor);
                SessionVault late = open(new FileVaults(Duration.ofMillis(20)))) {
            assertThatThrownBy(() -> late.read(KEY))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("The former server has not given back the folder")
                    .hasMessageContaining("belongs to another server that runs");
            assertThat(late.isAwaited()).isTrue();
        }
    }

    @Test
    void withoutPredecessorAFolderOfAnotherServerIsRefused() throws Exception {
        try (SessionVault _ = open(predecessor)) {
            assertThatThrownBy(() -> open(new FileVaults()))
                    .isInstanceOf(FolderTakenException.class);
        }
    }

    @Test
    void closedBeforeItWasOpenedItLeavesTheFolder() throws Exception {
        SessionVault before = open(predecessor);
        open(successor).close();
        before.close();
        Await.until(
                "another server gets the folder",
                () -> {
                    try (SessionVault _ = open(new FileVaults())) {
                        return true;
                    } catch (FolderTakenException e) { // the thread has it for a moment
                        return false;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }
}
