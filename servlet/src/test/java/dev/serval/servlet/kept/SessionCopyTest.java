package dev.serval.servlet.kept;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionFacade;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.session.SessionUnavailableException;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.FileVaults;
import dev.serval.servlet.vault.SessionVault;
import dev.serval.servlet.vault.VaultLimits;
import dev.serval.testkit.Await;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A request of the former version holds its session, and the next version needs it.
@Timeout(120)
final class SessionCopyTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 0, 60 * SECOND, 10 * SECOND);

    @TempDir private Path folder;
    private final FileVaults vaults = new FileVaults();
    private final List<SessionFixture> versions = new ArrayList<>();

    private SessionVault vault(boolean survives) throws IOException {
        return vaults.open(
                folder.resolve(survives ? "shared" : "version-" + versions.size()),
                new FileVault.Mode(survives, /* syncs */ false),
                VaultLimits.STANDARD,
                System.getLogger("test"),
                1_000_000);
    }

    private SessionFixture version(boolean survives) throws IOException {
        return version(vault(survives), survives);
    }

    private SessionFixture version(SessionVault vault, boolean survives) {
        SessionFixture version = SessionFixture.over(vault, LIMITS, survives, survives);
        if (!versions.isEmpty()) {
            version.sessions.follow(versions.getLast().sessions);
        }
        versions.add(version);
        return version;
    }

    @AfterEach
    void close() {
        versions.reversed().forEach(version -> version.sessions.close());
    }

    /// Calls code that waits for a session, and lets time pass for its version until it returns.
    private static <T extends @Nullable Object> T whileTimePasses(
            SessionFixture version, Callable<T> code) throws Exception {
        FutureTask<T> task = new FutureTask<>(code);
        Thread.ofPlatform().start(task);
        Await.until(
                "the session is found",
                () -> {
                    version.pass(SECOND / 100);
                    return task.isDone();
                });
        return task.get();
    }

    private static @Nullable Object ask(SessionFixture version, String id, @Nullable Object value)
            throws Exception {
        return whileTimePasses(version, () -> version.request(id, "v", value));
    }

    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void nextVersionGetsACopyOfASessionThatIsHeld(boolean survives) throws Exception {
        SessionFixture old = version(survives);
        String id = old.createWith("v", "before");
        SessionFixture next = version(survives);
        SessionFacade held = old.join(id);
        held.setAttribute("v", "of the old");
        assertThat(ask(next, id, "of the next")).isEqualTo("of the old");
        assertThat(held.getAttribute("v")).isEqualTo("of the old");
        assertThat(held.isValid()).isTrue();
        held.setAttribute("v", "late");
        held.save();
        held.release();
        assertThat(next.request(id, "v", null)).isEqualTo("of the next");
        old.sessions.handOver();
        old.sessions.close();
        assertThat(next.request(id, "v", null)).isEqualTo("of the next");
        assertThat(next.sessions.counters().active()).isEqualTo(1);
        assertThat(old.sessions.figures().inMemory()).isZero();
        next.sessions.close();
        if (survives) {
            SessionFixture restarted = version(true);
            assertThat(restarted.request(id, "v", null)).isEqualTo("of the next");
        }
    }

    /// The save of the former version's request has begun when the copy is made.
    @Test
    void saveThatEndsAfterTheCopyOverwritesNothing() throws Exception {
        Slow.calls.set(0);
        HookedVault vault = new HookedVault(vault(true));
        SessionFixture old = version(vault, true);
        String id = old.createWith("v", new Slow("before")); // is written once
        SessionFixture next = version(vault, true);
        SessionFacade held = old.join(id);
        held.setAttribute("v", new Slow("of the old"));
        Thread saving = Thread.ofPlatform().unstarted(held::save);
        vault.beforeWrite =
                () -> {
                    saving.start();
                    Await.until(
                            "it waits for the write of the copy",
                            () -> saving.getState() == Thread.State.BLOCKED);
                    held.setAttribute("v", new Slow("late"));
                };
        Slow copy = (Slow) requireNonNull(ask(next, id, "of the next"));
        assertThat(copy.text).isEqualTo("of the old");
        Slow.NEXT.countDown();
        saving.join();
        held.release();
        old.sessions.handOver();
        next.sessions.close();
        assertThat(version(true).request(id, "v", null)).isEqualTo("of the next");
    }

    /// Its third write waits.
    private static final class Slow implements Serializable {
        private static final long serialVersionUID = 1;
        private static final AtomicInteger calls = new AtomicInteger();
        private static final CountDownLatch NEXT = new CountDownLatch(1);
        private final String text;

        Slow(String text) {
            this.text = text;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            if (calls.incrementAndGet() == 3) {
                Await.open("the next version has the session", NEXT);
            }
        }
    }

    @Test
    void changesAfterTheCopyAreReportedOnce() throws Exception {
        SessionFixture old = version(false);
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(old.createWith("v", new ArrayList<>(List.of("a"))));
        }
        SessionFixture next = version(false);
        List<SessionFacade> held = ids.stream().map(old::join).toList();
        for (String id : ids) {
            assertThat(ask(next, id, null)).isEqualTo(List.of("a"));
        }
        held.get(0).release();
        assertThat(old.logged).as("nothing is lost").isEmpty();
        held.get(1).setAttribute("w", "late");
        held.get(1).release();
        assertThat(old.logged)
                .singleElement()
                .asString()
                .contains("changed its session after the next version had taken a copy");
        held.get(2).setAttribute("w", "late");
        held.get(2).release();
        assertThat(old.logged).hasSize(1);
        assertThat(next.sessions.counters().lost(SessionCounters.Loss.LATE)).isEqualTo(2);
    }

    @Test
    void changeInsideAValueAfterTheCopyIsReported() throws Exception {
        SessionFixture old = version(false);
        List<String> value = new ArrayList<>(List.of("a"));
        String id = old.createWith("v", value);
        SessionFixture next = version(false);
        SessionFacade held = old.join(id);
        assertThat(ask(next, id, null)).isEqualTo(List.of("a"));
        value.add("late");
        held.release();
        assertThat(old.logged).hasSize(1);
        assertThat(next.request(id, "v", null)).isEqualTo(List.of("a"));
    }

    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void logoutAfterTheCopyEndsTheSessionInTheNextVersion(boolean survives) throws Exception {
        SessionFixture old = version(survives);
        String id = old.createWith("v", "secret");
        SessionFixture next = version(survives);
        SessionFacade held = old.join(id);
        assertThat(ask(next, id, null)).isEqualTo("secret");
        old.takeEvents();
        next.takeEvents();
        held.invalidate();
        assertThat(next.sessions.join(id)).isNull();
        assertThat(next.takeEvents()).containsExactly("destroyed", "removed v=secret");
        assertThat(old.takeEvents()).as("it ends once").isEmpty();
        assertThat(held.isValid()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> held.getAttribute("v"));
        held.release();
        assertThat(old.logged).as("nothing is lost").isEmpty();
        assertThat(next.sessions.counters().active()).isZero();
    }

    @Test
    void logoutAfterTheFormerVersionHasGivenUpEndsTheSession() throws Exception {
        SessionFixture old = version(true);
        String id = old.createWith("v", "secret");
        SessionFixture next = version(true);
        SessionFacade held = old.join(id);
        held.setAttribute("v", "unsaved");
        old.sessions.handOver(); // the request has not ended in time
        assertThat(next.request(id, "v", null)).isEqualTo("unsaved");
        held.invalidate();
        assertThat(next.sessions.join(id)).isNull();
        held.release();
    }

    /// As by `HttpServletRequest.logout`, which keeps the session.
    @Test
    void loginThatIsDroppedAfterTheCopyIsDroppedInTheNextVersion() throws Exception {
        SessionFixture old = version(true);
        String id = old.createWith("v", "kept");
        old.join(id).hold("login", "anna"); // by a request that goes on
        SessionFixture next = version(true);
        SessionFacade held = old.join(id);
        assertThat(ask(next, id, null)).isEqualTo("kept");
        held.hold("login", null);
        SessionFacade there = next.join(id);
        assertThat(there.held("login")).isNull();
        assertThat(there.getAttribute("v")).isEqualTo("kept");
        there.release();
    }

    @Test
    void changeOfTheIdAfterTheCopyReachesTheNextVersion() throws Exception {
        SessionFixture old = version(true);
        String id = old.createWith("v", "kept");
        SessionFixture next = version(true);
        SessionFacade held = old.join(id);
        assertThat(ask(next, id, null)).isEqualTo("kept");
        String changed = held.changeId();
        assertThat(changed).isNotEqualTo(id).isEqualTo(held.getId());
        assertThat(next.sessions.join(id)).isNull();
        assertThat(next.request(changed, "v", null)).isEqualTo("kept");
        held.release();
    }

    @Test
    void sessionThatCannotBeCopiedIsUnavailableWithoutAWait() throws Exception {
        SessionFixture old = version(false);
        String id = old.createWith("v", new Object());
        SessionFixture next = version(false);
        SessionFacade held = old.join(id);
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> ask(next, id, null))
                    .hasCauseInstanceOf(SessionUnavailableException.class);
        }
        // Its class is known now, so the clock need not move.
        assertThatThrownBy(() -> next.sessions.join(id))
                .isInstanceOf(SessionUnavailableException.class);
        assertThat(held.isValid()).isTrue();
        held.release();
    }

    @Test
    void sessionThatAnotherThreadChangesIsUnavailableAfterASecond() throws Exception {
        SessionFixture old = version(false);
        String id = old.createWith("v", new Busy());
        SessionFixture next = version(false);
        SessionFacade held = old.join(id);
        long began = next.nowNanos;
        assertThatThrownBy(() -> ask(next, id, null))
                .hasCauseInstanceOf(SessionUnavailableException.class);
        assertThat(next.nowNanos - began).isGreaterThan(SessionMoves.WAIT_MAX_NANOS);
        held.setAttribute("v", "well");
        assertThat(ask(next, id, null)).isEqualTo("well");
        held.release();
    }

    /// Cannot be written at the moment, as a list that another thread changes.
    private static final class Busy implements Serializable {
        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) throws IOException {
            throw new ConcurrentModificationException();
        }
    }

    @Test
    void requestOfTheFormerVersionThatEndsSoonLosesNothing() throws Exception {
        SessionFixture old = version(false);
        CountDownLatch asked = new CountDownLatch(1);
        String id = old.createWith("v", "before");
        SessionFixture next = version(false);
        SessionFacade held = old.join(id);
        FutureTask<@Nullable Object> value =
                new FutureTask<>(() -> {
                    asked.countDown();
                    return next.request(id, "v", null);
                });
        Thread thread = Thread.ofPlatform().start(value);
        Await.open("the next version asks", asked);
        Await.until(
                "it waits",
                () -> thread.getState() == Thread.State.TIMED_WAITING || value.isDone());
        next.pass(SessionMoves.COPY_AFTER_NANOS - 1);
        held.setAttribute("v", "after");
        held.release();
        assertThat(value.get()).isEqualTo("after");
        assertThat(old.logged).isEmpty();
    }

    /// The request that holds the session continues to use its values.
    @Test
    void valuesOfTheFormerVersionAreActivatedAgain() throws Exception {
        SessionFixture old = version(false);
        Steps steps = new Steps();
        String id = old.createWith("v", steps);
        SessionFixture next = version(false);
        SessionFacade held = old.join(id);
        Steps copy = (Steps) requireNonNull(ask(next, id, null));
        assertThat(copy.isOpen).isTrue();
        assertThat(steps.isOpen).as("in the request").isTrue();
        held.release();
        assertThat(steps.isOpen).as("after the request").isFalse();
        assertThat(old.logged).isEmpty();
    }

    private static final class Steps implements Serializable, HttpSessionActivationListener {
        private static final long serialVersionUID = 1;
        private boolean isOpen = true;

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            isOpen = false;
        }

        @Override
        public void sessionDidActivate(HttpSessionEvent event) {
            isOpen = true;
        }
    }
}
