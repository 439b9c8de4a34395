package dev.serval.servlet.kept;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.vault.AttributeCodec;
import dev.serval.servlet.vault.ClassRules;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.VaultLimits;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions that leave the memory, come back, and survive a restart.
final class KeptSessionsTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 0, 60 * SECOND, 10 * SECOND);

    @TempDir private Path folder;
    private VaultLimits vaultLimits = VaultLimits.STANDARD;

    @BeforeEach
    void clear() {
        Value.events.clear();
        Slow.inWrite = Slow.NOTHING;
    }

    private final List<SessionFixture> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(each -> each.sessions.close());
    }

    private SessionFixture open(boolean survives) {
        return open(LIMITS, survives, null);
    }

    private SessionFixture open(
            SessionLimits limits, boolean survives, @Nullable SessionFixture before) {
        List<String> logged = new ArrayList<>();
        ClassLoader loader = getClass().getClassLoader();
        try {
            System.Logger log = SessionFixture.logTo(logged);
            long now = before == null ? 1_000_000 : before.nowMillis();
            FileVault vault =
                    FileVault.open(
                            folder,
                            new FileVault.Mode(survives, /* syncs */ false),
                            vaultLimits,
                            log,
                            now);
            AttributeCodec codec =
                    new AttributeCodec(loader, new ClassRules(loader, List.of()), vaultLimits);
            KeptSessions store =
                    new KeptSessions(
                            new KeptSessions.Setup(vault, codec, survives, survives, survives));
            SessionFixture f =
                    new SessionFixture(limits, SessionFixture.TIMEOUT_MINUTES, null, store);
            f.logged.addAll(logged);
            if (before != null) {
                f.nowNanos = before.nowNanos;
            }
            opened.add(f);
            return f;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String confirmed(SessionFixture f, String name, Object value) {
        SessionFacade created = f.sessions.create();
        String id = created.getId();
        created.setAttribute(name, value);
        created.save();
        created.release();
        f.touch(id);
        return id;
    }

    private static @Nullable Object valueOf(SessionFixture f, String id, String name) {
        SessionFacade found = f.join(id);
        @Nullable Object value = found.getAttribute(name);
        found.save();
        found.release();
        return value;
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("owner.lock"))
                    .filter(file -> !file.toString().endsWith(".tmp")) // kept for new sessions
                    .count();
        }
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(file -> !file.endsWith("owner.lock"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    // Passivation

    @Test
    void leastRecentlyUsedLeaveMemoryAndComeBack() {
        SessionFixture f = open(false);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ids.add(confirmed(f, "n", i));
            f.pass(SECOND / 100);
        }
        assertThat(f.sessions.figures().inMemory()).isLessThan(30);
        assertThat(f.sessions.figures().stored()).isGreaterThan(170);
        assertThat(f.sessions.counters().active()).isEqualTo(200);
        for (int i = 0; i < 200; i++) {
            assertThat(valueOf(f, ids.get(i), "n")).isEqualTo(i);
        }
        assertThat(f.sessions.figures().inMemory()).isLessThan(30);
        assertThat(f.logged).isEmpty();
    }

    @Test
    void unconfirmedSessionsNeverReachTheDisk() throws IOException {
        SessionFixture f = open(false);
        for (int i = 0; i < 100; i++) {
            SessionFacade created = f.sessions.create();
            created.setAttribute("n", i);
            created.save();
            created.release();
        }
        f.passWithTicks(3);
        assertThat(f.store.makeRoom()).isFalse();
        assertThat(files()).isZero();
        assertThat(f.sessions.counters().passivated()).isZero();
    }

    @Test
    void aFloodOfUnconfirmedSessionsEvictsOnlyUnconfirmedOnes() {
        SessionFixture f = open(false);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(confirmed(f, "n", i));
        }
        for (int i = 0; i < 2_000; i++) {
            f.createIdle();
        }
        for (int i = 0; i < 20; i++) {
            assertThat(valueOf(f, ids.get(i), "n")).isEqualTo(i);
        }
        assertThat(f.sessions.figures().inMemory()).isLessThanOrEqualTo(100);
    }

    @Test
    void activationListenersAreCalledOnBothWays() {
        SessionFixture f = open(false);
        String id = confirmed(f, "v", new Value("a"));
        crowd(f);
        assertThat(Value.events).containsExactly("passivate a");
        assertThat(valueOf(f, id, "v")).isEqualTo(new Value("a"));
        assertThat(Value.events).containsExactly("passivate a", "activate a");
    }

    /// Has everything but the last sessions leave the memory.
    private static void crowd(SessionFixture f) {
        f.pass(SECOND);
        for (int i = 0; i < 40; i++) {
            confirmed(f, "n", i);
        }
    }

    @Test
    void sessionInUseStaysInMemory() {
        SessionFixture f = open(false);
        String id = confirmed(f, "v", new Value("a"));
        SessionFacade used = f.join(id);
        crowd(f);
        assertThat(Value.events).isEmpty();
        used.release();
    }

    @Test
    void unserialisableAttributeKeepsItsSessionInMemoryWithOneLine() {
        SessionFixture f = open(false);
        String first = confirmed(f, "o", new Object[] {new Unserialisable()});
        String second = confirmed(f, "o", new Unserialisable());
        crowd(f);
        assertThat(f.logged).hasSize(1);
        assertThat(f.logged.getFirst())
                .contains("Unserialisable", "\"o\"", "java.io.Serializable")
                .doesNotContain(first)
                .doesNotContain(second);
        assertThat(valueOf(f, second, "o")).isInstanceOf(Unserialisable.class);
        assertThat(f.sessions.counters().unkeepable()).isEqualTo(2);
    }

    @Test
    void overdueSessionOutsideMemoryEndsWithItsListeners() {
        SessionFixture f = open(false);
        String id = confirmed(f, "v", new Value("a"));
        crowd(f);
        f.takeEvents();
        Value.events.clear();
        f.passWithTicks(30 * 60 + 90);
        assertThat(f.isAlive(id)).isFalse();
        assertThat(Value.events).contains("activate a");
        assertThat(f.takeEvents()).contains("destroyed", "removed v=a");
        assertThat(f.sessions.counters().active()).isZero();
        assertThat(f.sessions.figures().stored()).isZero();
    }

    @Test
    void wallClockOutsideMemoryDoesNotMatter() {
        SessionFixture f = open(false);
        String id = confirmed(f, "v", 1);
        crowd(f);
        f.pass(29 * 60 * SECOND);
        assertThat(f.isAlive(id)).isTrue();
    }

    @Test
    void changesIdOfASessionThatWasOutsideMemory() {
        SessionFixture f = open(false);
        String id = confirmed(f, "v", 7);
        crowd(f);
        SessionFacade session = f.join(id);
        String next = session.changeId();
        session.release();
        assertThat(f.sessions.join(id)).isNull();
        crowd(f);
        assertThat(f.sessions.join(id)).isNull();
        assertThat(valueOf(f, next, "v")).isEqualTo(7);
    }

    @Test
    void keptFacadeFindsItsSessionAgain() {
        SessionFixture f = open(false);
        SessionFacade facade = f.sessions.create();
        facade.release();
        f.touch(facade.getId());
        crowd(f);
        facade.setAttribute("late", "x");
        assertThat(valueOf(f, facade.getId(), "late")).isEqualTo("x");
    }

    @Test
    void quotaKeepsSessionsInMemory() {
        vaultLimits = vaultLimits.withDiskMaxBytes(5 * 4_096);
        SessionFixture f = open(false);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ids.add(confirmed(f, "n", i));
        }
        assertThat(f.sessions.figures().storedBytes()).isLessThanOrEqualTo(5 * 4_096);
        for (int i = 0; i < 60; i++) {
            assertThat(valueOf(f, ids.get(i), "n")).isEqualTo(i);
        }
        assertThat(f.logged).hasSize(1);
        assertThat(f.logged.getFirst()).contains("raise the quota");
    }

    @Test
    void unknownIdCausesNoFileAccess() throws IOException {
        SessionFixture f = open(false);
        confirmed(f, "v", 1);
        crowd(f);
        // A vault without its folder could not look for a file without an exception.
        for (int i = 0; i < 1_000; i++) {
            assertThat(f.sessions.join(String.format("%022d", i))).isNull();
        }
        assertThat(f.sessions.counters().failures()).isZero();
    }

    // Races

    @Test
    void requestWaitsWhileItsSessionIsStored() throws Exception {
        SessionFixture f = open(false);
        String id = confirmed(f, "s", new Slow());
        f.pass(SECOND);
        CountDownLatch inWrite = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Slow.inWrite =
                () -> {
                    inWrite.countDown();
                    awaitLatch(mayEnd);
                };
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<?> crowding = threads.submit(() -> crowd(f));
            inWrite.await();
            Future<@Nullable Object> joined = threads.submit(() -> valueOf(f, id, "s"));
            Slow.inWrite = Slow.NOTHING;
            mayEnd.countDown();
            assertThat(joined.get()).isInstanceOf(Slow.class);
            crowding.get();
        }
        assertThat(f.isAlive(id)).isTrue();
    }

    @Test
    void invalidationWhileStoringLeavesNothing() throws Exception {
        SessionFixture f = open(false);
        SessionFacade facade = f.sessions.create();
        facade.setAttribute("s", new Slow());
        facade.release();
        f.touch(facade.getId());
        f.pass(SECOND);
        long before = files();
        Slow.inWrite = facade::invalidate; // by a thread that has kept the session
        crowd(f);
        assertThat(f.isAlive(facade.getId())).isFalse();
        assertThat(f.sessions.join(facade.getId())).isNull();
        assertThat(before).isZero();
        assertThat(files()).isEqualTo(f.sessions.figures().stored());
    }

    @Test
    void changeWhileStoringIsNotLost() {
        SessionFixture f = open(false);
        SessionFacade facade = f.sessions.create();
        facade.setAttribute("s", new Slow());
        facade.release();
        f.touch(facade.getId());
        f.pass(SECOND);
        Slow.inWrite = () -> facade.setAttribute("x", "changed");
        crowd(f);
        assertThat(valueOf(f, facade.getId(), "x")).isEqualTo("changed");
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // Restart

    @Test
    void sessionsSurviveAStop() {
        SessionFixture f = open(true);
        String id = confirmed(f, "v", new Value("a"));
        String unconfirmed = f.createIdle();
        f.takeEvents();
        f.sessions.close();
        assertThat(f.takeEvents()).isEmpty();
        assertThat(Value.events).containsExactly("passivate a");
        SessionFixture g = open(LIMITS, true, f);
        assertThat(valueOf(g, id, "v")).isEqualTo(new Value("a"));
        assertThat(g.isAlive(unconfirmed)).isTrue();
        assertThat(g.sessions.counters().active()).isEqualTo(2);
    }

    /// A stream of events may still run, or a request that ignores the interrupt.
    @Test
    void sessionThatARequestUsesSurvivesAStop() {
        SessionFixture f = open(true);
        String id = confirmed(f, "v", "x");
        SessionFacade used = f.join(id);
        used.setAttribute("v", "y");
        f.takeEvents();
        f.sessions.close();
        assertThat(f.takeEvents()).isEmpty(); // it was not destroyed
        SessionFixture g = open(LIMITS, true, f);
        assertThat(g.request(id, "v", "z")).isEqualTo("y");
        used.setAttribute("v", "late");
        used.save(); // the folder belongs to the next start
        used.release();
        g.sessions.close();
        assertThat(valueOf(open(LIMITS, true, g), id, "v")).isEqualTo("z");
    }

    @Test
    void sessionIsOnDiskAfterEachRequest() throws IOException {
        SessionFixture f = open(true);
        String id = confirmed(f, "list", new ArrayList<>(List.of("a")));
        SessionFacade session = f.join(id);
        @SuppressWarnings("unchecked")
        List<String> list = (List<String>) session.getAttribute("list");
        requireNonNull(list).add("changed without setAttribute");
        session.save();
        session.release();
        SessionFixture crashed = afterCrash(f);
        assertThat(valueOf(crashed, id, "list"))
                .isEqualTo(List.of("a", "changed without setAttribute"));
    }

    /// Opens a copy of the folder as it is on disk now.
    private SessionFixture afterCrash(SessionFixture f) throws IOException {
        Path copy = folder.resolveSibling(folder.getFileName() + "-copy");
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.toList()) {
                Files.copy(each, copy.resolve(folder.relativize(each)));
            }
        }
        folder = copy;
        return open(LIMITS, true, f);
    }

    @Test
    void unchangedSessionIsNotWrittenAgain() throws IOException {
        SessionFixture f = open(true);
        String id = confirmed(f, "v", "x");
        valueOf(f, id, "v");
        Path file = onlyFile();
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        valueOf(f, id, "v");
        assertThat(Files.readAttributes(file, BasicFileAttributes.class).fileKey()).isEqualTo(key);
    }

    @Test
    void changedIdSurvivesAndTheOldOneDoesNot() throws IOException {
        SessionFixture f = open(true);
        String id = confirmed(f, "v", "x");
        SessionFacade session = f.join(id);
        String next = session.changeId();
        session.save();
        session.release();
        assertThat(files()).isEqualTo(1);
        SessionFixture g = afterCrash(f);
        assertThat(g.sessions.join(id)).isNull();
        assertThat(valueOf(g, next, "v")).isEqualTo("x");
    }

    @Test
    void invalidatedSessionIsGoneFromDisk() throws IOException {
        SessionFixture f = open(true);
        String id = confirmed(f, "v", "x");
        f.find(id).invalidate();
        assertThat(files()).isZero();
        assertThat(f.sessions.join(id)).isNull();
    }

    @Test
    void overdueSessionEndsAfterARestart() {
        SessionFixture f = open(true);
        String id = confirmed(f, "v", new Value("a"));
        f.sessions.close();
        f.pass(31 * 60 * SECOND);
        SessionFixture g = open(LIMITS, true, f);
        g.passWithTicks(90);
        assertThat(g.takeEvents()).contains("destroyed", "removed v=a");
        assertThat(g.sessions.join(id)).isNull();
        assertThat(g.sessions.counters().active()).isZero();
    }

    @Test
    void damagedFileLosesOnlyItsSession() throws IOException {
        SessionFixture f = open(true);
        String bad = confirmed(f, "v", "x");
        Path file = onlyFile();
        String good = confirmed(f, "v", "y");
        f.sessions.close();
        byte[] bytes = Files.readAllBytes(file);
        bytes[20] ^= 1; // in the record of the request
        bytes[bytes.length - 1] ^= 1; // in that of the stop
        Files.write(file, bytes, StandardOpenOption.TRUNCATE_EXISTING);
        SessionFixture g = open(LIMITS, true, f);
        assertThat(g.sessions.join(bad)).isNull();
        assertThat(valueOf(g, good, "v")).isEqualTo("y");
        assertThat(g.logged).hasSize(1);
        assertThat(g.logged.getFirst()).contains("lost", "checksum").doesNotContain(bad);
        assertThat(files()).isEqualTo(1);
        assertThat(g.sessions.counters().lost(SessionCounters.Loss.UNREADABLE)).isEqualTo(1);
        assertThat(g.sessions.counters().active()).isEqualTo(1);
    }

    @Test
    void truncatedFilesAndLeftoversOfACrashAreRemovedAtTheStart() throws IOException {
        SessionFixture f = open(true);
        confirmed(f, "v", "x");
        f.sessions.close();
        Path file = onlyFile();
        Files.write(file, new byte[20], StandardOpenOption.TRUNCATE_EXISTING);
        Files.write(file.resolveSibling("abc.tmp"), new byte[5]);
        open(LIMITS, true, f);
        assertThat(files()).isZero();
    }

    @Test
    void secondServerIsRefused() {
        open(true);
        assertThatThrownBy(() -> open(true))
                .hasMessageContaining("belongs to another server")
                .hasMessageContaining("--sessions");
    }

    @Test
    void idThatAClientInventsIsNotAdopted() {
        SessionFixture f = open(true);
        String invented = "AAAAAAAAAAAAAAAAAAAAAA";
        assertThat(f.sessions.join(invented)).isNull();
        assertThat(f.sessions.create().getId()).isNotEqualTo(invented);
    }

    @Test
    void noFileNameHoldsAnId() throws IOException {
        SessionFixture f = open(true);
        String id = confirmed(f, "v", "x");
        assertThat(onlyFile().toString()).doesNotContain(id);
    }

    // What sessions hold

    record Value(String text) implements Serializable, HttpSessionActivationListener {
        static final List<String> events = new ArrayList<>();

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            events.add("passivate " + text);
            assertThat(event.getSession().getAttribute("v")).isEqualTo(this);
        }

        @Override
        public void sessionDidActivate(HttpSessionEvent event) {
            events.add("activate " + text);
            assertThat(event.getSession().getAttribute("v")).isEqualTo(this);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private static final class Unserialisable {}

    /// Runs something while it is written.
    private static final class Slow implements Serializable {
        private static final long serialVersionUID = 1;
        static final Runnable NOTHING = () -> {};
        static volatile Runnable inWrite = NOTHING;

        private void writeObject(ObjectOutputStream out) throws IOException {
            Runnable now = inWrite;
            inWrite = NOTHING;
            now.run();
            out.defaultWriteObject();
        }
    }
}
