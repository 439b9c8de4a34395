package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Checks an exchange that either side ends early, in each of its states: `/held` before its head,
/// `/reading` in its content, `/writing` in its response, and `/ended` after its response.
@Timeout(120)
final class AbortContractTest {
    private static final long LONG = 64L << 20;
    private static final Duration SHORTLY = Duration.ofMillis(400);

    /// The exchanges of a test, which the test ends from outside.
    private final Map<String, Exchange> held = new ConcurrentHashMap<>();

    private final Map<String, Executor> loops = new ConcurrentHashMap<>();

    private Handler staged(ContractServer server) {
        return x -> {
            String target = x.request().target().text();
            loops.put(target, EngineExchange.of(x).loop());
            held.put(target, x);
            ContractHandlers.watch(server, x);
            switch (target) {
                case "/held" -> {}
                case "/reading" ->
                        ContractHandlers.count(server, x, n -> ContractHandlers.say(x, "got " + n));
                case "/writing" -> ContractHandlers.pattern(server, x, LONG);
                default -> ContractHandlers.say(x, "ended");
            }
            server.note("called");
        };
    }

    /// Begins a call and brings it to that state.
    private static Call begin(ContractServer server, Caller caller, String state) {
        Call call =
                state.equals("/reading")
                        ? caller.call(Call.Ask.post(state, 10)).send("abc")
                        : caller.get(state);
        switch (state) {
            case "/reading" -> caller.await("the content is read", () -> readsOn(server));
            case "/writing" -> {
                call.expectPattern().pause();
                caller.await(
                        "the writer waits",
                        () -> server.noted("waits to write") > server.noted("room"));
            }
            case "/ended" -> caller.awaitEnd(call);
            default -> caller.await("the handler was called", () -> server.noted("called") > 0);
        }
        return call;
    }

    /// Remains true, because on a slow machine a timeout may pass before the next look.
    private static boolean readsOn(ContractServer server) {
        List<String> notes = server.notes();
        int read = notes.indexOf("read 3");
        return server.noted("aborted") > 0
                || (read >= 0 && notes.lastIndexOf("waits to read") > read);
    }

    @ContractTest
    void clientResetFailsTheReaderThenRunsAbortOnce(ContractMode mode) {
        for (String state : List.of("/held", "/reading", "/writing", "/ended")) {
            try (ContractServer server = ContractServer.start(mode, this::staged)) {
                Caller caller = server.connect();
                Call call = begin(server, caller, state);
                if (state.equals("/ended")) {
                    call.reset();
                    continue; // nothing is aborted; the leak check does the rest
                }
                call.reset();
                Caller other = server.connect();
                other.await("the abort has run", () -> server.noted("aborted") > 0);
                assertThat(other.awaitEnd(other.get("/ended")).text()).isEqualTo("ended");
                assertThat(server.noted("aborted")).as(state).isEqualTo(1);
                List<String> notes = server.notes();
                assertThat(notes.subList(notes.indexOf("aborted"), notes.size()))
                        .doesNotContain("room");
                assertThat(server.noted("failed")).isEqualTo(state.equals("/reading") ? 1 : 0);
                if (state.equals("/reading")) {
                    assertThat(server.notes()).containsSubsequence("failed", "aborted");
                }
                assertThat(server.count(Counter.PEERS_GONE)).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_ALL, names = "TOY_.*")
    void resetDoesNotAffectOtherStreams(ContractMode mode) {
        for (String state : List.of("/held", "/reading", "/writing")) {
            try (ContractServer server = ContractServer.start(mode, this::staged)) {
                Caller caller = server.connect();
                Call other = caller.call(Call.Ask.post("/reading", 3)).send("ab");
                Call call = begin(server, caller, state);
                call.reset();
                caller.await("the abort has run", () -> server.noted("aborted") > 0);
                other.send("c").finish();
                assertThat(caller.awaitEnd(other).text()).isEqualTo("got 3");
                assertThat(server.noted("aborted")).isEqualTo(1);
            }
        }
    }

    @ContractTest
    void clientThatFinishedSendingGetsItsAnswer(ContractMode mode) {
        for (String state : List.of("/held", "/writing", "/ended")) {
            if (mode.hasStreams() && state.equals("/writing")) {
                continue; // a client that has finished sending cannot grant windows
            }
            try (ContractServer server = ContractServer.start(mode, this::staged)) {
                Caller caller = server.connect();
                Call call = begin(server, caller, state);
                caller.wire().end();
                Caller other = server.connect();
                assertThat(other.awaitEnd(other.get("/ended")).text()).isEqualTo("ended");
                if (state.equals("/held")) {
                    on(state, x -> ContractHandlers.say(x, "late"));
                }
                call.resume();
                caller.awaitEnd(call);
                assertThat(call.isWhole()).as(state).isTrue();
                assertThat(call.length())
                        .isEqualTo(state.equals("/writing") ? LONG : call.length());
                caller.await("the server closes too", caller::isOver);
                assertThat(server.notes()).doesNotContain("aborted");
            }
        }
    }

    @ContractTest
    void contentThatEndsEarlyFailsItsReader(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, this::staged)) {
            Caller caller = server.connect();
            Call call = begin(server, caller, "/reading");
            caller.wire().end();
            caller.awaitEnd(call);
            assertThat(call.status()).isEqualTo(400);
            assertThat(server.noted("failed")).isEqualTo(1);
            assertThat(server.noted("aborted")).isEqualTo(1);
        }
    }

