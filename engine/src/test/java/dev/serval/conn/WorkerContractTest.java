package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.blocking.BlockingHandler;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.policy.Counter;
import dev.serval.testkit.Call;
import dev.serval.testkit.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Timeout;

/// Checks the contract of code that leaves the loop, and of many exchanges at a time.
@Timeout(120)
final class WorkerContractTest {
    private static final long LONG = 64L << 20;
    private static final int FIRST_REQUESTS =
            52; // the pool carries these; the loop carries later ones

    /// Writes a response from another thread, piece by piece. Each piece is a command to the loop,
    /// and the thread waits for it, as blocking streams do.
    private static final class Writer {
        private final ContractServer server;
        private final Exchange x;
        private final Executor loop;
        private volatile CompletableFuture<Boolean> pending = new CompletableFuture<>();

        /// Creates a writer. Called on the loop.
        Writer(ContractServer server, Exchange x) {
            this.server = server;
            this.x = x;
            this.loop = EngineExchange.of(x).loop();
            x.onAbort(() -> {
                server.note("aborted");
                pending.complete(false);
            });
        }

        /// Writes a piece. Called on the Worker.
        ///
        /// @return whether the exchange continues
        boolean write(long at, int bytes) throws InterruptedException, ExecutionException {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            pending = done;
            loop.execute(() -> {
                if (x.fault() != null) {
                    done.complete(false);
                    return;
                }
                long room = x.response().write(server.lend(ContractHandlers.piece(at, bytes)));
                if (room > 0) {
                    done.complete(true);
                } else {
                    server.note("waits");
                    x.response().onWritable(() -> done.complete(true));
                }
            });
            return done.get();
        }

        void end() {
            loop.execute(() -> x.response().end(Fields.EMPTY));
        }
    }

    private static Handler writing(ContractServer server) {
        return x -> {
            Writer writer = new Writer(server, x);
            x.response().head(ContractHandlers.ok(LONG));
            x.run(
                    ExecutorKind.WORKER,
                    () -> {
                        long at = 0;
                        while (at < LONG && writer.write(at, ContractHandlers.PIECE)) {
                            at += ContractHandlers.PIECE;
                        }
                        if (at == LONG) {
                            writer.end();
                        }
                        server.note("worker ended");
                        return null;
                    });
        };
    }

