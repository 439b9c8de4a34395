package dev.serval.servlet.kept;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.servlet.session.Session;
import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.session.StoredCopy;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.VaultLimits;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is stored of a session follows each step of its life, and no step holds up an event loop.
final class StoredSessionsTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 0, 60 * SECOND, 10 * SECOND);

    @TempDir private Path folder;
    private final List<SessionFixture> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(each -> each.sessions.close());
    }

    private long quota = VaultLimits.STANDARD.diskMaxBytes();

    private FileVault vault(boolean survives) throws IOException {
        return FileVault.open(
                folder,
                new FileVault.Mode(survives, /* syncs */ false),
                VaultLimits.STANDARD.withDiskMaxBytes(quota),
                System.getLogger("test"),
                1_000_000);
    }

    private SessionFixture saving() throws IOException {
        return opened(SessionFixture.over(vault(true), LIMITS, true, true));
    }

    private SessionFixture savingAtAStop() throws IOException {
        return opened(SessionFixture.over(vault(true), LIMITS, true, false));
    }

    private SessionFixture temporary(SessionLimits limits) throws IOException {
        return opened(SessionFixture.over(vault(false), limits, false, false));
    }

    private SessionFixture opened(SessionFixture f) {
        opened.add(f);
        return f;
    }

    private static KeptSessions storeOf(SessionFixture f) {
        return (KeptSessions) f.store;
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("owner.lock"))
                    .filter(file -> !file.toString().endsWith(".tmp")) // kept for new sessions
                    .count();
        }
    }

    /// Has all sessions leave the memory but the last ones.
    private static void crowd(SessionFixture f) {
        f.pass(SECOND);
        for (int i = 0; i < 40; i++) {
            f.createWith("n", i);
        }
    }

    @Test
    void saveThatBeginsBeforeTheEndOfItsSessionLeavesNothing() throws IOException {
        SessionFixture f = saving();
        SessionFacade facade = f.sessions.create();
        facade.setAttribute("user", "ada");
        Session session = requireNonNull(storeOf(f).inMemory(facade.getId()));
        facade.invalidate();
        storeOf(f).saver().save(session); // by another request, which found it alive
        facade.release();
        assertThat(files()).isZero();
        assertThat(f.sessions.join(facade.getId())).isNull();
    }

    /// Spring Security keeps such a map with the request that waits for a login.
    @Test
    void mapThatIgnoresCaseSurvivesARestart() throws IOException {
        Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        fields.put("Accept", "text/html");
        SessionFixture before = saving();
        String id = before.createWith("fields", fields);
        before.sessions.close();
        assertThat(saving().request(id, "fields", null))
                .isInstanceOfSatisfying(
                        TreeMap.class, map -> assertThat(map.get("ACCEPT")).isEqualTo("text/html"));
    }

    /// An event loop touches sessions. A Worker may hold these locks while it writes.
    @Test
    void touchTakesNoLock() throws Exception {
        SessionFixture f = saving();
        String id = f.createWith("v", 1);
        f.pass(50 * SECOND);
        Session session = requireNonNull(storeOf(f).inMemory(id));
        StoredCopy copy = requireNonNull(session.copy());
        try (ExecutorService loop = Executors.newSingleThreadExecutor()) {
            synchronized (session) {
                synchronized (copy) {
                    Future<Boolean> touched = loop.submit(() -> f.sessions.touch(List.of(id)));
                    assertThat(touched.get(10, TimeUnit.SECONDS)).isTrue();
                }
            }
        }
        f.pass((29 * 60 + 50) * SECOND);
        assertThat(f.isAlive(id)).isTrue();
    }

    /// Else a crash would end a session whose client asks for files only.
    @Test
    void touchOfASessionWhoseStoredTimeIsOldIsLeftToAWorker() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("v", 1);
        f.pass(60 * SECOND);
        assertThat(f.sessions.touch(List.of(id))).isTrue();
        f.pass(SECOND);
        assertThat(f.sessions.touch(List.of(id))).isFalse();
        assertThat(f.sessions.access(id)).isFalse();
        f.request(id, "v", null);
        assertThat(f.sessions.touch(List.of(id))).isTrue();
        String other = f.createWith("v", new ArrayList<>(List.of(new Object())));
        f.touch(other);
        f.pass(61 * SECOND);
        assertThat(f.sessions.touch(List.of(other))).as("nothing is stored").isTrue();
    }

    /// The vault may have the form whose writing failed.
    @Test
    void sessionIsStoredAgainAfterAWriteThatFailed() throws IOException {
        FileVault files = vault(true);
        AtomicBoolean fails = new AtomicBoolean();
        SessionVault failing =
                (SessionVault)
                        Proxy.newProxyInstance(
                                SessionVault.class.getClassLoader(),
                                new Class<?>[] {SessionVault.class},
                                (_, method, arguments) -> {
                                    Object result = method.invoke(files, arguments);
                                    if (method.getName().equals("write") && fails.get()) {
                                        throw new IOException("the disk fails");
                                    }
                                    return result;
                                });
        SessionFixture f = opened(SessionFixture.over(failing, LIMITS, true, true));
        String id = f.createWith("user", "nobody");
        f.request(id, "user", "nobody");
        byte[] before = requireNonNull(files.read(SessionKey.of(id))).attributes();
        fails.set(true);
        f.request(id, "user", "ada");
        fails.set(false);
        f.request(id, "user", "nobody");
        assertThat(requireNonNull(files.read(SessionKey.of(id))).attributes()).isEqualTo(before);
    }

    @Test
    void touchOfASessionOutsideMemoryIsLeftToAWorker() throws IOException {
        SessionFixture f = temporary(LIMITS);
        String id = f.createWith("v", 1);
        assertThat(f.sessions.touch(List.of(id))).isTrue();
        crowd(f);
        assertThat(f.sessions.touch(List.of(id))).isFalse();
        assertThat(f.sessions.touch(List.of(f.createIdle())))
                .isFalse(); // no client has confirmed it
    }

    /// The lock of a session is held while its id changes, so no other session is stored then.
    @Test
    void changeOfAnIdStoresNoOtherSession() throws IOException {
        SessionFixture f = temporary(LIMITS);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            ids.add(f.createIdle());
        }
        ids.forEach(f::touch); // too many confirmed ones now
        SessionFacade session = f.join(ids.getFirst());
        session.changeId();
        session.release();
        assertThat(f.sessions.counters().passivated()).isZero();
        f.createIdle();
        assertThat(f.sessions.counters().passivated()).isPositive();
    }

    @Test
    void limitOfAllSessionsIsNotMadeRoomForOnDisk() throws IOException {
        SessionFixture f = temporary(new SessionLimits(20, 100, 50, 0, 60 * SECOND, 10 * SECOND));
        for (int i = 0; i < 20; i++) {
            f.createWith("n", i);
        }
        assertThatIllegalStateException()
                .isThrownBy(f.sessions::create)
                .withMessageContaining("its limit of 20 sessions;");
        assertThat(f.sessions.figures().inMemory()).isEqualTo(20);
    }

    @Test
    void oldIdDoesNotComeBackAfterAStop() throws IOException {
        SessionFixture f = savingAtAStop();
        String id = f.createWith("v", "x");
        crowd(f); // stored under the first id
        SessionFacade session = f.join(id);
        String next = session.changeId();
        session.release();
        f.sessions.close();
        SessionFixture g = savingAtAStop();
        assertThat(g.sessions.join(id)).isNull();
        assertThat(g.request(next, "v", null)).isEqualTo("x");
    }

    @Test
    void oldIdIsRemovedLaterIfTheDiskRefuses() throws IOException {
        HookedVault vault = new HookedVault(vault(true));
        SessionFixture f = opened(SessionFixture.over(vault, LIMITS, true, true));
        String id = f.createWith("v", "x");
        SessionFacade session = f.join(id);
        session.changeId();
        vault.refusesToRemove = true;
        session.save();
        session.release();
        assertThat(vault.mayContain(SessionKey.of(id))).isTrue();
        vault.refusesToRemove = false;
        f.passWithTicks(1);
        assertThat(vault.mayContain(SessionKey.of(id))).isFalse();
    }

    /// The stored form is of an earlier state, in which the user may still be logged in.
    @Test
    void sessionThatCannotBeStoredAnyMoreLeavesNoOldForm() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("user", "ada");
        assertThat(files()).isEqualTo(1);
        f.request(id, "user", new Object[] {new Thread()});
        assertThat(files()).isZero();
        f.request(id, "user", "eve"); // and is stored again as soon as it can be
        assertThat(files()).isEqualTo(1);
        f.sessions.close();
        assertThat(saving().request(id, "user", null)).isEqualTo("eve");
    }

    @Test
    void sessionOfARequestWithoutItsEndIsStored() throws IOException {
        SessionFixture f = saving();
        SessionFacade session = f.sessions.create();
        session.setAttribute("v", "x");
        session.release(); // the client has gone before the request was complete
        assertThat(files()).isEqualTo(1);
    }

    @Test
    void timeOfTheLastUseSurvivesAStop() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("v", "x");
        f.pass(50 * SECOND);
        f.request(id, "v", null); // too soon to record it
        f.sessions.close();
        SessionFixture g = saving();
        g.nowNanos = f.nowNanos;
        g.pass((29 * 60 + 30) * SECOND);
        assertThat(g.isAlive(id)).isTrue();
    }

    @Test
    void sessionsThatWereNotUsedForLongestAreChosen() throws IOException {
        SessionFixture f =
                temporary(new SessionLimits(1_000, 100, 50, 0, 60 * SECOND, 10 * SECOND));
        Map<String, Session> all = new ConcurrentHashMap<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            String id = f.createWith("n", i);
            ids.add(id);
            all.put(id, requireNonNull(storeOf(f).inMemory(id)));
            f.pass(SECOND);
        }
        SessionFacade used = f.join(ids.get(0));
        assertThat(new IdleSample(all).oldest())
                .extracting(Session::id)
                .containsExactlyElementsOf(ids.subList(1, 9));
        used.release();
    }

    @Test
    void entryThatCannotBeReadDoesNotPreventTheStart() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("v", "x");
        f.sessions.close();
        Files.createDirectories(folder.resolve("00").resolve("0".repeat(32)).resolve("x"));
        Files.createFile(folder.resolve("ff"));
        assertThat(saving().request(id, "v", null)).isEqualTo("x");
    }

    @Test
    void fullQuotaLosesNoStoredSessionAtAStop() throws IOException {
        quota = 6 * 4_096;
        SessionFixture f = saving();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ids.add(f.createWith("v", "x"));
        }
        f.request(ids.getFirst(), "v", "y".repeat(5_000)); // has no room
        assertThat(f.logged).hasSize(1);
        f.sessions.close();
        SessionFixture g = saving();
        for (String id : ids) {
            assertThat(g.request(id, "v", null)).isEqualTo("x");
        }
        assertThat(f.sessions.counters().lost()).isZero();
    }

    /// Two requests of a session at the same time may change a list while it is written.
    @Test
    void attributeThatCannotBeWrittenOnceKeepsTheFormBefore() throws IOException {
        FileVault vault = vault(true);
        SessionFixture f = opened(SessionFixture.over(vault, LIMITS, true, true));
        String id = f.createWith("v", "x");
        byte[] before = requireNonNull(vault.read(SessionKey.of(id))).attributes();
        Flaky.failures.set(2); // at the end of the servlet and of the request
        f.request(id, "flaky", new Flaky("new"));
        assertThat(Flaky.failures).hasValue(0);
        assertThat(requireNonNull(vault.read(SessionKey.of(id))).attributes()).isEqualTo(before);
        assertThat(f.logged).hasSize(1);
        assertThat(f.logged.getFirst()).contains("Flaky", "again");
        f.request(id, "flaky", null);
        f.sessions.close();
        assertThat(saving().request(id, "flaky", null)).isEqualTo(new Flaky("new"));
    }

    @Test
    void attributeThatCannotBeWrittenAtAStopLeavesTheFormBefore() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("v", "x");
        Flaky.failures.set(100);
        f.request(id, "flaky", new Flaky("new"));
        f.takeEvents();
        f.sessions.close();
        Flaky.failures.set(0);
        assertThat(f.takeEvents()).isEmpty();
        assertThat(saving().request(id, "v", null)).isEqualTo("x");
    }

    record Flaky(String text) implements Serializable {
        static final AtomicInteger failures = new AtomicInteger();

        private Object writeReplace() {
            if (failures.get() > 0) {
                failures.decrementAndGet();
                throw new ConcurrentModificationException("for the test");
            }
            return this;
        }
    }

    @Test
    void fileThatCannotBeRemovedOnceIsRemovedLater() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("user", "ada");
        Path part = file(id).getParent();
        Path aside = folder.resolve("aside");
        Files.move(part, aside);
        Files.createFile(part); // in which nothing can be deleted
        f.find(id).invalidate();
        assertThat(f.logged).hasSize(1);
        assertThat(f.logged.getFirst())
                .contains("Serval failed to read or store sessions in the folder " + folder);
        Files.delete(part);
        Files.move(aside, part);
        f.passWithTicks(1);
        f.sessions.close();
        assertThat(saving().sessions.join(id)).isNull();
    }

    @Test
    void fileThatCannotBeRemovedOnceIsRemovedAtAStop() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("user", "ada");
        Path part = file(id).getParent();
        Path aside = folder.resolve("aside");
        Files.move(part, aside);
        Files.createFile(part);
        f.find(id).invalidate();
        Files.delete(part);
        Files.move(aside, part);
        f.sessions.close();
        assertThat(saving().sessions.join(id)).isNull();
    }

    private Path file(String id) {
        String name = SessionKey.of(id).hex();
        return folder.resolve(name.substring(0, 2)).resolve(name);
    }

    /// The monotonic clock stands still while a virtual machine is suspended.
    @Test
    void storedTimeIsThatOfTheWallClock() throws IOException {
        FileVault vault = vault(true);
        SessionFixture f = opened(SessionFixture.over(vault, LIMITS, true, true));
        String id = f.createWith("v", "x");
        f.wallStepMillis = TimeUnit.HOURS.toMillis(2);
        f.request(id, "v", "y");
        assertThat(requireNonNull(vault.read(SessionKey.of(id))).accessedMillis())
                .isEqualTo(f.nowMillis());
        f.passWithTicks(90); // all stored sessions are looked at
        assertThat(f.isAlive(id)).isTrue();
    }

    @Test
    void sessionInMemoryOutlivesAStepOfTheWallClock() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("v", "x");
        f.wallStepMillis = TimeUnit.HOURS.toMillis(2);
        f.passWithTicks(90);
        assertThat(f.isAlive(id)).isTrue();
    }

    /// These sessions are for no other start, so only the time that has passed counts.
    @Test
    void temporarySessionOutlivesAStepOfTheWallClock() throws IOException {
        SessionFixture f = temporary(LIMITS);
        String id = f.createWith("v", "x");
        crowd(f);
        f.wallStepMillis = TimeUnit.HOURS.toMillis(2);
        f.passWithTicks(90);
        assertThat(f.isAlive(id)).isTrue();
    }

    @Test
    void storedTimeInTheFutureCountsAsNow() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("v", "x");
        f.sessions.close();
        long later = f.nowMillis() + TimeUnit.DAYS.toMillis(10);
        try (FileVault vault = vault(true)) {
            vault.touch(SessionKey.of(id), later, 30 * 60); // by a wrong clock
        }
        SessionFixture g = saving();
        g.nowNanos = f.nowNanos;
        assertThat(g.isAlive(id)).isTrue();
        g.passWithTicks(31 * 60);
        assertThat(g.isAlive(id)).isFalse();
    }

    @Test
    void interruptedRequestStoresItsSession() throws IOException {
        SessionFixture f = saving();
        String id = f.createWith("v", "x");
        Thread.currentThread().interrupt();
        f.request(id, "v", "y");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(f.logged).isEmpty();
        f.sessions.close();
        assertThat(saving().request(id, "v", null)).isEqualTo("y");
    }
}
