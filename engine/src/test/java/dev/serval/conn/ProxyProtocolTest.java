package dev.serval.conn;

import static dev.serval.conn.ProxyHeaders.FOUR;
import static dev.serval.conn.ProxyHeaders.two;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Handler;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.AddressRange;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Connections that begin with a PROXY header, from their accept to their first request.
final class ProxyProtocolTest {
    private static final String LINE = "PROXY TCP4 203.0.113.7 192.0.2.1 4000 443\r\n";
    private static final String GET = Answers.GET;
    private static final String SEEN = "/203.0.113.7:4000 to /192.0.2.1:443";

    private static MemoryServer server() {
        return server(Limits.DEFAULT, ProxyProtocol.REQUIRED);
    }

    private static MemoryServer server(Limits limits, ProxyProtocol rule) {
        return MemoryServer.proxied(telling(), limits, new Http1(Leniency.defaults()), rule);
    }

    private static Handler telling() {
        return x -> {
            ConnectionFacts facts = x.connection();
            Answers.say(x, facts.peer() + " to " + facts.local());
        };
    }

    @Test
    void handlersSeeTheAddressesOfTheHeader() {
        try (MemoryServer server = server()) {
            MemoryPeer one = server.connect("10.0.0.1");
            assertThat(server.ask(one, LINE + GET)).startsWith("HTTP/1.1 200 ").endsWith(SEEN);
            assertThat(server.ask(one, GET)).as("the next request").endsWith(SEEN);
            MemoryPeer two = server.connect("10.0.0.1");
            two.send(two("21", "11", FOUR));
            assertThat(server.ask(two, GET)).endsWith(SEEN);
            assertThat(server.count(Counter.CONNECTIONS_ACCEPTED)).isEqualTo(2);
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(3);
        }
    }

    @Test
    void headerAndRequestMayArriveByteByByte() {
        try (MemoryServer server = server()) {
            MemoryPeer client = server.connect();
            String answer = "";
            for (char sign : (LINE + GET).toCharArray()) {
                answer += server.ask(client, String.valueOf(sign));
            }
            assertThat(answer).endsWith(SEEN);
        }
    }

    @Test
    void headerWithoutAddressesLeavesThoseOfTheConnection() {
        try (MemoryServer server = server()) {
            String own = "/10.0.0.1:1 to localhost/127.0.0.1:80";
            assertThat(server.ask(server.connect("10.0.0.1"), "PROXY UNKNOWN\r\n" + GET))
                    .endsWith(own);
            MemoryPeer local = server.connect("10.0.0.1");
            local.send(two("20", "00", ""));
            assertThat(server.ask(local, GET)).endsWith(own);
        }
    }

    @Test
    void protocolIsChosenAfterTheHeader() {
        try (MemoryServer server =
                MemoryServer.proxied(
                        telling(), Limits.DEFAULT, ToyChoice.PROTOCOL, ProxyProtocol.REQUIRED)) {
            assertThat(server.ask(server.connect(), LINE + GET)).endsWith(SEEN);
        }
    }

    @Test
    void missingOrBrokenHeaderClosesTheConnection() {
        try (MemoryServer server = server()) {
            for (String wrong : List.of(GET, "PROXY TCP4 a b 1 2\r\n" + GET, "\r\n\r\nGET ")) {
                MemoryPeer client = server.connect();
                assertThat(server.ask(client, wrong)).isEmpty();
                assertThat(client.isClosed()).isTrue();
            }
            MemoryPeer half = server.connect();
            half.send("PROXY ");
            half.end();
            server.run();
            assertThat(half.isClosed()).isTrue();
            assertThat(server.count(Counter.PROXY_HEADERS_REFUSED)).isEqualTo(4);
            assertThat(server.counts(LabelledCounter.REFUSALS))
                    .containsEntry("proxy_headers_refused", 4L);
            assertThat(server.count(Counter.REQUESTS)).isZero();
            assertThat(server.admission().connections()).isZero();
        }
    }

    @Test
    void connectionWithoutAByteIsNoBrokenHeader() {
        try (MemoryServer server = server()) {
            MemoryPeer probe = server.connect();
            probe.end();
            server.run();
            assertThat(probe.isClosed()).isTrue();
            assertThat(server.count(Counter.PROXY_HEADERS_REFUSED)).isZero();
        }
    }