    @ContractTest
    void writingWorkerWaitsForRoom(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, WorkerContractTest::writing)) {
            Caller caller = server.connect();
            Call call = caller.get("/").expectPattern().pause();
            caller.await("the Worker waits", () -> server.noted("waits") > 0);
            call.resume();
            caller.awaitEnd(call);
            assertThat(call.isWhole()).isTrue();
            assertThat(call.length()).isEqualTo(LONG);
            assertThat(server.notes()).doesNotContain("aborted");
        }
    }

    @ContractTest
    void writingWorkerEndsAfterAClientReset(ContractMode mode) {
        try (ContractServer server = ContractServer.start(mode, WorkerContractTest::writing)) {
            for (int i = 0; i < 20; i++) {
                Caller caller = server.connect();
                Call call = caller.get("/").expectPattern();
                long enough = 1 + i * 50_000L;
                caller.await("the Worker writes", () -> call.length() >= enough);
                call.reset();
                int ended = i + 1;
                Caller other = server.connect();
                other.await("the Worker ends", () -> server.noted("worker ended") == ended);
            }
            assertThat(server.noted("aborted")).isEqualTo(20);
        }
    }

    @ContractTest
    void blockingHandlerEchoesInConstantMemoryAndDetectsAClientReset(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                BlockingHandler.on(
                                        ExecutorKind.WORKER,
                                        x -> {
                                            byte[] piece = new byte[8 << 10];
                                            try {
                                                int n = x.input().read(piece);
                                                while (n >= 0) {
                                                    x.output().write(piece, 0, n);
                                                    n = x.input().read(piece);
                                                }
                                            } finally {
                                                s.note("left");
                                            }
                                        }))) {
            Caller caller = server.connect();
            Call call = caller.call(Call.Ask.post("/", -1)).sendPattern(LONG).expectPattern();
            call.finish();
            caller.awaitEnd(call);
            assertThat(call.length()).isEqualTo(LONG);
            Call second = caller.call(Call.Ask.post("/", -1)).sendPattern(LONG).expectPattern();
            caller.await("content comes back", () -> second.length() > 100_000);
            second.reset();
            Caller other = server.connect();
            other.await("the handler is left", () -> server.noted("left") == 2);
        }
    }

    @ContractTest
    void exceptionOnAnyExecutorIsAnErrorBeforeTheHeadAndBrokenAfterIt(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x -> {
                                    String asked = x.request().target().text();
                                    if (asked.startsWith("/after")) {
                                        x.response().head(ContractHandlers.ok(10));
                                        x.response().write(s.lend(ContractHandlers.piece(0, 5)));
                                    }
                                    ContractHandlers.watch(s, x);
                                    x.run(
                                            ExecutorKind.valueOf(
                                                    asked.substring(asked.lastIndexOf('/') + 1)),
                                            () -> {
                                                throw new IllegalStateException("meant");
                                            });
                                })) {
            int faults = 0;
            for (ExecutorKind executor : ExecutorKind.values()) {
                Caller caller = server.connect();
                assertThat(caller.awaitEnd(caller.get("/before/" + executor)).status())
                        .isEqualTo(500);
                Caller second = server.connect();
                assertThat(second.awaitEnd(second.get("/after/" + executor)).isBroken()).isTrue();
                faults += 2;
                assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(faults);
            }
            Caller last = server.connect();
            int aborts = faults;
            last.await("every abort has run", () -> server.noted("aborted") == aborts);
        }
    }

    @ContractTest
    void everyExecutorContinuesOnTheLoop(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        _ ->
                                x ->
                                        x.run(
                                                ExecutorKind.valueOf(
                                                        x.request().target().text().substring(1)),
                                                () -> ContractHandlers.target()))) {
            Caller caller = server.connect();
            for (ExecutorKind executor : ExecutorKind.values()) {
                Call call = caller.awaitEnd(caller.get("/" + executor));
                assertThat(call.text()).isEqualTo("/" + executor);
            }
            for (int i = 0; i < FIRST_REQUESTS; i++) {
                assertThat(caller.awaitEnd(caller.get("/WORKER")).text()).isEqualTo("/WORKER");
            }
        }
    }

    @ContractTest
    void chainPassesUntilAHandlerAnswersOrNoneIsLeft(ContractMode mode) {
        Handler passing = x -> x.pass();
        Handler worker = x -> x.run(ExecutorKind.WORKER, () -> Exchange::pass);
        Handler touching =
                x -> {
                    if (x.request().target().text().equals("/touched")) {
                        x.content().discard(0);
                    }
                    x.pass();
                };
        Handler some =
                x -> {
                    if (x.request().target().text().equals("/mine")) {
                        ContractHandlers.say(x, "mine");
                    } else {
                        x.pass();
                    }
                };
        try (ContractServer server =
                ContractServer.chain(mode, _ -> List.of(passing, worker, touching, some))) {
            Caller caller = server.connect();
            assertThat(caller.awaitEnd(caller.get("/mine")).text()).isEqualTo("mine");
            assertThat(caller.awaitEnd(caller.get("/other")).status()).isEqualTo(404);
            assertThat(caller.awaitEnd(caller.get("/touched")).status()).isEqualTo(500);
        }
    }

    @ContractTest
    void slowRequestDoesNotBlockOthers(ContractMode mode) {
        ConcurrentLinkedQueue<Runnable> release = new ConcurrentLinkedQueue<>();
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        _ ->
                                x -> {
                                    if (x.request().target().text().equals("/slow")) {
                                        Executor loop = EngineExchange.of(x).loop();
                                        release.add(() ->
                                                loop.execute(
                                                        () -> ContractHandlers.say(x, "slow")));
                                    } else {
                                        ContractHandlers.target().handle(x);
                                    }
                                })) {
            Caller caller = server.connect();
            List<Call> calls = new ArrayList<>();
            calls.add(caller.get("/first"));
            Call slow = caller.get("/slow");
            for (int i = 0; i < 30; i++) {
                calls.add(caller.get("/" + i));
            }
            caller.await("the slow request began", () -> !release.isEmpty());
            if (mode.hasStreams()) {
                caller.await(
                        "all other calls are over", () -> calls.stream().allMatch(Call::isOver));
            } else {
                Caller other = server.connect();
                assertThat(other.awaitEnd(other.get("/other")).text()).isEqualTo("/other");
                assertThat(calls.stream().filter(Call::isOver)).hasSizeLessThanOrEqualTo(1);
            }
            assertThat(slow.isOver()).isFalse();
            release.forEach(Runnable::run);
            assertThat(caller.awaitEnd(slow).text()).isEqualTo("slow");
            caller.await("all calls are over", () -> calls.stream().allMatch(Call::isOver));
            assertThat(calls).allMatch(call -> ("/" + last(call)).equals(call.text()));
        }
    }

    private static String last(Call call) {
        return call.target().substring(1);
    }

    @ContractTest
    void lostConnectionAbortsAllItsExchanges(ContractMode mode) {
        try (ContractServer server =
                ContractServer.start(
                        mode,
                        s ->
                                x -> {
                                    ContractHandlers.watch(s, x);
                                    s.note("called");
                                })) {
            Caller caller = server.connect();
            int number = mode.hasStreams() ? 20 : 1;
            // The JDK's selector reports nothing for a connection that the server does not read,
            // and it does not read one with waiting requests.
            int asked = !mode.hasStreams() && mode.transport().equals("nio") ? 1 : 20;
            for (int i = 0; i < asked; i++) {
                caller.get("/" + i);
            }
            caller.await("the exchanges began", () -> server.noted("called") == number);
            caller.wire().reset();
            Caller other = server.connect();
            other.await("every abort has run", () -> server.noted("aborted") == number);
        }
    }
}
