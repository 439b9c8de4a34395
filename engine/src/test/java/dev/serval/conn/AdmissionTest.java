package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Checks that clients above a limit are refused and counted, and admitted again after capacity is
/// free.
final class AdmissionTest {
    private static Limits counts(int connections, int perAddress, int exchanges) {
        return Limits.DEFAULT.with(draft -> {
            draft.counts.connectionsMax = connections;
            draft.counts.perAddressMax = perAddress;
            draft.counts.exchangesMax = exchanges;
        });
    }

    @Test
    void connectionsHaveALimit() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), counts(2, 0, 10))) {
            MemoryPeer first = server.connect();
            MemoryPeer second = server.connect();
            MemoryPeer third = server.connect();
            assertThat(third.sawReset()).isTrue();
            assertThat(server.ask(second, GET)).endsWith("hello");
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_LIMIT)).isEqualTo(1);

            first.end();
            server.run();
            assertThat(server.ask(server.connect(), GET)).endsWith("hello");
            assertThat(server.count(Counter.CONNECTIONS_ACCEPTED)).isEqualTo(4);
            assertThat(server.count(Counter.CONNECTIONS_CLOSED)).isEqualTo(2);
        }
    }

    @Test
    void connectionsOfOneAddressHaveALimit() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), counts(10, 2, 10))) {
            MemoryPeer first = server.connect("10.0.0.1");
            server.connect("10.0.0.1");
            assertThat(server.connect("10.0.0.1").sawReset()).isTrue();
            assertThat(server.ask(server.connect("10.0.0.2"), GET)).endsWith("hello");
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_ADDRESS)).isEqualTo(1);
            first.reset();
            server.run();
            assertThat(server.ask(server.connect("10.0.0.1"), GET)).endsWith("hello");
        }
    }

    @Test
    void connectionsOfATrustedProxyAreNotCountedByAddress() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), counts(10, 2, 10))) {
            server.trust("10.0.0.1");
            for (int i = 0; i < 5; i++) {
                assertThat(server.ask(server.connect("10.0.0.1"), GET)).endsWith("hello");
            }
            server.connect("10.0.0.2");
            server.connect("10.0.0.2");
            assertThat(server.connect("10.0.0.2").sawReset()).isTrue();
        }
    }

    @Test
    void exchangesThatOutlastTheirTurnHaveALimit() {
        List<String> seen = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(
                        x -> {
                            if (x.request().target().text().equals("/fast")) {
                                Answers.say(x, "fast");
                                return;
                            }
                            x.onAbort(() -> seen.add("aborted"));
                            x.run(ExecutorKind.BLOCKING, () -> y -> Answers.say(y, "slow"));
                        },
                        counts(10, 0, 2))) {
            MemoryPeer first = server.connect();
            MemoryPeer second = server.connect();
            MemoryPeer third = server.connect();
            server.ask(first, GET);
            server.ask(second, GET);
            String refused = server.ask(third, GET);
            assertThat(refused).startsWith("HTTP/1.1 503 ").contains("\r\nRetry-After: 1\r\n");
            assertThat(seen).containsExactly("aborted");
            assertThat(server.count(Counter.REQUESTS_REFUSED_LIMIT)).isEqualTo(1);
            // An exchange that ends within its turn needs no permit, so it is answered beside the
            // others.
            assertThat(server.ask(third, "GET /fast HTTP/1.1\r\nHost: a\r\n\r\n")).endsWith("fast");

            server.work();
            assertThat(first.takeText()).endsWith("slow");
            assertThat(second.takeText()).endsWith("slow");
            server.ask(third, GET);
            server.work();
            assertThat(third.takeText()).endsWith("slow");
        }
    }

    @Test
    void keptExchangeCountsToo() {
        List<Exchange> held = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(
                        x -> {
                            x.onAbort(() -> seen.add("aborted"));
                            held.add(x);
                        },
                        counts(10, 0, 1))) {
            MemoryPeer first = server.connect();
            MemoryPeer second = server.connect();
            server.ask(first, GET);
            assertThat(server.admission().exchanges()).isEqualTo(1);
            assertThat(server.count(Counter.REQUESTS_REFUSED_LIMIT)).isZero();
            // The holder of the refused exchange has made no loop call, so it may not know about
            // the refusal and answers late.
            assertThat(server.ask(second, GET + GET))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("\r\nConnection: close\r\n", "\r\nRetry-After: 1\r\n");
            assertThat(seen).containsExactly("aborted");
            assertThat(server.count(Counter.REQUESTS_REFUSED_LIMIT)).isEqualTo(1);
            Answers.say(held.getLast(), "late");
            server.run();
            assertThat(held).hasSize(2);
            assertThat(second.length()).isZero();

            Answers.say(held.getFirst(), "kept");
            server.run();
            assertThat(first.takeText()).endsWith("kept");
            assertThat(server.admission().exchanges()).isZero();
            server.ask(first, GET);
            assertThat(held).hasSize(3);
            assertThat(server.admission().exchanges()).isEqualTo(1);
        }
    }

    @Test
    void exchangeAnsweredAtOnceNeedsNoPermit() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), counts(10, 0, 0))) {
            assertThat(server.ask(server.connect(), GET)).endsWith("hello");
            assertThat(server.count(Counter.REQUESTS_REFUSED_LIMIT)).isZero();
        }
    }

    @Test
    void idleConnectionHoldsNoExchange() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            for (int i = 0; i < 50; i++) {
                server.ask(server.connect(), GET);
            }
            assertThat(server.admission().connections()).isEqualTo(50);
            assertThat(server.admission().exchanges()).isZero();
            assertThat(server.net().pool().lent()).isZero();
        }
    }
}
