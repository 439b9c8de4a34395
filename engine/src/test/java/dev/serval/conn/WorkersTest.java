package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.WorkerView;
import dev.serval.WorkerViews;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Task;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// Checks application code on ExecutorKind.WORKER, in memory. The test turns the loop that carries
/// it.
class WorkersTest {
    private static final String GET = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n";

    private final List<Thread> threads = new ArrayList<>();
    private final List<String> seen = new ArrayList<>();

    @Test
    void loopAnswersWithTheWorkersResult() {
        try (MemoryServer server = worker(() -> Answers.greeting())) {
            MemoryPeer client = server.connect();
            for (int i = 0; i < 200; i++) {
                assertThat(server.ask(client, GET)).endsWith("hello");
            }
            assertThat(threads).hasSize(200).allMatch(Thread::isVirtual);
            assertThat(server.count(Counter.WORKERS_STARTED)).isEqualTo(200);
            assertThat(server.count(Counter.WORKERS_ENDED)).isEqualTo(200);
        }
    }

    @Test
    void parkedWorkerLetsOthersContinue() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    boolean parks = x.request().target().text().equals("/x");
                    x.run(
                            ExecutorKind.WORKER,
                            () -> {
                                threads.add(Thread.currentThread());
                                if (parks) {
                                    LockSupport.park();
                                }
                                return Answers.greeting();
                            });
                })) {
            MemoryPeer parked = server.connect();
            MemoryPeer other = server.connect();
            assertThat(server.ask(parked, GET)).isEmpty();
            assertThat(server.ask(other, GET.replace("/x", "/y"))).endsWith("hello");
            assertThat(WorkerViews.of(server.exchanges().workers()))
                    .singleElement()
                    .satisfies(view -> {
                        assertThat(view.state()).isEqualTo(WorkerView.State.PARKED);
                        assertThat(view.name()).startsWith("GET /x, connection ");
                    });
            LockSupport.unpark(threads.getFirst());
            server.run();
            assertThat(parked.takeText()).endsWith("hello");
        }
    }

    @Test
    void parkedWorkerHasANameForThreadDumps() {
        try (MemoryServer server = worker(this::parkOnce)) {
            MemoryPeer client = server.connect();
            skipFirstRequests(server, client);
            threads.clear();
            server.ask(client, GET);
            assertThat(threads.getFirst().getName()).startsWith("GET /x, connection ");
            LockSupport.unpark(threads.getFirst());
        }
    }

    @Test
    void requestKeepsItsHeadWhileItsWorkerReadsIt() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    Exchange held = x;
                    x.run(
                            ExecutorKind.WORKER,
                            () -> {
                                threads.add(Thread.currentThread());
                                LockSupport.park();
                                seen.add(held.request().target().text());
                                return null;
                            });
                    Answers.say(x, "early");
                })) {
            MemoryPeer client = server.connect();
            client.send(GET + GET.replace("/x", "/other"));
            server.run();
            // The first request is answered. The second waits until no Worker reads the first any
            // more.
            assertThat(Answers.parse(client.takeText())).hasSize(1);
            LockSupport.unpark(threads.getFirst());
            server.run();
            assertThat(seen).containsExactly("/x");
            assertThat(Answers.parse(client.takeText())).hasSize(1);
            LockSupport.unpark(threads.getLast());
        }
        assertThat(seen).containsExactly("/x", "/other");
    }

    @Test
    void abortedRequestKeepsItsHeadAndPermitUntilItsWorkerEnds() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    held.add(x);
                    x.run(ExecutorKind.WORKER, this::parkOnce);
                })) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            client.reset();
            server.run();
            assertThat(server.admission().exchanges()).isEqualTo(1);
            assertThat(server.exchanges().headsLent()).isEqualTo(1);
            assertThat(held.getFirst().request().target().text()).isEqualTo("/x");
            LockSupport.unpark(threads.getFirst());
            server.run();
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @Test
    void exceptionInAWorkerIsAnswered500() {
        try (MemoryServer server =
                worker(() -> {
                    throw new StackOverflowError("meant");
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 500 ");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
        }
    }

    @Test
    void workerIsInterruptedAtTheDeadlineOfItsExchange() {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.exchangeNanos = Duration.ofSeconds(3).toNanos());
        try (MemoryServer server =
                MemoryServer.of(
                        x ->
                                x.run(
                                        ExecutorKind.WORKER,
                                        () -> {
                                            LockSupport.park();
                                            seen.add("interrupted " + Thread.interrupted());
                                            return Answers.greeting();
                                        }),
                        limits)) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.run();
            server.pass(Duration.ofSeconds(4));
            Await.until(
                    "another thread's interrupt arrives",
                    () -> {
                        server.work();
                        return !seen.isEmpty();
                    });
            assertThat(seen).containsExactly("interrupted true");
            assertThat(client.takeText()).startsWith("HTTP/1.1 503 ");
        }
    }

    /// Sends the first requests, which the pool carries. The loop carries later ones.
    private void skipFirstRequests(MemoryServer server, MemoryPeer client) {
        for (int i = 0; i < 50; i++) {
            client.send(GET);
            server.run();
            LockSupport.unpark(threads.getLast());
            server.run();
            client.takeText();
        }
    }

    private Handler parkOnce() {
        threads.add(Thread.currentThread());
        LockSupport.park();
        return Answers.greeting();
    }

    private MemoryServer worker(Task task) {
        return MemoryServer.of(x ->
                x.run(
                        ExecutorKind.WORKER,
                        () -> {
                            if (threads.isEmpty()
                                    || !threads.getLast().equals(Thread.currentThread())) {
                                threads.add(Thread.currentThread());
                            }
                            return task.run();
                        }));
    }
}
