package dev.serval.servlet.kept;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.session.SessionEnd;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.session.SilentEvents;
import dev.serval.servlet.vault.AttributeCodec;
import dev.serval.servlet.vault.ClassRules;
import dev.serval.servlet.vault.FileVault;
import dev.serval.servlet.vault.VaultLimits;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application stops whose sessions end with it. Those outside memory are read only if something
/// in the application may hear of their end.
final class UnheardEndsTest {
    private static final int SESSIONS = 60;
    private static final SessionLimits LIMITS =
            new SessionLimits(1_000, 100, 10, 0, 60 * SECOND, 10 * SECOND);
    private static final AtomicInteger UNBOUND = new AtomicInteger();

    @TempDir private Path folder;
    private final Events events = new Events();
    private int vaults;

    @BeforeEach
    void clear() {
        UNBOUND.set(0);
    }

    private HookedVault vault() throws IOException {
        vaults++;
        return new HookedVault(
                FileVault.open(
                        folder.resolve("vault-" + vaults),
                        new FileVault.Mode(/* survives */ false, /* syncs */ false),
                        VaultLimits.STANDARD,
                        System.getLogger("test"),
                        1_000_000));
    }

    private SessionFixture over(HookedVault vault) {
        ClassLoader loader = getClass().getClassLoader();
        AttributeCodec codec =
                new AttributeCodec(loader, new ClassRules(loader, List.of()), VaultLimits.STANDARD);
        KeptSessions.Setup setup = new KeptSessions.Setup(vault, codec, false, false, false);
        return new SessionFixture(
                LIMITS, SessionFixture.TIMEOUT_MINUTES, events, new KeptSessions(setup));
    }

    private static void create(SessionFixture f, Object value) {
        for (int i = 0; i < SESSIONS; i++) {
            f.createWith("v", value);
            f.pass(SECOND);
        }
    }

    private long files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file -> file.getFileName().toString().length() == 32).count();
        }
    }

    @Test
    void storedSessionsAreNotReadIfNothingHearsOfTheirEnd() throws Exception {
        HookedVault vault = vault();
        SessionFixture f = over(vault);
        create(f, "text");
        assertThat(files()).isGreaterThan(SESSIONS / 2);
        f.sessions.close();
        assertThat(vault.reads).isZero();
        assertThat(files()).isZero();
        assertThat(f.sessions.counters().ended(SessionEnd.STOPPED)).isEqualTo(SESSIONS);
        assertThat(f.sessions.counters().active()).isZero();
    }

    @Test
    void listenersHearTheEndOfEach() throws Exception {
        events.hears = true;
        SessionFixture f = over(vault());
        create(f, "text");
        f.sessions.close();
        assertThat(events.destroyed).isEqualTo(SESSIONS);
        assertThat(files()).isZero();
    }

    @Test
    void valuesHearThatTheyLeaveTheirSession() throws Exception {
        SessionFixture f = over(vault());
        create(f, new Told());
        f.sessions.close();
        assertThat(UNBOUND.get()).isEqualTo(SESSIONS);
    }

    @Test
    void valuesThatTheVersionBeforeHasStoredHearIt() throws Exception {
        SessionFixture old = over(vault());
        create(old, new Told());
        SessionFixture next = over(vault());
        next.sessions.follow(old.sessions);
        old.sessions.handOver();
        old.sessions.close();
        assertThat(UNBOUND.get()).isZero();
        next.sessions.close();
        assertThat(UNBOUND.get()).isEqualTo(SESSIONS);
    }

    private static final class Told implements HttpSessionBindingListener, Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            UNBOUND.incrementAndGet();
        }
    }

    private static final class Events extends SilentEvents {
        private boolean hears;
        private int destroyed;

        @Override
        public boolean hearsEnds() {
            return hears;
        }

        @Override
        public void destroyed(HttpSession session) {
            destroyed++;
        }
    }
}