    @Test
    void lateHeaderIsRefused() {
        try (MemoryServer server = server()) {
            MemoryPeer silent = server.connect();
            MemoryPeer dripping = server.connect();
            dripping.send("PROXY ");
            server.pass(Duration.ofMillis(9_900));
            dripping.send("T");
            server.run();
            assertThat(silent.isClosed()).isFalse();
            server.pass(Duration.ofMillis(200));
            assertThat(silent.isClosed()).isTrue();
            assertThat(dripping.isClosed()).isTrue();
            assertThat(server.count(Counter.PROXY_HEADERS_REFUSED)).isEqualTo(2);
        }
    }

    @Test
    void headerAndHeadShareOneTimeLimit() {
        try (MemoryServer server = server()) {
            MemoryPeer client = server.connect();
            server.pass(Duration.ofSeconds(6));
            assertThat(server.ask(client, LINE + "GET / HT")).isEmpty();
            server.pass(Duration.ofSeconds(5));
            assertThat(client.takeText()).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void onlyListedSendersAreBelieved() {
        ProxyProtocol rule = new ProxyProtocol(List.of(AddressRange.of("10.0.0.0/8")));
        try (MemoryServer server = server(Limits.DEFAULT, rule)) {
            assertThat(server.ask(server.connect("10.1.2.3"), LINE + GET)).endsWith(SEEN);
            MemoryPeer other = server.connect("11.1.2.3");
            assertThat(other.sawReset()).isTrue();
            assertThat(server.count(Counter.PROXY_SENDERS_REFUSED)).isEqualTo(1);
            assertThat(server.admission().connections()).isEqualTo(1);
        }
    }

    @Test
    void peersAtAUnixDomainSocketAreBelieved() {
        ProxyProtocol rule = new ProxyProtocol(List.of(AddressRange.of("10.0.0.0/8")));
        assertThat(rule.believes(UnixDomainSocketAddress.of(""))).isTrue();
    }

    @Test
    void addressOfTheHeaderIsCounted() {
        Limits one = Limits.DEFAULT.with(draft -> draft.counts.perAddressMax = 1);
        try (MemoryServer server = server(one, ProxyProtocol.REQUIRED)) {
            MemoryPeer first = server.connect("10.0.0.1");
            assertThat(server.ask(first, LINE + GET)).endsWith(SEEN);
            MemoryPeer other = server.connect("10.0.0.1");
            assertThat(server.ask(other, "PROXY TCP4 203.0.113.8 192.0.2.1 1 2\r\n" + GET))
                    .contains("203.0.113.8");
            MemoryPeer second = server.connect("10.0.0.1");
            assertThat(server.ask(second, LINE + GET)).isEmpty();
            assertThat(second.sawReset()).isTrue();
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_ADDRESS)).isEqualTo(1);
            assertThat(server.admission().connections()).isEqualTo(2);
            first.end();
            server.run();
            assertThat(server.ask(server.connect("10.0.0.1"), LINE + GET)).endsWith(SEEN);
        }
    }

    @Test
    void connectionsWithoutTheirHeaderCountTowardsTheLimit() {
        Limits two = Limits.DEFAULT.with(draft -> draft.counts.connectionsMax = 2);
        try (MemoryServer server = server(two, ProxyProtocol.REQUIRED)) {
            server.connect();
            server.connect();
            assertThat(server.connect().sawReset()).isTrue();
            assertThat(server.count(Counter.CONNECTIONS_REFUSED_LIMIT)).isEqualTo(1);
        }
    }

    @Test
    void drainStillAnswersARequestOnItsWay() {
        try (MemoryServer server = server()) {
            MemoryPeer coming = server.connect();
            MemoryPeer half = server.connect();
            MemoryPeer silent = server.connect();
            half.send(LINE.substring(0, 9));
            server.pass(Duration.ofSeconds(5));
            server.drain();
            assertThat(server.ask(coming, LINE + GET)).contains("Connection: close").endsWith(SEEN);
            assertThat(server.ask(half, LINE.substring(9))).isEmpty();
            server.pass(Duration.ofMillis(200));
            assertThat(server.ask(half, GET)).endsWith(SEEN);
            assertThat(silent.isClosed()).isFalse();
            server.pass(Duration.ofMillis(400));
            assertThat(silent.isClosed()).isTrue();
            assertThat(server.count(Counter.PROXY_HEADERS_REFUSED)).isZero();
        }
    }
}
