package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;

/// Checks the contract of content in both directions.
@Timeout(120)
final class ContentContractTest {
    private static final long MB = 1L << 20;
    private static final long ECHOED_IN_MEMORY = 50 * MB;
    private static final long ECHOED = 100 * MB;
    private static final long ECHOED_BY_THE_FASTEST = 1L << 30;

    @ContractTest
    void echoesLargeContentInConstantMemory(ContractMode mode) {
        long bytes =
                mode.inMemory()
                        ? ECHOED_IN_MEMORY
                        : mode == ContractMode.HTTP1_EPOLL ? ECHOED_BY_THE_FASTEST : ECHOED;
        try (ContractServer server =
                ContractServer.start(mode, s -> x -> ContractHandlers.echo(s, x))) {
            Caller caller = server.connect();
            long before = heapInUse();
            Call call = caller.call(Call.Ask.post("/", -1)).sendPattern(bytes).expectPattern();
            caller.await(
                    "half of the content is back",
                    () -> server.look() && call.length() > bytes / 2);
            assertThat(call.unsent()).isPositive();
            Await.until("the heap in use is small", () -> heapInUse() - before < 16 * MB);
            call.finish();
            caller.awaitEnd(call);
            assertThat(call.isWhole()).isTrue();
            assertThat(call.length()).isEqualTo(bytes);
            long unsentMax = ContractServer.LIMITS.buffers().unsentMaxBytes();
            assertThat(server.lentMost()).isLessThanOrEqualTo(unsentMax + ContractHandlers.PIECE);
            assertThat(server.buffersMost()).isLessThan(32);
            assertThat(server.notes()).containsExactly("end");
        }
    }

