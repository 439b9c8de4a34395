package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.FakeClock;
import dev.serval.metrics.MountFigures;
import dev.serval.metrics.RequestPhase;
import dev.serval.metrics.SlowRequest;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Limits;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the metrics know of requests that have ended: mount, status, time and phases.
final class RequestTimesTest {
    private static final String TAIL = " HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final long MILLI = 1_000_000;
    private static final ResponseHead OK =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);

    private final List<Exchange> held = new ArrayList<>();
    private FakeClock clock = new FakeClock(); // replaced by that of the server

    @Test
    void countsByMountAndClassOfStatus() {
        try (MemoryServer server = routed("/a", Answers.greeting())) {
            server.ask(server.connect(), "GET /a/x" + TAIL);
            server.ask(server.connect(), "GET /a" + TAIL);
            server.ask(server.connect(), "BREW /a" + TAIL);
            server.ask(server.connect(), "GET /none" + TAIL);
            server.ask(server.connect(), "G(T /a" + TAIL);
            assertThat(mount(server, "/a").responses(2)).isEqualTo(2);
            assertThat(mount(server, "/a").responses(5)).isEqualTo(1);
            assertThat(mount(server, LabelledCounter.OTHER).responses(4)).isEqualTo(2);
            assertThat(mount(server, "/a").times().count()).isEqualTo(3);
        }
    }

    @Test
    void totalsAreThoseOfAllMountsButOne() {
        RouteTable table =
                RouteTable.builder()
                        .mount("/a", Answers.greeting())
                        .mount("/b", Answers.greeting())
                        .mount("/own", Answers.greeting())
                        .build();
        try (MemoryServer server = MemoryServer.of(new Router(table))) {
            for (String path : List.of("/a", "/b", "/own", "/none")) {
                server.ask(server.connect(), "GET " + path + TAIL);
            }
            MountFigures totals = server.metrics().totals("/own");
            assertThat(totals.responses(2)).isEqualTo(2);
            assertThat(totals.responses(4)).isEqualTo(1);
            assertThat(totals.times().count()).isEqualTo(3);
        }
    }

    @Test
    void mountOfAHostHasItsName() {
        RouteTable table =
                RouteTable.builder()
                        .mount("*.example.org", "/", Answers.greeting())
                        .mount("www.example.org", "/a", MountSettings.NONE, Answers.greeting())
                        .build();
        try (MemoryServer server = MemoryServer.of(new Router(table))) {
            server.ask(server.connect(), "GET / HTTP/1.1\r\nHost: b.example.org\r\n\r\n");
            server.ask(server.connect(), "GET /a HTTP/1.1\r\nHost: www.example.org\r\n\r\n");
            assertThat(server.counts(LabelledCounter.REQUESTS_BY_ROUTE))
                    .containsOnlyKeys("*.example.org/", "www.example.org/a");
        }
    }

    @Test
    void clientThatLeavesIsCountedWithoutAStatus() {
        try (MemoryServer server = routed("/", Answers.holding(held))) {
            MemoryPeer client = server.connect();
            server.ask(client, "GET /" + TAIL);
            client.reset();
            server.run();
            assertThat(mount(server, "/").responses(0)).isEqualTo(1);
        }
    }

    @Test
    void requestOfOneTurnGetsTheTimeOfItsTurn() {
        try (MemoryServer server =
                routed(
                        "/",
                        x -> {
                            held.add(x);
                            Answers.greeting().handle(x);
                        })) {
            MemoryPeer client = server.connect();
            client.send("GET /" + TAIL + "GET /" + TAIL);
            server.net().loop().execute(() -> server.clock().advance(3 * MILLI));
            server.turn();
            MountFigures root = mount(server, "/");
            assertThat(held).hasSize(2);
            assertThat(root.times().count()).isEqualTo(2);
            assertThat(root.times().sumNanos()).isEqualTo(6 * MILLI);
            assertThat(root.times(RequestPhase.HANDLER).count()).isZero();
        }
    }

    @Test
    void timeDividesIntoPhases() {
        try (MemoryServer server = routed("/", RequestTimesTest.this::onExecutor)) {
            MemoryPeer client = server.connect();
            server.ask(client, "GET / HTTP/1.1\r\nHo");
            server.clock().advance(20 * MILLI);
            server.ask(client, "st: a\r\n\r\n");
            server.clock().advance(30 * MILLI); // it waits for its thread
            server.work(); // takes 40 ms, then the loop sends the head
            server.clock().advance(50 * MILLI);
            server.turn();
            held.getFirst().response().end(Fields.EMPTY);
            server.run();

            MountFigures root = mount(server, "/");
            assertThat(root.times(RequestPhase.HEAD).sumNanos()).isEqualTo(20 * MILLI);
            assertThat(root.times(RequestPhase.QUEUE).sumNanos()).isEqualTo(30 * MILLI);
            assertThat(root.times(RequestPhase.HANDLER).sumNanos()).isEqualTo(40 * MILLI);
            assertThat(root.times(RequestPhase.WRITE).sumNanos()).isEqualTo(50 * MILLI);
            assertThat(root.times().sumNanos()).isEqualTo(120 * MILLI);
        }
    }

    @Test
    void refusalOfTheServerIsNoError() {
        Limits one = Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 1);
        Router router = new Router(RouteTable.builder().mount("/", Answers.holding(held)).build());
        try (MemoryServer server = MemoryServer.of(router, one)) {
            server.ask(server.connect(), "GET /" + TAIL);
            assertThat(server.ask(server.connect(), "GET /" + TAIL)).startsWith("HTTP/1.1 503 ");
            held.getFirst().response().abort(Fault.APPLICATION);
            server.run();
            MountFigures root = mount(server, "/");
            assertThat(root.responses(5)).isEqualTo(2);
            assertThat(root.errors(5)).isEqualTo(1);
            assertThat(root.refused()).isEqualTo(1);
        }
    }

    @Test
    void waitOfARefusedRequestIsThatOfTheQueue() {
        Task never = () -> Answers.greeting();
        try (MemoryServer server = routed("/", x -> x.run(ExecutorKind.BLOCKING, never))) {
            server.ask(server.connect(), "GET /" + TAIL);
            server.pass(Duration.ofSeconds(11));
            assertThat(server.count(Counter.REQUESTS_REFUSED_LATE)).isEqualTo(1);
            SlowRequest one = server.metrics().slowest(1, "").getFirst();
            assertThat(one.status()).isEqualTo(503);
            assertThat(one.queueNanos()).isGreaterThanOrEqualTo(10_000 * MILLI);
            assertThat(one.handlerNanos()).isZero();
            assertThat(mount(server, "/").errors(5)).isZero();
        }
    }

    @Test
    void waitOfAClientThatLeavesIsThatOfTheQueue() {
        Task never = () -> Answers.greeting();
        try (MemoryServer server = routed("/", x -> x.run(ExecutorKind.BLOCKING, never))) {
            MemoryPeer client = server.connect();
            server.ask(client, "GET /" + TAIL);
            server.pass(Duration.ofSeconds(3));
            client.reset();
            server.run();
            SlowRequest one = server.metrics().slowest(1, "").getFirst();
            assertThat(one.longest()).isEqualTo(RequestPhase.QUEUE);
            assertThat(one.handlerNanos()).isZero();
        }
    }

    @Test
    void headIsAPartOfTheTimeOfASlowRequest() {
        try (MemoryServer server = routed("/", Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, "GET / HTTP/1.1\r\nHo");
            server.clock().advance(900 * MILLI);
            server.ask(client, "st: a\r\n\r\n");
            SlowRequest one = server.metrics().slowest(1, "").getFirst();
            assertThat(one.totalNanos()).isEqualTo(900 * MILLI);
            assertThat(one.longest()).isEqualTo(RequestPhase.HEAD);
            assertThat(mount(server, "/").times().count()).isEqualTo(1);
        }
    }

    @Test
    void itemsOfAPageAreOneGroup() {
        try (MemoryServer server = routed("/", Answers.holding(held))) {
            for (int i = 0; i < 20; i++) {
                server.ask(server.connect(), "GET /orders/" + i + "?x" + TAIL);
            }
            server.ask(server.connect(), "GET /cart" + TAIL);
            server.clock().advance(50 * MILLI);
            server.turn();
            held.forEach(Answers.greeting()::handle);
            server.run();
            assertThat(server.metrics().slowest(10, "").stream().map(SlowRequest::name))
                    .hasSize(4)
                    .contains("GET /cart");
        }
    }

    @Test
    void slowRequestIsKeptWithItsPhasesAndWithoutItsQuery() {
        try (MemoryServer server = routed("/a", Answers.holding(held))) {
            server.ask(server.connect(), "GET /a/b?password=x" + TAIL);
            server.clock().advance(Duration.ofSeconds(2));
            server.turn();
            Answers.greeting().handle(held.getFirst());
            server.run();
            List<SlowRequest> slow = server.metrics().slowest(10, "");
            assertThat(slow).hasSize(1);
            SlowRequest one = slow.getFirst();
            assertThat(one.name()).isEqualTo("GET /a/b");
            assertThat(one.mount()).isEqualTo("/a");
            assertThat(one.status()).isEqualTo(200);
            assertThat(one.totalNanos()).isEqualTo(2_000 * MILLI);
            assertThat(one.longest()).isEqualTo(RequestPhase.HANDLER);
            assertThat(one.endedEpochSeconds()).isEqualTo(server.net().loop().epochSeconds());
            assertThat(server.metrics().slowest(10, "/a")).isEmpty();
        }
    }

    @Test
    void longNameOfASlowRequestIsCut() {
        try (MemoryServer server = routed("/", Answers.holding(held))) {
            server.ask(server.connect(), "GET /" + "x".repeat(1_000) + TAIL);
            server.clock().advance(Duration.ofSeconds(1));
            server.turn();
            Answers.greeting().handle(held.getFirst());
            server.run();
            assertThat(server.metrics().slowest(1, "").getFirst().name()).hasSize(200);
        }
    }

    @Test
    void tunnelHasNoTime() {
        try (MemoryServer server = routed("/", Answers.holding(held))) {
            MemoryPeer client = server.connect();
            server.ask(
                    client,
                    "GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n");
            held.getFirst()
                    .upgrade(
                            new ResponseHead(
                                    Status.SWITCHING_PROTOCOLS,
                                    Fields.EMPTY,
                                    ResponseHead.UNKNOWN_LENGTH));
            server.clock().advance(Duration.ofSeconds(5));
            server.run();
            client.reset();
            server.run();
            assertThat(mount(server, "/").responses(1)).isEqualTo(1);
            assertThat(mount(server, "/").times().count()).isZero();
            assertThat(server.metrics().slowest(1, "")).isEmpty();
        }
    }

    /// Answers with a head after 40 ms on another thread, and leaves the end to the test.
    private void onExecutor(Exchange x) {
        held.add(x);
        Handler then = exchange -> exchange.response().head(OK);
        x.run(
                ExecutorKind.BLOCKING,
                () -> {
                    clock.advance(40 * MILLI);
                    return then;
                });
    }

    private MemoryServer routed(String prefix, Handler handler) {
        Router router = new Router(RouteTable.builder().mount(prefix, handler).build());
        MemoryServer server = MemoryServer.of(router);
        clock = server.clock();
        return server;
    }

    private static MountFigures mount(MemoryServer server, String name) {
        return server.metrics().mounts().stream()
                .filter(one -> one.mount().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
