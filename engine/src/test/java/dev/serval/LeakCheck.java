package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.Admission;
import dev.serval.exchange.ExchangeLoop;
import dev.serval.net.NetLoop;
import dev.serval.policy.Counter;
import dev.serval.testkit.Await;

/// Checks that everything that was lent, opened, armed or counted was returned. Every test of a
/// server ends with it.
public final class LeakCheck {
    private LeakCheck() {}

    /// Checks a loop that no longer turns, or that the calling thread turns.
    public static void nothingHeld(NetLoop net, ExchangeLoop loop, Admission admission) {
        nothingHeld(net, loop);
        nothingHeld(admission);
    }

    private static void nothingHeld(NetLoop net, ExchangeLoop loop) {
        assertThat(net.connections()).as("connections").isZero();
        assertThat(net.pool().lent()).as("buffers lent").isZero();
        assertThat(net.pool().held()).as("bytes held").isZero();
        assertThat(net.loop().timers().armed()).as("deadlines set").isZero();
        assertThat(loop.workers().count()).as("Workers").isZero();
        assertThat(loop.headsLent()).as("heads lent").isZero();
        assertThat(loop.compressorsLent()).as("compressors lent").isZero();
        assertThat(loop.metrics().get(Counter.CONNECTIONS_CLOSED))
                .as("connections closed, of those accepted")
                .isEqualTo(loop.metrics().get(Counter.CONNECTIONS_ACCEPTED));
        assertThat(loop.metrics().get(Counter.WORKERS_ENDED))
                .as("Workers ended, of those started")
                .isEqualTo(loop.metrics().get(Counter.WORKERS_STARTED));
    }

    private static void nothingHeld(Admission admission) {
        assertThat(admission.connections()).as("connections admitted").isZero();
        assertThat(admission.exchanges()).as("exchanges admitted").isZero();
    }

    /// Checks a closed server, including that none of its threads is alive.
    public static void nothingHeld(Serval closed) {
        Await.until(
                "no thread of the server is alive",
                () -> closed.carriers().threads().stream().noneMatch(Thread::isAlive));
        closed.serverLoops().forEach(loop -> nothingHeld(loop.net(), loop.exchanges()));
        closed.services().forEach(service -> nothingHeld(service.admission()));
    }

    /// Returns the number of requests in progress on all listeners of a server.
    public static int exchanges(Serval server) {
        return server.services().stream()
                .mapToInt(service -> service.admission().exchanges())
                .sum();
    }
}
