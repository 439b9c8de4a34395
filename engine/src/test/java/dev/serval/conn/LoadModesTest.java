package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What each load mode changes for connections. The test sets how many connections the server
/// believes it has.
final class LoadModesTest {
    private static final Duration LITTLE = Duration.ofMillis(200);

    @ParameterizedTest
    @CsvSource({"0, 75", "50, 30", "80, 5"})
    void idleConnectionIsClosedAfterTheTimeOfTheMode(int percent, int seconds) {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            server.connectionsPercent(percent);
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).endsWith("hello");
            server.pass(Duration.ofSeconds(seconds).minus(LITTLE));
            assertThat(client.isClosed()).isFalse();
            server.pass(LITTLE.plus(LITTLE));
            assertThat(client.isClosed()).isTrue();
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void criticalModeEndsConnectionsAfterTheirResponse() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).doesNotContain("Connection: close");
            server.connectionsPercent(95);
            server.pass(Duration.ofMillis(100));
            server.connect(); // the server looks at its load
            assertThat(server.mode()).isEqualTo(LoadMode.CRITICAL);
            assertThat(server.ask(client, GET)).contains("\r\nConnection: close\r\n");
            assertThat(client.sawEnd()).isTrue();
        }
    }

    @Test
    void higherModeClosesIdleConnectionsLongestIdleFirst() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            List<MemoryPeer> idle = idleClients(server);
            MemoryPeer fresh = server.connect();
            server.ask(fresh, GET);
            server.connectionsPercent(80);
            server.pass(Duration.ofMillis(100));
            MemoryPeer late = server.connect();
            assertThat(server.mode()).isEqualTo(LoadMode.HEAVY);
            int before = 0;
            for (int i = 0; i < 10; i++) {
                server.pass(Duration.ofMillis(100));
                int closed = (int) idle.stream().filter(MemoryPeer::isClosed).count();
                assertThat(closed - before).isLessThanOrEqualTo(1);
                before = closed;
                assertThat(idle.subList(0, closed)).allMatch(MemoryPeer::isClosed);
            }
            assertThat(idle).allMatch(MemoryPeer::isClosed);
            assertThat(fresh.isClosed()).isFalse();
            assertThat(late.isClosed()).isFalse();
            server.pass(Duration.ofSeconds(5));
            assertThat(fresh.isClosed()).isTrue();
        }
    }

    @Test
    void noMoreIdleConnectionsAreClosedThanAreTooMany() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            List<MemoryPeer> idle = idleClients(server);
            server.connectionsPercent(80);
            server.pass(Duration.ofMillis(100));
            server.connect();
            while (!idle.get(1).isClosed()) {
                server.pass(Duration.ofMillis(10));
            }
            server.connectionsPercent(79); // the mode lasts
            server.pass(Duration.ofSeconds(5));
            assertThat(server.mode()).isEqualTo(LoadMode.HEAVY);
            assertThat(idle.subList(2, 5)).noneMatch(MemoryPeer::isClosed);
            server.connectionsPercent(80);
            server.pass(Duration.ofSeconds(2));
            assertThat(idle).allMatch(MemoryPeer::isClosed);
        }
    }

    /// Connections that came together are due in one turn of the loop, between two looks at the load.
    @Test
    void noMoreAreClosedThanAreTooManyIfTheyCameTogether() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            List<MemoryPeer> idle = clients(server, 5, Duration.ZERO);
            server.pass(Duration.ofSeconds(10));
            assertThat(server.admission().connections()).isEqualTo(5);
            server.connectionsPercent(() -> 75 + server.admission().connections());
            server.connect(); // one is too many, and its arrival has the load looked at
            server.pass(Duration.ofSeconds(3));
            assertThat(server.mode()).isEqualTo(LoadMode.HEAVY);
            assertThat(idle.stream().filter(MemoryPeer::isClosed)).hasSize(2);
        }
    }

    /// Otherwise clients at work would get `Connection: close` for as long as others are idle.
    @Test
    void criticalModeClosesIdleConnectionsUntilItEnds() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            List<MemoryPeer> idle = clients(server, 10, Duration.ZERO);
            server.pass(Duration.ofSeconds(1));
            server.connectionsPercent(() -> 85 + server.admission().connections());
            server.connect(); // 96, and its arrival has the load looked at
            server.pass(Duration.ofSeconds(3));
            assertThat(server.mode()).isEqualTo(LoadMode.HEAVY);
            assertThat(idle.stream().filter(MemoryPeer::isClosed)).hasSize(7);
        }
    }

    @Test
    void lowerModeKeepsIdleConnectionsAgain() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            server.connectionsPercent(80);
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            server.connectionsPercent(0);
            server.pass(Duration.ofSeconds(10));
            assertThat(server.mode()).isEqualTo(LoadMode.LIGHT);
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofSeconds(66));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void ownLimitOfIdleConnectionsStays() {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.idleNanos = Duration.ofSeconds(3).toNanos());
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), limits)) {
            server.connectionsPercent(80);
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            server.pass(Duration.ofSeconds(3).plus(LITTLE));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void forcedModeAppliesWithoutLoad() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.load.forced = LoadMode.CRITICAL);
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), limits)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).contains("\r\nConnection: close\r\n");
        }
    }

    /// The percentage is that of the moment, even if nothing arrives that would have it looked at.
    @Test
    void connectionsStayOnceThereAreNotTooManyAnyMore() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            server.connectionsPercent(50);
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).endsWith("hello");
            assertThat(server.mode()).isEqualTo(LoadMode.NORMAL);
            server.connectionsPercent(49);
            server.pass(Duration.ofSeconds(32));
            assertThat(client.isClosed()).isFalse();
        }
    }

    /// Connects five clients, which are idle for 50, 40, 30, 20 and 10 seconds then.
    private static List<MemoryPeer> idleClients(MemoryServer server) {
        return clients(server, 5, Duration.ofSeconds(10));
    }

    /// Connects clients that get an answer and are idle then.
    ///
    /// @param after time that passes after each
    private static List<MemoryPeer> clients(MemoryServer server, int number, Duration after) {
        List<MemoryPeer> clients = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).endsWith("hello");
            clients.add(client);
            server.pass(after);
        }
        return clients;
    }
}