    @ContractTest
    void abortByHandlerIsAnErrorBeforeTheHeadAndBrokenAfterIt(ContractMode mode) {
        for (String state : List.of("/held", "/reading", "/writing", "/ended")) {
            try (ContractServer server = ContractServer.start(mode, this::staged)) {
                Caller caller = server.connect();
                Call call = begin(server, caller, state);
                if (state.equals("/ended")) {
                    call = caller.get("/held");
                    caller.await("the handler was called", () -> server.noted("called") == 2);
                    on(
                            "/held",
                            x -> {
                                ContractHandlers.say(x, "ended");
                                x.response().abort(Fault.APPLICATION);
                            });
                } else {
                    on(state, x -> x.response().abort(Fault.APPLICATION));
                }
                call.resume();
                caller.awaitEnd(call);
                switch (state) {
                    case "/writing" -> assertThat(call.isBroken()).isTrue();
                    case "/ended" -> assertThat(call.text()).isEqualTo("ended");
                    default -> assertThat(call.status()).isEqualTo(500);
                }
                Caller other = server.connect();
                assertThat(other.awaitEnd(other.get("/ended")).text()).isEqualTo("ended");
                assertThat(server.notes()).as(state).doesNotContain("failed", "aborted");
            }
        }
    }

    @ContractTest
    void exchangeTimeoutAborts(ContractMode mode) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.pace.exchangeNanos = SHORTLY.toNanos());
        for (String state : List.of("/held", "/reading", "/writing")) {
            try (ContractServer server = ContractServer.start(mode, limits, this::staged)) {
                Caller caller = server.connect();
                Call call = begin(server, caller, state);
                server.pass(SHORTLY.plusSeconds(1));
                if (state.equals("/writing")) {
                    Caller other = server.connect();
                    other.await("the abort has run", () -> server.noted("aborted") > 0);
                    call.resume();
                }
                caller.awaitEnd(call);
                if (state.equals("/writing")) {
                    assertThat(call.isBroken()).isTrue();
                } else {
                    assertThat(call.status()).isEqualTo(503);
                }
                Caller other = server.connect();
                other.await("the abort has run", () -> server.noted("aborted") > 0);
                assertThat(server.noted("aborted")).as(state).isEqualTo(1);
                assertThat(server.noted("failed")).as(state).isEqualTo(readers(state));
                if (state.equals("/reading")) {
                    assertThat(server.notes()).containsSubsequence("failed", "aborted");
                }
                assertThat(server.count(Counter.EXCHANGE_TIMEOUTS)).isEqualTo(1);
            }
        }
    }

    private static int readers(String state) {
        return state.equals("/reading") ? 1 : 0;
    }

    @ContractTest
    void contentThatStallsFailsItsReaderFirst(ContractMode mode) {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.stallNanos = Duration.ofMillis(500).toNanos());
        try (ContractServer server = ContractServer.start(mode, limits, this::staged)) {
            Caller caller = server.connect();
            Call call = begin(server, caller, "/reading");
            server.pass(Duration.ofSeconds(3));
            caller.awaitEnd(call);
            assertThat(call.status()).isEqualTo(408);
            Caller other = server.connect();
            other.await("the abort has run", () -> server.noted("aborted") > 0);
            assertThat(server.notes()).containsSubsequence("failed", "aborted");
            assertThat(server.noted("failed")).isEqualTo(1);
            assertThat(server.noted("aborted")).isEqualTo(1);
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
        }
    }

    @ContractTest
    void clientThatReadsNothingIsDropped(ContractMode mode) {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.stallNanos = Duration.ofMillis(500).toNanos());
        try (ContractServer server = ContractServer.start(mode, limits, this::staged)) {
            Caller caller = server.connect();
            begin(server, caller, "/writing");
            server.pass(Duration.ofSeconds(3));
            Caller other = server.connect();
            other.await("the abort has run", () -> server.noted("aborted") > 0);
            assertThat(server.noted("aborted")).isEqualTo(1);
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    @ContractTest
    void stopAbortsEveryExchangeOnce(ContractMode mode) {
        ContractServer server = ContractServer.start(mode, this::staged);
        Caller caller = server.connect();
        begin(server, caller, "/reading");
        Caller second = server.connect();
        second.get("/held");
        second.await("the handler was called", () -> server.noted("called") == 2);
        server.stop();
        assertThat(server.noted("failed")).isEqualTo(1);
        assertThat(server.noted("aborted")).isEqualTo(2);
    }

    @ContractTest
    void exceptionInACallbackEndsOnlyItsExchange(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x -> {
                                    ContractHandlers.watch(s, x);
                                    if (x.request().contentLength() == 0) {
                                        ContractHandlers.say(x, "fine");
                                    } else {
                                        x.content()
                                                .onReadable(() -> {
                                                    throw new IllegalStateException("meant");
                                                });
                                    }
                                })) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", 3)).send("abc").finish();
            assertThat(caller.awaitEnd(call).status()).isEqualTo(500);
            assertThat(server.notes()).containsExactly("aborted");
            Caller other = server.beside(caller);
            assertThat(other.awaitEnd(other.get("/")).text()).isEqualTo("fine");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    /// Runs an action on a held exchange, on its loop.
    private void on(String state, Handler action) {
        Exchange x = Objects.requireNonNull(held.get(state), state);
        Objects.requireNonNull(loops.get(state), state).execute(() -> action.handle(x));
    }
}
