package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.handler.RequestRate;
import dev.serval.handler.Route;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.AddressRange;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Limits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The rate at which each client may send requests, for a listener and for a mount.
final class ClientRatesTest {
    private static final long SECOND = 1_000_000_000;
    private static final String TOO_MANY = "HTTP/1.1 429 ";

    private static Limits rate(int requests, int burst, String... except) {
        return Limits.DEFAULT.with(draft -> {
            draft.rate.requests = requests;
            draft.rate.perNanos = SECOND;
            draft.rate.burst = burst;
            draft.rate.except = List.of(except).stream().map(AddressRange::of).toList();
        });
    }

    @Test
    void clientPastItsRateGets429() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), rate(2, 3))) {
            MemoryPeer client = server.connect("10.0.0.1");
            for (int i = 0; i < 3; i++) {
                assertThat(server.ask(client, GET)).endsWith("hello");
            }
            assertThat(server.ask(client, GET))
                    .startsWith(TOO_MANY)
                    .contains("\r\nRetry-After: 1\r\n")
                    .doesNotContain("Connection: close");
            assertThat(server.ask(server.connect("10.0.0.1"), GET)).startsWith(TOO_MANY);
            assertThat(server.ask(server.connect("10.0.0.2"), GET)).endsWith("hello");
            assertThat(server.count(Counter.REQUESTS_REFUSED_RATE)).isEqualTo(2);
            assertThat(server.counts(LabelledCounter.REFUSALS))
                    .containsEntry("requests_refused_rate", 2L);
            server.pass(Duration.ofMillis(500));
            assertThat(server.ask(client, GET)).endsWith("hello");
            assertThat(server.ask(client, GET)).startsWith(TOO_MANY);
        }
    }

    @Test
    void pipelinedRequestsCountOneByOne() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), rate(1, 2))) {
            List<Answers.Answer> answers =
                    Answers.parse(server.ask(server.connect("10.0.0.1"), GET.repeat(4)));
            assertThat(answers)
                    .extracting(Answers.Answer::status)
                    .containsExactly(200, 200, 429, 429);
        }
    }

    @Test
    void exceptedClientHasNoLimit() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), rate(1, 1, "10.0.0.0/8"))) {
            MemoryPeer inside = server.connect("10.9.9.9");
            for (int i = 0; i < 10; i++) {
                assertThat(server.ask(inside, GET)).endsWith("hello");
            }
            MemoryPeer outside = server.connect("192.0.2.1");
            assertThat(server.ask(outside, GET)).endsWith("hello");
            assertThat(server.ask(outside, GET)).startsWith(TOO_MANY);
        }
    }

    @Test
    void clientIsTheOneThatATrustedProxyTells() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), rate(1, 1))) {
            server.trust("10.0.0.1");
            MemoryPeer proxy = server.connect("10.0.0.1");
            String one = GET.replace("\r\n\r\n", "\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
            String other = GET.replace("\r\n\r\n", "\r\nX-Forwarded-For: 192.0.2.2\r\n\r\n");
            assertThat(server.ask(proxy, one)).endsWith("hello");
            assertThat(server.ask(proxy, one)).startsWith(TOO_MANY);
            assertThat(server.ask(proxy, other)).endsWith("hello");
        }
    }

    @Test
    void rateMayChangeWhileTheServerRuns() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), rate(1, 1))) {
            MemoryPeer client = server.connect("10.0.0.1");
            server.ask(client, GET);
            assertThat(server.ask(client, GET)).startsWith(TOO_MANY);
            server.service().replace(server.service().settings().withLimits(Limits.DEFAULT));
            assertThat(server.ask(client, GET)).endsWith("hello");
            server.service().replace(server.service().settings().withLimits(rate(1, 1)));
            assertThat(server.ask(client, GET)).endsWith("hello");
            assertThat(server.ask(client, GET)).startsWith(TOO_MANY);
        }
    }

    @Test
    void mountHasARateOfItsOwn() {
        RequestRate two = new RequestRate(2, SECOND, 2, 64, _ -> false);
        MountSettings settings = MountSettings.NONE.with(draft -> draft.rate = two);
        Route limited =
                new Route("/login", List.of(Answers.greeting()), new Mapping("login"), settings);
        Route free = new Route("/", List.of(Answers.greeting()));
        Handler router =
                x ->
                        EngineExchange.of(x)
                                .enter(
                                        x.request().target().text().startsWith("/login")
                                                ? limited
                                                : free);
        try (MemoryServer server = MemoryServer.of(router)) {
            MemoryPeer client = server.connect("10.0.0.1");
            String login = GET.replace("/ ", "/login ");
            assertThat(server.ask(client, login)).endsWith("hello");
            assertThat(server.ask(client, login)).endsWith("hello");
            assertThat(server.ask(client, login)).startsWith(TOO_MANY);
            assertThat(server.ask(client, GET)).endsWith("hello");
            assertThat(server.count(Counter.REQUESTS_REFUSED_RATE)).isEqualTo(1);
        }
    }
}
