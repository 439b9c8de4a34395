package dev.serval.servlet.kept;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.FileVaults;
import dev.serval.servlet.vault.SessionKey;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.StoredSession;
import dev.serval.servlet.vault.VaultLimits;
import dev.serval.testkit.Await;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The sessions of an application move to its next version.
final class SessionHandoverTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 0, 60 * SECOND, 10 * SECOND);

    @TempDir private Path folder;
    private final FileVaults vaults = new FileVaults();
    private int versions;

    private SessionFixture version(boolean survives) throws IOException {
        return SessionFixture.over(vault(survives), LIMITS, survives, survives);
    }

    private SessionVault vault(boolean survives) throws IOException {
        versions++;
        return vaults.open(
                folder.resolve(survives ? "shared" : "version-" + versions),
                new FileVault.Mode(survives, /* syncs */ false),
                VaultLimits.STANDARD,
                System.getLogger("test"),
                1_000_000);
    }

    private static String create(SessionFixture f, Object value) {
        return f.createWith("v", value);
    }

    private static @Nullable Object valueOf(SessionFixture f, String id) {
        return f.request(id, "v", null);
    }

    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void everySessionIsFoundInTheNextVersion(boolean survives) throws Exception {
        SessionFixture old = version(survives);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 60; i++) { // most of them outside memory
            ids.add(create(old, i));
        }
        SessionFixture next = version(survives);
        next.sessions.follow(old.sessions);
        for (int i = 0; i < 60; i += 2) {
            assertThat(valueOf(next, ids.get(i))).isEqualTo(i);
        }
        old.takeEvents();
        old.sessions.handOver();
        old.sessions.close();
        assertThat(old.takeEvents()).isEmpty(); // no session was destroyed
        for (int i = 0; i < 60; i++) {
            assertThat(valueOf(next, ids.get(i))).isEqualTo(i);
        }
        assertThat(next.sessions.join("AAAAAAAAAAAAAAAAAAAAAA")).isNull();
        assertThat(next.sessions.counters().active()).isEqualTo(60);
        next.sessions.close();
    }

    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void requestOfTheNextVersionWaitsForOneOfTheOld(boolean survives) throws Exception {
        SessionFixture old = version(survives);
        String id = create(old, "before");
        SessionFixture next = version(survives);
        next.sessions.follow(old.sessions);
        SessionFacade used = old.join(id);
        FutureTask<@Nullable Object> value = new FutureTask<>(() -> valueOf(next, id));
        Thread asking = Thread.ofPlatform().start(value);
        Await.until(
                "the request waits or has its session",
                () -> asking.getState() == Thread.State.TIMED_WAITING || value.isDone());
        used.setAttribute("v", "after");
        used.save();
        used.release();
        assertThat(value.get(60, TimeUnit.SECONDS)).isEqualTo("after");
        assertThat(old.sessions.figures().inMemory()).isZero();
        old.sessions.handOver();
        next.sessions.close();
    }

    /// Such a record may be left by a save that ended late. The session in memory is newer.
    @Test
    void recordOfASessionThatTheNextVersionHasIsDropped() throws Exception {
        SessionVault vault = vault(false);
        HookedVault hooked = new HookedVault(vault);
        SessionFixture old = SessionFixture.over(hooked, LIMITS, false, false);
        String id = create(old, "before");
        SessionKey key = SessionKey.of(id);
        List<StoredSession> moved = new ArrayList<>();
        hooked.beforeRemove = () -> moved.add(read(vault, key));
        SessionVault ofNext = vault(false);
        SessionFixture next = SessionFixture.over(ofNext, LIMITS, false, false);
        next.sessions.follow(old.sessions);
        assertThat(next.request(id, "v", "of the next")).isEqualTo("before");
        long _ = vault.write(key, moved.getFirst());
        old.sessions.handOver();
        assertThat(vault.size()).isZero();
        assertThat(ofNext.size()).isZero();
        assertThat(next.sessions.counters().active()).isEqualTo(1);
        assertThat(valueOf(next, id)).isEqualTo("of the next");
        old.sessions.close();
        next.sessions.close();
    }

    private static StoredSession read(SessionVault vault, SessionKey key) {
        try {
            return requireNonNull(vault.read(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void attributesLearnOfTheMove(boolean survives) throws Exception {
        SessionFixture old = version(survives);
        String id = create(old, new Moved());
        SessionFixture next = version(survives);
        next.sessions.follow(old.sessions);
        old.sessions.handOver();
        Moved moved = (Moved) requireNonNull(valueOf(next, id));
        assertThat(moved.steps).isEqualTo("out in ");
        next.sessions.close();
    }

    /// A request that began before the new version came may ask for its session late.
    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void sessionGoesToTheVersionThatNeedsIt(boolean survives) throws Exception {
        SessionFixture old = version(survives);
        String id = create(old, 1);
        SessionFixture next = version(survives);
        next.sessions.follow(old.sessions);
        for (int i = 1; i < 7; i += 2) {
            assertThat(next.request(id, "v", i + 1)).isEqualTo(i);
            assertThat(old.request(id, "v", i + 2)).isEqualTo(i + 1);
        }
        old.sessions.handOver();
        old.sessions.close();
        assertThat(valueOf(next, id)).isEqualTo(7);
        assertThat(next.sessions.counters().active()).isEqualTo(1);
        next.sessions.close();
    }

    /// A third version may come while the first one still completes its requests.
    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void sessionsOfAllVersionsReachTheThird(boolean survives) throws Exception {
        SessionFixture first = version(survives);
        String id = create(first, 1);
        SessionFixture second = follower(first, survives);
        SessionFixture third = follower(second, survives);
        String own = create(third, "own");
        first.sessions.handOver(); // it has ended
        assertThat(third.request(own, "v", null)).isEqualTo("own");
        second.sessions.handOver();
        assertThat(third.request(id, "v", 2)).isEqualTo(1);
        assertThat(valueOf(third, own)).isEqualTo("own");
        third.sessions.close();
    }

    private SessionFixture follower(SessionFixture earlier, boolean survives) throws IOException {
        SessionFixture next = version(survives);
        next.sessions.follow(earlier.sessions);
        return next;
    }

    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void sessionGoesFromTheFirstVersionToTheThirdAndBack(boolean survives) throws Exception {
        SessionFixture first = version(survives);
        String id = create(first, 1);
        SessionFixture second = follower(first, survives);
        SessionFixture third = follower(second, survives);
        assertThat(third.request(id, "v", 2)).isEqualTo(1);
        assertThat(first.request(id, "v", 3)).isEqualTo(2);
        assertThat(third.request(id, "v", 4)).isEqualTo(3);
        assertThat(second.request(id, "v", 5)).isEqualTo(4);
        first.sessions.handOver();
        second.sessions.handOver();
        assertThat(valueOf(third, id)).isEqualTo(5);
        assertThat(third.sessions.counters().active()).isEqualTo(1);
        third.sessions.close();
    }

    /// The first version completes a long request, while the second one has nothing to do.
    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void firstVersionThatOutlivesTheSecondGivesItsSessionsToTheThird(boolean survives)
            throws Exception {
        SessionFixture first = version(survives);
        String asked = create(first, "asked");
        String idle = create(first, "idle");
        SessionFixture second = follower(first, survives);
        String own = create(second, "own");
        SessionFixture third = follower(second, survives);
        second.sessions.handOver();
        second.sessions.close();
        assertThat(valueOf(third, asked)).isEqualTo("asked");
        first.takeEvents();
        first.sessions.handOver();
        first.sessions.close();
        assertThat(first.takeEvents()).isEmpty(); // no session was destroyed
        assertThat(valueOf(third, idle)).isEqualTo("idle");
        assertThat(valueOf(third, own)).isEqualTo("own");
        assertThat(third.sessions.counters().active()).isEqualTo(3);
        third.sessions.close();
    }

    @Test
    void versionWhoseSuccessorsHaveStoppedEndsItsSessions() throws Exception {
        SessionFixture first = version(false);
        create(first, 1);
        SessionFixture second = follower(first, false);
        second.sessions.close();
        first.takeEvents();
        first.sessions.handOver();
        assertThat(first.takeEvents()).isEmpty();
        first.sessions.close();
        assertThat(first.takeEvents()).contains("destroyed");
    }

    /// The second version ends while the first one still moves a session to it.
    @Test
    void versionThatEndsWaitsForSessionsOnTheirWayToIt() throws Exception {
        SessionFixture first = version(false);
        String id = create(first, "kept");
        HookedVault vault = new HookedVault(vault(false));
        SessionFixture second = SessionFixture.over(vault, LIMITS, false, false);
        second.sessions.follow(first.sessions);
        List<SessionFixture> third = new ArrayList<>();
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            vault.beforeWrite =
                    () -> {
                        third.add(unchecked(() -> follower(second, false)));
                        ends.add(threads.submit(second.sessions::handOver));
                        awaitIfItEnds(ends.getFirst());
                    };
            first.sessions.handOver();
            assertThat(ends).hasSize(1);
            ends.getFirst().get(60, TimeUnit.SECONDS);
        }
        assertThat(valueOf(third.getFirst(), id)).isEqualTo("kept");
        third.getFirst().sessions.close();
    }

    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void sessionOnItsWayIsNotLost() throws Exception {
        SessionFixture old = version(false);
        String id = create(old, "kept");
        HookedVault vault = new HookedVault(vault(false));
        SessionFixture next = SessionFixture.over(vault, LIMITS, false, false);
        next.sessions.follow(old.sessions);
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            List<Future<@Nullable Object>> requests = new ArrayList<>();
            // It has left the one vault, and is not in the other yet.
            vault.beforeWrite =
                    () -> {
                        requests.add(threads.submit(() -> valueOf(next, id)));
                        awaitIfItEnds(requests.getFirst());
                    };
            old.sessions.handOver();
            assertThat(requests).hasSize(1);
            assertThat(requests.getFirst().get(60, TimeUnit.SECONDS)).isEqualTo("kept");
        }
        next.sessions.close();
    }

    /// A request of the next version takes the session while the former version gives all away.
    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void sessionThatARequestIsTakingIsNotLost(boolean survives) throws Exception {
        HookedVault vault = new HookedVault(vault(survives));
        SessionFixture old = SessionFixture.over(vault, LIMITS, survives, survives);
        String id = create(old, "kept");
        SessionFixture next = follower(old, survives);
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            List<Future<?>> ends = new ArrayList<>();
            vault.beforeWrite =
                    () -> {
                        ends.add(threads.submit(old.sessions::handOver));
                        awaitIfItEnds(ends.getFirst());
                    };
            assertThat(valueOf(next, id)).isEqualTo("kept");
            assertThat(ends).hasSize(1);
            ends.getFirst().get(60, TimeUnit.SECONDS);
        }
        assertThat(valueOf(next, id)).isEqualTo("kept");
        assertThat(old.takeEvents()).doesNotContain("destroyed");
        next.sessions.close();
    }

    private static void awaitIfItEnds(Future<?> request) {
        try {
            request.get(200, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // It waits, as it should. The test gets its result later.
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void moveThatEndsDuringALookUpLosesNothing() throws Exception {
        SessionFixture old = version(false);
        String id = create(old, "kept");
        HookedVault vault = new HookedVault(vault(false));
        SessionFixture next = SessionFixture.over(vault, LIMITS, false, false);
        next.sessions.follow(old.sessions);
        vault.afterLook = old.sessions::handOver;
        assertThat(valueOf(next, id)).isEqualTo("kept");
        old.sessions.handOver();
        next.sessions.close();
    }

    @Test
    void sessionThatEndsInTheOldVersionDoesNotComeBackInTheNext() throws Exception {
        HookedVault vault = new HookedVault(vault(true));
        SessionFixture old = SessionFixture.over(vault, LIMITS, true, true);
        String id = create(old, "secret");
        SessionFixture next = SessionFixture.over(vault, LIMITS, true, true);
        next.sessions.follow(old.sessions);
        List<Boolean> found = new ArrayList<>();
        vault.beforeRemove = () -> found.add(next.sessions.join(id) != null);
        old.find(id).invalidate();
        assertThat(found).containsExactly(false);
        assertThat(next.sessions.join(id)).isNull();
        old.sessions.close();
    }

    @Test
    void sessionThatCannotMoveEndsWithItsListeners() throws Exception {
        SessionFixture old = version(false);
        String id = old.createWith("v", new Object());
        SessionFixture next = follower(old, false);
        old.takeEvents();
        old.sessions.handOver();
        assertThat(old.takeEvents())
                .hasSize(2)
                .startsWith("destroyed")
                .last()
                .asString()
                .startsWith("removed v=");
        assertThat(old.sessions.counters().lost(SessionCounters.Loss.UNSTORED)).isEqualTo(1);
        assertThat(next.isAlive(id)).isFalse();
        next.sessions.close();
    }

    @Test
    void lateRequestOfTheOldVersionOverwritesNothing() throws Exception {
        SessionFixture old = version(true);
        String id = create(old, "before");
        SessionFixture next = follower(old, true);
        SessionFacade used = old.join(id);
        used.setAttribute("v", "of the old");
        old.sessions.handOver();
        assertThat(next.request(id, "v", "of the next")).isEqualTo("of the old");
        used.setAttribute("v", "late");
        used.save();
        used.release();
        next.sessions.close();
        SessionFixture last = version(true);
        assertThat(valueOf(last, id)).isEqualTo("of the next");
        last.sessions.close();
    }

    private static final class Moved implements Serializable, HttpSessionActivationListener {
        private static final long serialVersionUID = 1;
        private String steps = "";

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            steps += "out ";
        }

        @Override
        public void sessionDidActivate(HttpSessionEvent event) {
            steps += "in ";
        }
    }
}
