package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import dev.serval.testkit.ToyFrames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// Checks that a listener may choose the protocol after it has accepted the connection: admission,
/// counters and time limits do not depend on the choice.
final class ProtocolChoiceTest {
    private static final byte[] PREFACE = ToyFrames.preface();
    private static final byte[] HALF = Arrays.copyOf(PREFACE, PREFACE.length / 2);

    private static MemoryServer server(Limits limits) {
        return MemoryServer.of(Answers.greeting(), limits, ToyChoice.PROTOCOL);
    }

    private static Caller toy(MemoryServer server) {
        MemoryWire wire = new MemoryWire(server);
        wire.write(PREFACE, 0, PREFACE.length);
        return Caller.toy(wire);
    }

    private static void assertGreets(Caller caller) {
        Call call = caller.awaitEnd(caller.get("/"));
        assertThat(call.isWhole()).isTrue();
        assertThat(call.text()).isEqualTo("hello");
    }

    @Test
    void firstBytesChooseTheProtocol() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            for (int i = 0; i < 3; i++) {
                Caller toy = toy(server);
                assertGreets(toy);
                assertGreets(toy);
                Caller http = Caller.http1(new MemoryWire(server));
                assertGreets(http);
                assertGreets(http);
            }
            assertThat(server.count(Counter.CONNECTIONS_ACCEPTED)).isEqualTo(6);
            assertThat(server.admission().connections()).isEqualTo(6);
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(12);
        }
    }

    @Test
    void prefaceMayArriveByteByByte() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            MemoryWire wire = new MemoryWire(server);
            for (int i = 0; i < PREFACE.length; i++) {
                wire.write(PREFACE, i, 1);
                server.run();
            }
            assertGreets(Caller.toy(wire));
        }
    }

    @Test
    void requestThatBeginsLikeThePrefaceIsHttp() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            MemoryPeer client = server.connect();
            String half = new String(HALF, StandardCharsets.US_ASCII);
            assertThat(server.ask(client, half)).isEmpty();
            assertThat(server.ask(client, "/ HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .startsWith("HTTP/1.1 501 ");
        }
    }

    @Test
    void clientThatSendsNothingOrHalfAPrefaceIsClosedInTime() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            MemoryPeer silent = server.connect();
            MemoryPeer half = server.connect();
            half.send(HALF, 0, HALF.length);
            server.pass(Duration.ofSeconds(9));
            half.send(PREFACE, HALF.length, 1); // postpones nothing
            server.run();
            assertThat(silent.sawEnd()).isFalse();
            server.pass(Duration.ofSeconds(2));
            assertThat(silent.sawEnd()).isTrue();
            assertThat(server.admission().connections()).isZero();
            assertThat(server.count(Counter.CONNECTIONS_CLOSED)).isEqualTo(2);
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(2);
        }
    }

    @Test
    void timeBeforeTheChoiceCountsAfterIt() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            MemoryPeer http = server.connect();
            MemoryPeer toy = server.connect();
            server.pass(Duration.ofSeconds(6));
            http.send("GET / HT");
            toy.send(PREFACE, 0, PREFACE.length);
            server.pass(Duration.ofSeconds(6));
            assertThat(http.takeText()).startsWith("HTTP/1.1 408 ");
            assertThat(toy.sawEnd()).isTrue();
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(2);
        }
    }

    @Test
    void clientAboveALimitIsRefusedBeforeTheChoice() {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.counts.connectionsMax = 2;
                    draft.counts.perAddressMax = 1;
                });
        try (MemoryServer server = server(limits)) {
            MemoryPeer first = server.connect("10.0.0.1");
            assertThat(server.connect("10.0.0.1").sawReset()).isTrue();
            MemoryPeer second = server.connect("10.0.0.2");
            assertThat(server.connect("10.0.0.3").sawReset()).isTrue();
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_ADDRESS)).isEqualTo(1);
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_LIMIT)).isEqualTo(1);
            assertThat(server.ask(first, Answers.GET)).endsWith("hello");
            first.end();
            second.send(PREFACE, 0, PREFACE.length);
            second.end();
            server.run();
            assertThat(server.admission().connections()).isZero();
            assertThat(server.ask(server.connect("10.0.0.1"), Answers.GET)).endsWith("hello");
        }
    }

    @Test
    void drainEndsConnectionsThatHaveNotChosen() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            MemoryPeer silent = server.connect();
            Caller toy = toy(server);
            assertGreets(toy);
            server.drain();
            assertThat(silent.sawEnd()).isTrue();
            assertThat(server.admission().connections()).isZero();
        }
    }
}
