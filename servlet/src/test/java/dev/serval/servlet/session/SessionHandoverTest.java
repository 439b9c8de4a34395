package dev.serval.servlet.session;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.vault.AttributeCodec;
import dev.serval.servlet.vault.ClassRules;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.FileVaults;
import dev.serval.servlet.vault.VaultLimits;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The sessions of an application move to its next version.
final class SessionHandoverTest {
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 60 * SECOND, 10 * SECOND);

    @TempDir private Path folder;
    private final FileVaults vaults = new FileVaults();
    private int versions;

    private SessionFixture version(boolean survives) throws IOException {
        ClassLoader loader = SessionHandoverTest.class.getClassLoader();
        VaultLimits limits = VaultLimits.STANDARD;
        versions++;
        FileVault vault =
                vaults.open(
                        folder.resolve(survives ? "shared" : "version-" + versions),
                        new FileVault.Mode(survives, /* syncs */ false),
                        limits,
                        System.getLogger("test"),
                        1_000_000);
        KeptSessions store =
                new KeptSessions(
                        new KeptSessions.Setup(
                                vault,
                                new AttributeCodec(
                                        loader, new ClassRules(loader, List.of()), limits),
                                survives,
                                survives,
                                /* checksAttributes */ false));
        return new SessionFixture(LIMITS, SessionFixture.TIMEOUT_MINUTES, null, store);
    }

    private static String create(SessionFixture f, Object value) {
        SessionFacade created = f.sessions.create();
        created.setAttribute("v", value);
        created.save();
        created.release();
        f.touch(created.getId());
        return created.getId();
    }

    private static @Nullable Object valueOf(SessionFixture f, String id) {
        SessionFacade session = f.join(id);
        @Nullable Object value = session.getAttribute("v");
        session.release();
        return value;
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
        next.sessions.takeOver();
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
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Future<@Nullable Object> value = threads.submit(() -> valueOf(next, id));
            used.setAttribute("v", "after");
            used.save();
            used.release();
            assertThat(value.get()).isEqualTo("after");
        }
        assertThat(old.sessions.figures().inMemory()).isZero();
        next.sessions.takeOver();
        next.sessions.close();
    }

    @ParameterizedTest(name = "survives: {0}")
    @ValueSource(booleans = {false, true})
    void attributesLearnOfTheMove(boolean survives) throws Exception {
        SessionFixture old = version(survives);
        String id = create(old, new Moved());
        SessionFixture next = version(survives);
        next.sessions.follow(old.sessions);
        next.sessions.takeOver();
        Moved moved = (Moved) requireNonNull(valueOf(next, id));
        assertThat(moved.steps).isEqualTo("out in ");
        next.sessions.close();
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
