package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.HttpLoop;
import dev.serval.policy.Counter;

/// Looks for what was lent, opened, armed or counted and did not come back. Every test of a server
/// ends with it.
public final class LeakCheck {
    private LeakCheck() {}

    /// A loop that turns no more, or is turned by the calling thread, has nothing left.
    public static void nothingHeld(HttpLoop http) {
        assertThat(http.net().connections()).as("connections").isZero();
        assertThat(http.net().pool().lent()).as("buffers lent").isZero();
        assertThat(http.net().loop().timers().armed()).as("deadlines set").isZero();
        assertThat(http.workers().count()).as("Workers").isZero();
        assertThat(http.headsLent()).as("heads lent").isZero();
        assertThat(http.admission().connections()).as("connections admitted").isZero();
        assertThat(http.admission().exchanges()).as("exchanges admitted").isZero();
        assertThat(http.metrics().get(Counter.CONNECTIONS_CLOSED))
                .as("connections closed, of those accepted")
                .isEqualTo(http.metrics().get(Counter.CONNECTIONS_ACCEPTED));
        assertThat(http.metrics().get(Counter.WORKERS_ENDED))
                .as("Workers ended, of those started")
                .isEqualTo(http.metrics().get(Counter.WORKERS_STARTED));
    }

    /// A server that was closed has nothing left, and none of its threads is alive.
    public static void nothingHeld(Serval closed) {
        assertThat(closed.carriers().threads()).as("threads").noneMatch(Thread::isAlive);
        closed.httpLoops().forEach(LeakCheck::nothingHeld);
    }
}
