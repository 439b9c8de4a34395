package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Route;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.testkit.Http2Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests for application code that computes, more than there is time for. Each one takes 5 ms of
/// the test's clock, so one begins in each turn of the loop.
final class OverloadTest {
    private static final long MILLI = 1_000_000;
    private static final long COST = 5 * MILLI;
    private static final Limits RESETTING =
            Limits.DEFAULT.with(draft -> {
                draft.load.resets = true;
                draft.load.light = draft.load.light.withWaitNanos(10 * COST, 10 * COST);
            });
    private static final int TURNS_PER_SECOND = 200;
    private static final int FIRST_REQUESTS = 51;
    private static final int LEARNED = 320; // requests until the estimate is that of their cost
    private static final String CLOSE = "Connection: close\r\n";
    private static final String COOKIE = CLOSE + "Cookie: visit=1\r\n";
    private static final String PICTURE = "GET /picture HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String REFUSED = "HTTP/1.1 503 ";

    private final List<MemoryPeer> clients = new ArrayList<>();
    private final List<Long> sent = new ArrayList<>(); // the time of each request
    private final List<Long> waits = new ArrayList<>(); // of those that began, in their order
    private final List<String> texts = new ArrayList<>(); // of the answers
    private LongSupplier now = () -> 0;
    private LongConsumer passes = _ -> {};
    private final Route pictures = new Route("/picture", List.of(this::picture));
    private long cost;
    private long handling;
    private int again;
    private int parts = 1; // of each task
    private String fields = CLOSE; // of the requests

