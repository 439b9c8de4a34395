package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The heap that empty sessions occupy while nothing uses them, and give back when they end.
final class SessionMemoryTest {
    private static final int SESSIONS = 100_000;
    private static final int ROUNDS = 5;
    private static final long TABLE_BYTES = 4 << 20; // of the store

    private final SessionFixture fixture = new SessionFixture();

    /// Counts all: the session, its id, and its entry in the store.
    @Test
    void emptySessionIsSmall() {
        create(); // loads classes, and grows the table of the store
        fixture.sessions.close();
        long perSession = Long.MAX_VALUE;
        long left = Long.MAX_VALUE;
        // Threads of other tests may allocate meanwhile, so the smallest of some rounds counts.
        for (int i = 0; i < ROUNDS && (perSession > 300 || left >= TABLE_BYTES); i++) {
            SessionFixture measured = new SessionFixture();
            long before = usedBytes();
            for (int k = 0; k < SESSIONS; k++) {
                measured.createIdle();
                measured.events.clear();
            }
            perSession = Math.min(perSession, (usedBytes() - before) / SESSIONS);
            measured.pass(61 * SessionFixture.SECOND);
            assertThat(measured.tick()).isEqualTo(SESSIONS);
            left = Math.min(left, usedBytes() - before);
            assertThat(measured.sessions.counters().active()).isZero();
        }
        System.getLogger(getClass().getName())
                .log(System.Logger.Level.INFO, "bytes for an empty session: " + perSession);
        assertThat(perSession).isLessThanOrEqualTo(300);
        assertThat(left).isLessThan(TABLE_BYTES);
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
