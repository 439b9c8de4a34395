package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.net.memory.MemoryPeer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How long connections are kept to an upstream that says when it closes them.
final class KeepAliveTest {
    private static final long SECOND = 1_000_000_000;
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n";

    private final PeerPool pool = GatewayInMemory.pool(PoolLimits.DIAL_OUT);

    private static GatewayInMemory gateway(PeerPool pool) {
        return GatewayInMemory.proxying(pool, false);
    }

    private static void asks(GatewayInMemory gateway) {
        gateway.client(0).send(POST);
        gateway.run();
    }

    private static void answers(GatewayInMemory gateway, MemoryPeer up, String fields) {
        up.clear();
        up.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" + fields + "\r\nok");
        gateway.run();
    }

    @Test
    void connectionIsLeftASecondBeforeItsUpstreamClosesIt() {
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway);
            MemoryPeer up = gateway.accept(0);
            answers(gateway, up, "Keep-Alive: timeout=5\r\n");
            gateway.pass(Duration.ofMillis(3900));
            asks(gateway);
            assertThat(up.text()).as("the same connection").startsWith("POST / ");
            answers(gateway, up, "Keep-Alive: timeout=5\r\n");
            gateway.pass(Duration.ofMillis(4100));
            assertThat(up.isClosed()).isTrue();
            asks(gateway);
            MemoryPeer next = gateway.accept(0);
            assertThat(next.text()).startsWith("POST / ");
            answers(gateway, next, "");
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "0"})
    void connectionIsNotKeptForLessThanASecond(int seconds) {
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway);
            MemoryPeer up = gateway.accept(0);
            answers(gateway, up, "Keep-Alive: timeout=" + seconds + "\r\n");
            assertThat(up.isClosed()).isTrue();
            assertThat(pool.open()).isZero();
        }
    }

    @Test
    void eachAnswerCountsAnew() {
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway);
            MemoryPeer up = gateway.accept(0);
            answers(gateway, up, "Keep-Alive: timeout=2\r\n");
            asks(gateway);
            answers(gateway, up, "");
            gateway.pass(Duration.ofSeconds(20));
            assertThat(up.isClosed()).isFalse();
            gateway.pass(Duration.ofSeconds(11));
            assertThat(up.isClosed()).as("the limit of the pool").isTrue();
        }
    }

    @Test
    void longerTimeDoesNotExtendTheLimitOfThePool() {
        try (GatewayInMemory gateway = gateway(pool)) {
            asks(gateway);
            MemoryPeer up = gateway.accept(0);
            answers(gateway, up, "Keep-Alive: timeout=900\r\n");
            gateway.pass(Duration.ofSeconds(31));
            assertThat(up.isClosed()).isTrue();
        }
    }

    @Test
    void deadlineOfAnAnswerEndsNoIdleConnection() {
        PeerPool unlimited =
                GatewayInMemory.pool(PoolLimits.DIAL_OUT.with(draft -> draft.idleNanos = 0));
        try (GatewayInMemory gateway = gateway(unlimited)) {
            asks(gateway);
            MemoryPeer up = gateway.accept(0);
            answers(gateway, up, "");
            gateway.pass(Duration.ofNanos(unlimited.limits().answerNanos()).plusSeconds(1));
            assertThat(up.isClosed()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "timeout=5, 4",
        "'timeout=5, max=100', 4",
        "'max=100 , Timeout=7', 6",
        "timeout=1, 0",
        "timeout=0, 0",
        "timeout=99999999999999999999, 999999999",
    })
    void readsTheParameter(String value, long seconds) {
        Fields fields = new Fields().add(FieldName.KEEP_ALIVE, value);
        assertThat(KeepAlive.idleMaxNanos(fields)).isEqualTo(seconds * SECOND);
        assertThat(KeepAlive.idleMaxNanos(fields.add(FieldName.KEEP_ALIVE, "timeout=3")))
                .as("the least of several fields")
                .isEqualTo(Math.min(2, seconds) * SECOND);
    }

    @ParameterizedTest
    @CsvSource({"max=100", "timeout", "timeout=", "timeout=soon", "timeout=-1", "xtimeout=5", "''"})
    void otherValuesSayNothing(String value) {
        Fields fields = new Fields().add(FieldName.KEEP_ALIVE, value);
        assertThat(KeepAlive.idleMaxNanos(fields)).isEqualTo(Long.MAX_VALUE);
        assertThat(KeepAlive.idleMaxNanos(Fields.EMPTY)).isEqualTo(Long.MAX_VALUE);
    }
}