    @Test
    void burstIsServedAsFarAsItCanBeInTime() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            for (int i = 0; i < 700; i++) {
                ask(server);
            }
            server.run();
            assertThat(waits.size()).isBetween(400, 402); // 2 s
            assertThat(refused()).hasSize(700 - waits.size());
            assertThat(refused())
                    .allSatisfy(answer -> assertThat(answer).contains("\r\nRetry-After: 1\r\n"));
            assertThat(server.count(Counter.REQUESTS_REFUSED_LOAD)).isEqualTo(700L - waits.size());
            assertThat(server.counts(LabelledCounter.REFUSALS))
                    .containsEntry("requests_refused_load", 700L - waits.size());
        }
    }

    @Test
    void smallBurstIsServedWhole() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            for (int i = 0; i < 390; i++) {
                ask(server);
            }
            server.run();
            assertThat(waits).hasSize(390);
            assertThat(refused()).isEmpty();
        }
    }

    @Test
    void goodputStaysAndWaitsAreShortIfMoreIsOffered() {
        for (int times : new int[] {2, 5, 10}) {
            try (MemoryServer server = server(Limits.DEFAULT)) {
                int turns = 8 * TURNS_PER_SECOND;
                offer(server, turns, times);
                assertThat(server.mode()).isEqualTo(LoadMode.CRITICAL);
                // Each turn had one to carry, but for the first, which has not read its clock yet.
                assertThat(waits.size()).isBetween(turns - 2, turns);
                assertThat(waits.subList(turns / 2, turns - 2))
                        .allSatisfy(wait -> assertThat(wait).isBetween(90 * MILLI, 115 * MILLI));
                assertThat(refused().size()).isGreaterThan((times - 1) * turns / 2);
            }
        }
    }

    @Test
    void serverIsAsBeforeWithinASecondOfTheEndOfTheLoad() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            offer(server, 4 * TURNS_PER_SECOND, 5);
            server.run(); // what waits
            waits.clear();
            server.pass(Duration.ofMillis(800));
            assertThat(server.mode()).isEqualTo(LoadMode.LIGHT);
            ask(server);
            server.run();
            assertThat(waits).hasSize(1);
            assertThat(clients.getLast().takeText()).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void requestsThatWaitWhenTheLoadBecomesCriticalAreRefusedIfTheyAreLate() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            offer(server, 4 * TURNS_PER_SECOND, 10);
            // A second until the mode begins, in which those begin that have waited for so long.
            assertThat(waits)
                    .allSatisfy(wait -> assertThat(wait).isLessThanOrEqualTo(1050 * MILLI));
            assertThat(waits.size()).isGreaterThan(4 * TURNS_PER_SECOND - 5);
            assertThat(waits.subList(2 * TURNS_PER_SECOND - 50, waits.size()))
                    .as("waits of those that have come since")
                    .allSatisfy(wait -> assertThat(wait).isLessThan(115 * MILLI));
            int ended = refused().size() + waits.size();
            assertThat(ended).as("all but those that wait").isGreaterThan(clients.size() - 25);
        }
    }

    /// Half a second of work stays, which is the newest: what was before it would be late, and what
    /// comes then would be refused until all of it has begun.
    @Test
    void theOldestAreRefusedUntilTheOthersCanBeginInTime() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            offer(server, 4 * TURNS_PER_SECOND, 2);
            assertThat(waits.size()).isGreaterThan(4 * TURNS_PER_SECOND - 5);
            int second = TURNS_PER_SECOND;
            assertThat(waits.subList(3 * second / 2 + 20, waits.size()))
                    .as("waits after the load has become critical")
                    .allSatisfy(wait -> assertThat(wait).isLessThan(520 * MILLI))
                    .anySatisfy(wait -> assertThat(wait).isGreaterThan(400 * MILLI));
        }
    }

    @Test
    void criticalDelayEndsOnlyTheConnectionsOfRefusedRequests() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            fields = "";
            offer(server, 2 * TURNS_PER_SECOND, 5);
            assertThat(server.mode()).isEqualTo(LoadMode.CRITICAL);
            clients.clear();
            offer(server, TURNS_PER_SECOND, 5);
            List<String> refused = refused();
            assertThat(refused)
                    .hasSizeGreaterThan(TURNS_PER_SECOND)
                    .allSatisfy(answer -> assertThat(answer).contains("\r\nConnection: close\r\n"));
            assertThat(texts.stream().filter(text -> text.startsWith("HTTP/1.1 200 ")).toList())
                    .hasSizeGreaterThan(TURNS_PER_SECOND / 2)
                    .allSatisfy(answer -> assertThat(answer).doesNotContain("Connection: close"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Cookie: visit=1\r\n", "Referer: http://a/page\r\n"})
    void requestsOfClientsThatReturnMayWaitForLonger(String field) {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            fields = CLOSE + field;
            int turns = 12 * TURNS_PER_SECOND;
            offer(server, turns, 5);
            assertThat(server.mode()).isEqualTo(LoadMode.CRITICAL);
            assertThat(waits.subList(turns / 2, turns - 2))
                    .allSatisfy(wait -> assertThat(wait).isBetween(2950 * MILLI, 3050 * MILLI));
            assertThat(refused().size()).isGreaterThan(4 * turns / 2);
        }
    }

    /// A page of several requests is worth little if one of them is refused.
    @Test
    void requestsWithACookieAreServedWhileOthersAreRefused() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            List<MemoryPeer> visitors = new ArrayList<>();
            for (int i = 0; i < 4 * TURNS_PER_SECOND; i++) {
                fields = COOKIE;
                offer(server, 1, 1);
                visitors.add(clients.removeLast());
                fields = CLOSE;
                offer(server, 1, 3);
            }
            assertThat(server.mode()).isEqualTo(LoadMode.CRITICAL);
            server.run();
            assertThat(visitors)
                    .allSatisfy(
                            visitor -> assertThat(visitor.takeText()).startsWith("HTTP/1.1 200 "));
            assertThat(refused()).hasSizeGreaterThan(7 * TURNS_PER_SECOND);
        }
    }

    /// A long request may have many parts, each shorter than the short request.
    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    void shortRequestsDoNotWaitBehindLongOnes(int parts) {
        this.parts = parts;
        try (MemoryServer server = server(Limits.DEFAULT)) {
            MemoryPeer visitor = server.connect();
            for (int i = 0; i < FIRST_REQUESTS + 30; i++) { // the loop carries the last 30
                assertThat(server.ask(visitor, PICTURE)).endsWith("hello");
            }
            for (int i = 0; i < 200; i++) {
                ask(server);
            }
            server.turn();
            visitor.send(PICTURE);
            for (int i = 0; i < 3 * parts; i++) {
                server.turn();
            }
            assertThat(visitor.takeText()).endsWith("hello");
            assertThat(waits).as("of the long ones").hasSizeBetween(1, 10);
            for (int i = 0; i < 300 * parts; i++) {
                server.turn();
            }
            assertThat(waits).hasSize(200);
        }
    }

    @Test
    void delayClosesNoIdleConnection() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            MemoryPeer visitor = server.connect();
            assertThat(server.ask(visitor, Answers.GET)).endsWith("hello");
            offer(server, 10 * TURNS_PER_SECOND, 5);
            assertThat(server.mode()).isEqualTo(LoadMode.CRITICAL);
            assertThat(visitor.isClosed()).isFalse();
        }
    }

    @Test
    void forcedModeLetsRequestsWait() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.load.forced = LoadMode.HEAVY);
        try (MemoryServer server = server(limits)) {
            offer(server, 4 * TURNS_PER_SECOND, 10);
            assertThat(waits.subList(0, 450)).as("none was refused before its turn").isSorted();
            assertThat(waits.subList(450, waits.size()))
                    .allSatisfy(wait -> assertThat(wait).isBetween(1980 * MILLI, 2020 * MILLI));
        }
    }

    @Test
    void requestThatHasBegunIsNotRefused() {
        Limits least =
                Limits.DEFAULT.with(draft ->
                        draft.load.light = draft.load.light.withWaitNanos(20 * MILLI, 20 * MILLI));
        try (MemoryServer server = server(least)) {
            again = 1; // each request has two tasks
            cost = 8 * COST; // more than expected, so the second ones would wait too long
            for (int i = 0; i < 100; i++) {
                ask(server);
            }
            for (int i = 0; i < 100; i++) {
                server.turn();
            }
            assertThat(refused()).isNotEmpty();
            assertThat(waits).hasSize(2 * (100 - refused().size()));
        }
    }

    @Test
    void secondPartOfARequestIsNotRefusedWhenTheLoadBecomesCritical() {
        try (MemoryServer server = server(Limits.DEFAULT)) {
            again = 1;
            offer(server, 3 * TURNS_PER_SECOND, 10);
            assertThat(server.mode()).isEqualTo(LoadMode.CRITICAL);
            server.run();
            server.pass(Duration.ofSeconds(1)); // accepting may have paused
            server.run();
            long answered =
                    clients.stream()
                            .filter(client -> client.takeText().startsWith("HTTP/1.1 200 "))
                            .count();
            assertThat(waits).hasSize(2 * (int) answered);
        }
    }

    @Test
    void waitOfTheModeIsALimit() {
        for (int most : new int[] {20, 40}) {
            Limits limits =
                    Limits.DEFAULT.with(draft -> {
                        draft.load.forced = LoadMode.HEAVY;
                        draft.load.heavy = draft.load.heavy.withWaitNanos(most * COST, most * COST);
                    });
            try (MemoryServer server = server(limits)) {
                offer(server, TURNS_PER_SECOND, 2);
                assertThat(waits.getLast()).isEqualTo(most * COST);
                assertThat(server.mode()).isEqualTo(LoadMode.HEAVY);
            }
        }
    }

    @Test
    void refusalMayBeAReset() {
        try (MemoryServer server = server(RESETTING)) {
            for (int i = 0; i < 100; i++) {
                ask(server);
            }
            server.run();
            long resets = clients.stream().filter(MemoryPeer::sawReset).count();
            assertThat(resets).isPositive();
            assertThat(server.count(Counter.REQUESTS_REFUSED_LOAD)).isEqualTo(resets);
            assertThat(waits).hasSize(100 - (int) resets);
            assertThat(refused()).isEmpty();
        }
    }

    /// Over HTTP/2 only the stream is reset. A refused request must not keep its place among those of
    /// the connection, or of the server, for as long as the connection lives.
    @Test
    void refusalByResetLeavesNothingOfAStream() {
        try (MemoryServer server = server(RESETTING, new Http(Leniency.defaults()))) {
            Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
            peer.read();
            for (int i = 0; i < 20; i++) {
                ask(server);
            }
            server.turn();
            int most = RESETTING.http2().streamsMax();
            int streams = 3 * most / 2;
            for (int i = 0; i < streams; i++) {
                peer.get(2 * i + 1, "/");
            }
            server.turn();
            List<String> refused = server.log().stream().filter("GET / 0 0"::equals).toList();
            assertThat(refused).as("more than may be open").hasSizeGreaterThan(most);
            assertThat(peer.answers().lines().filter(line -> line.startsWith("RST_STREAM")))
                    .hasSize(refused.size())
                    .allMatch(line -> line.endsWith(" INTERNAL_ERROR"));
            assertThat(server.admission().exchanges()).isZero();
            peer.get(2 * streams + 1, "/");
            assertThat(peer.answers()).endsWith(" end hello\n");
        }
    }

    @Test
    void acceptingPausesIfRefusalsTakeTooMuchTime() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.load.refusingPercent = 1);
        try (MemoryServer server = server(limits)) {
            handling = MILLI / 10;
            offer(server, 4 * TURNS_PER_SECOND, 5);
            assertThat(server.loadPauses()).isPositive();
            int before = waits.size();
            server.run();
            server.pass(Duration.ofSeconds(1));
            ask(server);
            server.run();
            assertThat(waits.size()).isGreaterThan(before); // it accepts again
        }
    }

    private MemoryServer server(Limits limits) {
        return server(limits, new Http1(Leniency.defaults()));
    }

    private MemoryServer server(Limits limits, Protocol protocol) {
        MemoryServer server = MemoryServer.of(this::handle, limits, protocol);
        cost = 0;
        MemoryPeer client = server.connect();
        for (int i = 0; i < FIRST_REQUESTS; i++) { // the pool carries these
            assertThat(server.ask(client, Answers.GET)).endsWith("hello");
        }
        cost = COST;
        now = server::now;
        passes = server::advance;
        for (int i = 0; i < LEARNED; i++) {
            ask(server);
        }
        server.run();
        clients.clear();
        sent.clear();
        waits.clear();
        texts.clear();
        return server;
    }

    private void handle(Exchange x) {
        String target = x.request().target().text();
        if (target.equals("/picture")) {
            EngineExchange.of(x).enter(pictures);
            return;
        }
        passes.accept(handling);
        x.run(
                ExecutorKind.WORKER,
                () -> {
                    work(target);
                    return again == 0 ? Answers.greeting() : y -> second(y, target);
                });
    }

    private void picture(Exchange x) {
        x.run(
                ExecutorKind.WORKER,
                () -> {
                    passes.accept(COST / 6);
                    return Answers.greeting();
                });
    }

    private void second(Exchange x, String target) {
        x.run(
                ExecutorKind.WORKER,
                () -> {
                    work(target);
                    return Answers.greeting();
                });
    }

    @SuppressWarnings("ThreadPriorityCheck") // each yield ends a part
    private void work(String target) {
        if (target.length() > 1) {
            waits.add(now.getAsLong() - sent.get(Integer.parseInt(target.substring(1))));
        }
        for (int i = 1; i < parts && cost > 0; i++) {
            passes.accept(cost / parts);
            Thread.yield();
        }
        passes.accept(cost / parts);
    }

    /// Sends requests, that many in each turn.
    private void offer(MemoryServer server, int turns, int perTurn) {
        for (int i = 0; i < turns; i++) {
            for (int j = 0; j < perTurn; j++) {
                ask(server);
            }
            server.turn();
        }
    }

    /// Sends a request on a new connection, without a turn of the loop.
    private void ask(MemoryServer server) {
        MemoryPeer client = server.client();
        client.send("GET /" + sent.size() + " HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
        sent.add(server.now());
        clients.add(client);
    }

    private List<String> refused() {
        if (texts.size() < clients.size()) {
            texts.clear();
        }
        if (texts.isEmpty()) {
            clients.forEach(client -> texts.add(client.takeText()));
        }
        return texts.stream().filter(text -> text.startsWith(REFUSED)).toList();
    }
}
