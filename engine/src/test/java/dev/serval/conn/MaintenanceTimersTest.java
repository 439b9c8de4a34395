package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.net.memory.MemoryPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Checks when the maintenance of handlers runs, and that none of it remains after the server's
/// end.
final class MaintenanceTimersTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<Long> ran = new ArrayList<>();
    private final List<Exchange> held = new ArrayList<>();
    private long again = Maintenance.NEVER;

    private long work(long nowNanos) {
        ran.add(nowNanos);
        return again;
    }

    private void request(Exchange x) {
        request(x, this::work);
    }

    private static void request(Exchange x, Maintenance work) {
        EngineExchange.of(x).maintenance(work, EngineExchange.of(x).nowNanos() + SECOND);
        Answers.say(x, "asked");
    }

    @Test
    void runsWhenDueAndAgainIfRequested() {
        try (MemoryServer server = MemoryServer.of(this::request)) {
            server.ask(server.connect(), GET);
            server.pass(Duration.ofMillis(900));
            server.work();
            assertThat(ran).isEmpty();
            server.pass(Duration.ofMillis(200));
            again = server.clock().nanos() + 2 * SECOND;
            server.work();
            assertThat(ran).hasSize(1);
            again = Maintenance.NEVER;
            server.pass(Duration.ofMillis(1900));
            server.work();
            assertThat(ran).hasSize(1);
            server.pass(Duration.ofMillis(300));
            server.work();
            assertThat(ran).hasSize(2);
            server.pass(Duration.ofSeconds(10));
            server.work();
            assertThat(ran).hasSize(2);
        }
    }

    @Test
    void triesAgainTenSecondsAfterAnException() {
        try (MemoryServer server = MemoryServer.of(x -> request(x, this::failsOnce))) {
            server.ask(server.connect(), GET);
            server.pass(Duration.ofMillis(1100));
            assertThatIllegalStateException().isThrownBy(server::work);
            server.run();
            assertThat(ran).hasSize(1);
            server.pass(Duration.ofMillis(9800));
            server.work();
            assertThat(ran).hasSize(1);
            server.pass(Duration.ofMillis(300));
            server.work();
            assertThat(ran).hasSize(2);
            server.pass(Duration.ofSeconds(20));
            server.work();
            assertThat(ran).hasSize(2);
        }
    }

    private long failsOnce(long nowNanos) {
        long at = work(nowNanos);
        if (ran.size() == 1) {
            throw new IllegalStateException("as a test wants");
        }
        return at;
    }

    @Test
    void setsNoTimerForNever() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    EngineExchange.of(x).maintenance(this::work, Maintenance.NEVER);
                    Answers.say(x, "asked");
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            client.reset();
            server.run();
            assertThat(armed(server)).isZero();
        }
    }

    @Test
    void triesAgainIfTheExecutorIsFull() {
        try (MemoryServer server = MemoryServer.of(this::request)) {
            server.ask(server.connect(), GET);
            server.blockingMax(0);
            server.pass(Duration.ofMillis(1100));
            server.blockingMax(1);
            server.pass(Duration.ofMillis(800));
            server.work();
            assertThat(ran).as("a second after the refusal").isEmpty();
            server.pass(Duration.ofMillis(400));
            server.work();
            assertThat(ran).hasSize(1);
        }
    }

    @Test
    void setsNoTimerForAResultAfterTheEnd() {
        try (MemoryServer server = MemoryServer.of(this::request)) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            client.reset();
            server.pass(Duration.ofMillis(1100)); // it waits on its executor
            again = server.clock().nanos() + SECOND;
            server.drain();
            server.work();
            assertThat(ran).hasSize(1);
            assertThat(armed(server)).isZero();
            server.pass(Duration.ofSeconds(3));
            server.work();
            assertThat(ran).hasSize(1);
        }
    }

    @Test
    void endCancelsTimers() {
        try (MemoryServer server = MemoryServer.of(this::request)) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            client.reset();
            server.run();
            assertThat(armed(server)).isEqualTo(1);
            server.drain();
            assertThat(armed(server)).isZero();
            server.pass(Duration.ofSeconds(3));
            server.work();
            assertThat(ran).isEmpty();
        }
    }

    @Test
    void exchangeInProgressAfterTheEndSetsNoTimer() {
        try (MemoryServer server = MemoryServer.of(Answers.holding(held))) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            server.drain();
            request(held.getFirst());
            server.run();
            client.reset();
            server.run();
            assertThat(armed(server)).isZero();
        }
    }

    private static int armed(MemoryServer server) {
        return server.net().loop().timers().armed();
    }
}
