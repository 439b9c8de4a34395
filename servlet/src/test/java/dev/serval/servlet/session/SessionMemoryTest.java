package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The heap that empty sessions occupy while nothing uses them, and give back when they end.
final class SessionMemoryTest {
    private static final int SESSIONS = 100_000;

    private final SessionFixture fixture = new SessionFixture();

    /// Counts all: the session, its id, and its entry in the store.
    @Test
    void emptySessionIsSmall() {
        create(); // loads classes, and grows the table of the store
        fixture.sessions.close();
        SessionFixture measured = new SessionFixture();
        long before = usedBytes();
        for (int i = 0; i < SESSIONS; i++) {
            measured.createIdle();
            measured.events.clear();
        }
        long perSession = (usedBytes() - before) / SESSIONS;
        System.getLogger(getClass().getName())
                .log(System.Logger.Level.INFO, "bytes for an empty session: " + perSession);
        assertThat(perSession).isBetween(100L, 300L);
        measured.pass(61 * SessionFixture.SECOND);
        assertThat(measured.tick()).isEqualTo(SESSIONS);
        long left = usedBytes() - before;
        assertThat(left).isLessThan(4 << 20); // the table of the store
        assertThat(measured.sessions.counters().active()).isZero();
    }

    private void create() {
        for (int i = 0; i < SESSIONS; i++) {
            fixture.createIdle();
            fixture.events.clear();
        }
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            used = Math.min(used, runtime.totalMemory() - runtime.freeMemory());
        }
        return used;
    }
}