    @ContractTest
    void pausedReaderStopsOnlyItsWriter(ContractMode mode) {
        long bytes = 32 * MB;
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x -> {
                                    if (x.request().target().text().equals("/long")) {
                                        ContractHandlers.pattern(s, x, bytes);
                                    } else {
                                        ContractHandlers.say(x, "short");
                                    }
                                })) {
            Caller caller = server.connect();
            Call slow = caller.get("/long").expectPattern().pause();
            Caller other = server.beside(caller);
            for (int i = 0; i < 10; i++) { // the writer continues during each round trip
                assertThat(other.awaitEnd(other.get("/")).text()).isEqualTo("short");
            }
            caller.await(
                    "the writer waits",
                    () -> server.noted("waits to write") > server.noted("room"));
            assertThat(server.notes()).doesNotContain("written");
            long unsentMax = ContractServer.LIMITS.buffers().unsentMaxBytes();
            assertThat(server.lentMost()).isLessThanOrEqualTo(unsentMax + ContractHandlers.PIECE);
            slow.resume();
            caller.awaitEnd(slow);
            assertThat(slow.isWhole()).isTrue();
            assertThat(slow.length()).isEqualTo(bytes);
            assertThat(server.notes()).doesNotContain("aborted");
        }
    }

    @ContractTest
    void readerWaitsForADrippingWriter(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x ->
                                        ContractHandlers.count(
                                                s, x, n -> ContractHandlers.say(x, "got " + n)))) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", -1));
            for (int i = 1; i <= 5; i++) {
                String read = "read " + i;
                call.send("x");
                caller.await(read, () -> server.notes().contains(read));
                assertThat(server.notes()).doesNotContain("read " + (i + 1));
            }
            call.finish();
            assertThat(caller.awaitEnd(call).text()).isEqualTo("got 5");
        }
    }

    @ContractTest
    void discardedContentDoesNotBlock(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        _ ->
                                x -> {
                                    x.content().discard(MB);
                                    ContractHandlers.say(x, "no thanks");
                                })) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", 200_000)).sendPattern(200_000).finish();
            assertThat(caller.awaitEnd(call).text()).isEqualTo("no thanks");
            Call next = caller.awaitEnd(caller.get("/"));
            assertThat(next.text()).isEqualTo("no thanks");
        }
    }

    @ContractTest
    void contentAboveTheLimitIsRefusedBeforeTheHandler(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(mode, small(), s -> _ -> s.note("called"))) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", 100_001)).sendPattern(100_001).finish();
            assertThat(caller.awaitEnd(call).status()).isEqualTo(413);
            assertThat(call.isWhole()).isTrue();
            assertThat(server.notes()).isEmpty();
        }
    }

    @ContractTest
    void contentThatGrowsAboveTheLimitFailsItsReader(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        small(),
                        s ->
                                x -> {
                                    ContractHandlers.watch(s, x);
                                    ContractHandlers.count(s, x, n -> s.note("all " + n));
                                })) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", -1)).sendPattern(200_000).finish();
            caller.awaitEnd(call);
            assertThat(call.status()).isEqualTo(413);
            assertThat(call.isWhole()).isTrue();
            assertThat(server.noted("failed")).isEqualTo(1);
            assertThat(server.noted("aborted")).isEqualTo(1);
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
        }
    }

    @ContractTest
    void unreadContentDoesNotAffectTheAnswer(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, _ -> ContractHandlers.target())) {
            Caller caller = server.connect();
            Call little = caller.call(Call.Ask.post("/little", 1000)).sendPattern(1000).finish();
            assertThat(caller.awaitEnd(little).text()).isEqualTo("/little");
            assertThat(caller.awaitEnd(caller.get("/next")).text()).isEqualTo("/next");
            Call much = caller.call(Call.Ask.post("/much", 50 * MB)).sendPattern(50 * MB).finish();
            assertThat(caller.awaitEnd(much).text()).isEqualTo("/much");
            assertThat(much.isWhole()).isTrue();
            server.pass(Duration.ofSeconds(3)); // the server reads on for a while
            caller.await("the client has no content left to send", () -> much.unsent() == 0);
        }
    }

    @ContractTest
    void trailersOfARequestArriveWithItsEnd(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x ->
                                        ContractHandlers.count(
                                                s,
                                                x,
                                                _ ->
                                                        ContractHandlers.say(
                                                                x,
                                                                String.valueOf(
                                                                        x.content()
                                                                                .trailers()
                                                                                .first(
                                                                                        "X-Sum")))))) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", -1)).send("abc").finish("X-Sum: 3\r\n");
            assertThat(caller.awaitEnd(call).text()).isEqualTo("3");
        }
    }

    @ContractTest
    void firstReadSendsContinueIfTheClientExpectsIt(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x ->
                                        ContractHandlers.count(
                                                s, x, n -> ContractHandlers.say(x, "got " + n)))) {
            Caller caller = server.connect();
            Call asks = caller.call(Call.Ask.post("/", 3).with("Expect: 100-continue"));
            caller.await("100", () -> asks.interims().equals(List.of(100)));
            asks.send("abc").finish();
            assertThat(caller.awaitEnd(asks).text()).isEqualTo("got 3");
            assertThat(asks.interims()).containsExactly(100);
            Call tellsNot = caller.call(Call.Ask.post("/", 3)).send("abc").finish();
            assertThat(caller.awaitEnd(tellsNot).text()).isEqualTo("got 3");
            assertThat(tellsNot.interims()).isEmpty();
        }
    }

    @ContractTest
    void refusalSendsNoContinue(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode, _ -> x -> x.refuse(Status.FORBIDDEN, Fields.EMPTY, "Not for you."))) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", 3).with("Expect: 100-continue"));
            assertThat(caller.awaitEnd(call).status()).isEqualTo(403);
            assertThat(call.interims()).isEmpty();
        }
    }

    @ContractTest
    void interimAnswersHeadContentAndTrailersArriveInOrder(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x -> {
                                    Fields link = new Fields().add("Link", "</a>; rel=preload");
                                    x.response().inform(Status.EARLY_HINTS, link);
                                    x.response().inform(Status.EARLY_HINTS, link);
                                    x.response().head(ContractHandlers.OPEN);
                                    x.response().write(s.lend(ContractHandlers.piece(0, 100_000)));
                                    x.response().end(new Fields().add("X-Sum", "7"));
                                })) {
            Caller caller = server.connect();
            Call call = caller.awaitEnd(caller.get("/").expectPattern());
            assertThat(call.interims()).containsExactly(103, 103);
            assertThat(call.length()).isEqualTo(100_000);
            assertThat(call.trailers()).containsIgnoringCase("X-Sum: 7");
        }
    }

    @ContractTest
    void headResponseHasLengthButNoContent(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, _ -> ContractHandlers.target())) {
            Caller caller = server.connect();
            Call call = caller.awaitEnd(caller.call(new Call.Ask("HEAD", "/abc", 0, false, "")));
            assertThat(call.isWhole()).isTrue();
            assertThat(call.length()).isZero();
            assertThat(call.field(FieldName.CONTENT_LENGTH.toString())).isEqualTo("4");
            assertThat(caller.awaitEnd(caller.get("/next")).text()).isEqualTo("/next");
        }
    }

    @ContractTest
    void responseLongerThanItsLengthIsCut(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x -> {
                                    ContractHandlers.watch(s, x);
                                    x.response().head(ContractHandlers.ok(10));
                                    x.response().write(s.lend(ContractHandlers.piece(0, 8)));
                                    x.response().write(s.lend(ContractHandlers.piece(8, 8)));
                                    x.response().write(s.lend(ContractHandlers.piece(16, 8)));
                                    x.response().end(Fields.EMPTY);
                                })) {
            Caller caller = server.connect();
            Call call = caller.awaitEnd(caller.get("/").expectPattern());
            assertThat(call.length()).isEqualTo(10);
            assertThat(server.notes()).containsExactly("aborted");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @ContractTest
    void responseShorterThanItsLengthIsBroken(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x -> {
                                    x.response().head(ContractHandlers.ok(10));
                                    x.response().write(s.lend(ContractHandlers.piece(0, 8)));
                                    x.response().end(Fields.EMPTY);
                                    x.response().write(Body.Empty.EMPTY);
                                })) {
            Caller caller = server.connect();
            Call call = caller.awaitEnd(caller.get("/"));
            assertThat(call.isBroken()).isTrue();
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    private static Limits small() {
        return Limits.DEFAULT.with(draft -> draft.content.maxBytes = 100_000);
    }

    @SuppressWarnings("GcCall") // heap use is known only after a collection
    private static long heapInUse() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
