package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.blocking.BlockingHandler;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks where handlers continue: at the next handler of the chain, or on another executor.
final class ExecutorsTest {
    private static final ResponseHead OPEN =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);

    private static final Limits ONE_EXCHANGE =
            Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 1);

    private final List<String> seen = new ArrayList<>();
    private Runnable whileItRuns = () -> {};

    @Test
    void chainPassesUntilAHandlerAnswers() {
        Handler passes =
                x -> {
                    seen.add("pass");
                    x.pass();
                };
        try (MemoryServer server = MemoryServer.chain(passes, passes, Answers.greeting(), passes)) {
            assertThat(server.ask(server.connect(), GET)).endsWith("hello");
            assertThat(seen).hasSize(2);
        }
        try (MemoryServer server = MemoryServer.chain(passes, passes)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 404 ");
            assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void passFailsAfterContentOrResponseWasUsed() {
        List<Handler> touching =
                List.of(
                        x -> x.content().read(ByteBuffer.allocate(1)),
                        x -> x.content().discard(1),
                        x -> x.response().onWritable(() -> {}));
        for (Handler touch : touching) {
            try (MemoryServer server =
                    MemoryServer.chain(
                            x -> {
                                touch.handle(x);
                                x.pass();
                            },
                            Answers.greeting())) {
                assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 500 ");
            }
        }
    }

    @Test
    void blockingTaskContinuesOnTheLoop() {
        try (MemoryServer server =
                MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, () -> then("after")))) {
            MemoryPeer client = server.connect();
            client.send(GET + GET);
            server.run();
            assertThat(client.length()).isZero();
            assertThat(server.admission().exchanges()).isEqualTo(1);
            server.work();
            server.work();
            assertThat(Answers.parse(client.takeText()))
                    .extracting(Answers.Answer::content)
                    .containsExactly("after", "after");
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @Test
    void loopTaskWaitsForItsTurn() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.run(ExecutorKind.LOOP, () -> then("later"));
                    seen.add("handler returned");
                })) {
            assertThat(server.ask(server.connect(), GET)).endsWith("later");
            assertThat(seen).containsExactly("handler returned", "later");
        }
    }

    @Test
    void failingTaskIsAnswered500() {
        try (MemoryServer server =
                MemoryServer.of(x ->
                        x.run(
                                ExecutorKind.BLOCKING,
                                () -> {
                                    throw new IOException("meant: no disk");
                                }))) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.takeText()).startsWith("HTTP/1.1 500 ").doesNotContain("disk");
        }
    }

    @Test
    void resultAfterAnAbortIsDropped() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.onAbort(() -> seen.add("aborted"));
                    x.run(ExecutorKind.BLOCKING, () -> then("late"));
                })) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            client.reset();
            server.run();
            assertThat(seen).containsExactly("aborted");
            server.work();
            assertThat(seen).containsExactly("aborted");
            assertThat(server.count(Counter.PEERS_GONE)).isEqualTo(1);
            assertThat(server.log()).containsExactly("GET / 0 0");
        }
    }

    @Test
    void fullExecutorRefusesTheExchange() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.onAbort(() -> seen.add("aborted"));
                    x.run(ExecutorKind.BLOCKING, () -> then("done"));
                })) {
            server.blockingMax(1);
            MemoryPeer first = server.connect();
            MemoryPeer second = server.connect();
            server.ask(first, GET);
            assertThat(server.ask(second, GET))
                    .startsWith("HTTP/1.1 503 ")
                    .contains("\r\nRetry-After: 1\r\n");
            assertThat(seen).containsExactly("aborted");
            assertThat(server.count(Counter.REQUESTS_REFUSED_EXECUTOR)).isEqualTo(1);
            server.work();
            assertThat(first.takeText()).endsWith("done");
        }
    }

    @Test
    void taskMayAnswerItself() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    held.add(x);
                    x.run(ExecutorKind.BLOCKING, () -> null);
                })) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.length()).isZero();
            Answers.say(held.getFirst(), "by itself");
            server.run();
            assertThat(client.takeText()).endsWith("by itself");
        }
    }

    @Test
    void taskWhoseHandlerIsNotCalledIsDroppedOnce() {
        try (MemoryServer server =
                MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, new Opens()))) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            whileItRuns =
                    () -> {
                        client.reset();
                        server.run();
                    };
            server.workOnly();
            assertThat(seen).containsExactly("open"); // the loop does the rest
            server.run();
            assertThat(seen).containsExactly("open", "dropped");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isZero();
        }
        assertThat(seen).containsExactly("open", "dropped");
    }

    @Test
    void exceptionOfATaskIsCountedThoughItsClientHasGone() {
        Task failing =
                () -> {
                    whileItRuns.run();
                    throw new IllegalStateException("meant");
                };
        try (MemoryServer server = MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, failing))) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            whileItRuns =
                    () -> {
                        client.reset();
                        server.run();
                    };
            server.work();
            server.run();
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void taskWhoseHandlerIsCalledIsNotDropped() {
        try (MemoryServer server =
                MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, new Opens()))) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.takeText()).endsWith("sent");
            client.reset();
            server.run();
            assertThat(seen).containsExactly("open", "sent");
        }
    }

    @Test
    void refusedTaskIsDroppedAndDoesNotRun() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.run(ExecutorKind.BLOCKING, new Opens());
                    seen.add("run returned");
                })) {
            server.blockingMax(0);
            assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 503 ");
            assertThat(seen).containsExactly("dropped", "run returned");
        }
    }

    @Test
    void taskOfARefusedExchangeIsDroppedAndDoesNotRun() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.exchangesMax = 0);
        try (MemoryServer server =
                MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, new Opens()), limits)) {
            assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 503 ");
            server.work();
            assertThat(seen).containsExactly("dropped");
        }
    }

    @Test
    void exceptionInDroppedAffectsNoOtherExchange() {
        List<Exchange> held = new ArrayList<>();
        Task failing =
                new Task() {
                    @Override
                    public Handler run() {
                        return then("not called");
                    }

                    @Override
                    public void dropped() {
                        throw new IllegalStateException("meant");
                    }
                };
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    if (held.isEmpty()) {
                        x.run(ExecutorKind.BLOCKING, failing);
                    }
                    held.add(x);
                })) {
            MemoryPeer client = server.connect();
            client.send(GET + GET);
            server.run();
            // The answer comes before the task has run. The task may read its request, so the next
            // one waits.
            Answers.say(held.getFirst(), "first");
            server.run();
            assertThat(held).hasSize(1);
            server.work();
            assertThat(held).hasSize(2);
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
            Answers.say(held.getLast(), "second");
            server.run();
            assertThat(Answers.parse(client.takeText()))
                    .extracting(Answers.Answer::content)
                    .containsExactly("first", "second");
            assertThat(seen).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000, 29_900})
    void startedResponseWaitsForCapacity(int millis) {
        try (MemoryServer server = MemoryServer.of(ExecutorsTest::inTwoParts)) {
            server.blockingMax(0);
            MemoryPeer client = server.connect();
            client.send(GET);
            server.pass(Duration.ofMillis(millis));
            server.blockingMax(1);
            server.pass(Duration.ofMillis(100));
            server.work();
            assertThat(Answers.parse(client.takeText()).getFirst().content())
                    .isEqualTo("first second");
            assertThat(server.count(Counter.REQUESTS_REFUSED_EXECUTOR)).isZero();
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @Test
    void startedResponseDoesNotWaitForCapacityForever() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.onAbort(() -> seen.add("aborted"));
                    inTwoParts(x);
                })) {
            server.blockingMax(0);
            MemoryPeer client = server.connect();
            client.send(GET);
            server.pass(Duration.ofMillis(29_900));
            assertThat(seen).isEmpty();
            server.pass(Duration.ofMillis(200));
            assertThat(seen).containsExactly("aborted");
            assertThat(client.sawReset()).isTrue();
            assertThat(server.count(Counter.REQUESTS_REFUSED_EXECUTOR)).isEqualTo(1);
        }
    }

    @Test
    void taskWaitingForCapacityIsDroppedWhenTheClientGoes() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(OPEN);
                    x.run(ExecutorKind.BLOCKING, new Opens());
                })) {
            server.blockingMax(0);
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            client.reset();
            server.pass(Duration.ofMillis(100));
            assertThat(seen).containsExactly("dropped");
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void taskThatTheExecutorCannotTakeIsDroppedOnceAndItsExchangeEnds(Throwable failure) {
        try (MemoryServer server =
                MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, new Opens()), ONE_EXCHANGE)) {
            for (int i = 1; i <= 3; i++) {
                server.executors((_, _, _) -> raise(failure));
                assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 500 ");
                assertThat(seen).containsExactly("dropped");
                assertThat(server.admission().exchanges()).isZero();
                assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(i);
                seen.clear();
            }
            server.executors(null);
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            assertThat(seen).containsExactly("open", "sent");
        }
    }

    @ParameterizedTest
    @MethodSource("failures")
    void offeredTaskThatTheExecutorCannotTakeIsDroppedOnce(Throwable failure) {
        try (MemoryServer server =
                MemoryServer.of(
                        x -> EngineExchange.of(x).offer(ExecutorKind.DISK, new Opens()),
                        ONE_EXCHANGE)) {
            server.executors((_, _, _) -> raise(failure));
            for (int i = 0; i < 2; i++) {
                assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 500 ");
                assertThat(server.admission().exchanges()).isZero();
            }
            assertThat(seen).containsExactly("dropped", "dropped");
        }
    }

    @Test
    void blockingHandlerThatGetsNoThreadGivesEverythingBack() {
        try (MemoryServer server =
                MemoryServer.of(
                        BlockingHandler.on(ExecutorKind.BLOCKING, _ -> seen.add("ran")),
                        ONE_EXCHANGE)) {
            server.executors((_, _, _) -> raise(noThread()));
            for (int i = 0; i < 2; i++) {
                assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 500 ");
            }
            server.executors(null);
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.work();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            assertThat(seen).containsExactly("ran");
        }
    }

    @Test
    void taskThatAThreadTookBeforeTheExecutorFailedIsNotTakenBack() {
        try (MemoryServer server =
                MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, new Opens()), ONE_EXCHANGE)) {
            server.executors((_, work, _) -> {
                work.run();
                return raise(noThread());
            });
            assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 200 ");
            assertThat(seen).containsExactly("open", "sent");
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @Test
    void taskThatAFailedExecutorKeptNeverRuns() {
        List<Runnable> kept = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, new Opens()), ONE_EXCHANGE)) {
            server.executors((_, work, _) -> {
                kept.add(work);
                return raise(noThread());
            });
            assertThat(server.ask(server.connect(), GET)).startsWith("HTTP/1.1 500 ");
            kept.forEach(Runnable::run);
            server.run();
            assertThat(seen).containsExactly("dropped");
        }
    }

    @Test
    void startedResponseEndsIfTheExecutorFailsWhileItWaitsForCapacity() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.onAbort(() -> seen.add("aborted"));
                    x.response().head(OPEN);
                    x.run(ExecutorKind.BLOCKING, new Opens());
                })) {
            server.blockingMax(0);
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            assertThat(seen).isEmpty();
            server.executors((_, _, _) -> raise(noThread()));
            server.pass(Duration.ofMillis(100));
            assertThat(seen).containsExactly("dropped", "aborted");
            assertThat(client.sawReset()).isTrue();
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    static List<Throwable> failures() {
        return List.of(noThread(), new IllegalStateException("meant: no thread"));
    }

    private static Error noThread() {
        return new OutOfMemoryError("meant: unable to create native thread");
    }

    private static boolean raise(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(failure);
    }

    private static void inTwoParts(Exchange x) {
        x.response().head(OPEN);
        x.response().write(Body.Bytes.of(Answers.bytes("first ")));
        x.run(
                ExecutorKind.BLOCKING,
                () ->
                        y -> {
                            y.response().write(Body.Bytes.of(Answers.bytes("second")));
                            y.response().end(Fields.EMPTY);
                        });
    }

    /// A task that opens something for the Handler it returns.
    private final class Opens implements Task {
        @Override
        public Handler run() {
            seen.add("open");
            whileItRuns.run();
            return then("sent");
        }

        @Override
        public void dropped() {
            seen.add("dropped");
        }
    }

    private Handler then(String what) {
        return x -> {
            seen.add(what);
            Answers.say(x, what);
        };
    }

    @Test
    void taskOfAClientThatIsGoneDoesNotStart() {
        try (MemoryServer server =
                MemoryServer.of(x ->
                        x.run(
                                ExecutorKind.BLOCKING,
                                () -> {
                                    seen.add("started");
                                    return null;
                                }))) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            client.reset();
            server.run();
            server.work();
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void taskThatFindsNoThreadInTimeIsRefusedAndNeverRuns() {
        Task task =
                () -> {
                    seen.add("started");
                    return Answers.greeting();
                };
        try (MemoryServer server = MemoryServer.of(x -> x.run(ExecutorKind.BLOCKING, task))) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.pass(Duration.ofSeconds(9));
            assertThat(client.takeText()).isEmpty();
            server.pass(Duration.ofSeconds(2));
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ");
            assertThat(server.count(Counter.REQUESTS_REFUSED_LATE)).isEqualTo(1);
            server.work();
            assertThat(seen).isEmpty();
        }
    }
}
