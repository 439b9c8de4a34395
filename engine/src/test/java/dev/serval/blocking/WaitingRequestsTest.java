package dev.serval.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.conn.MemoryServer;
import dev.serval.handler.ExecutorKind;
import dev.serval.net.memory.MemoryPeer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What requests hold while they wait for a thread: no buffer for their response.
final class WaitingRequestsTest {
    private static final int REQUESTS = 30; // fewer than the ready Workers at which a loop acts
    private static final int FIRST_REQUESTS = 50; // of a mapping, which the pool carries
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String HEAD = "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    private final List<Integer> seen = new ArrayList<>(); // buffers lent while a handler runs
    private final List<MemoryPeer> clients = new ArrayList<>();

    @Test
    void requestsThatWaitForAnExecutorHoldNoBuffer() {
        try (MemoryServer server =
                MemoryServer.of(
                        BlockingHandler.on(ExecutorKind.BLOCKING, x -> x.output().write(HELLO)))) {
            sendAll(server);
            server.run();
            assertThat(server.admission().exchanges()).isEqualTo(REQUESTS);
            assertThat(server.net().pool().lent()).isZero();
            server.workOnly();
            assertThat(server.net().pool().lent()).isEqualTo(REQUESTS);
            server.run();
            assertThat(server.net().pool().lent()).isZero();
            assertAnswered();
        }
    }

    @Test
    void readyWorkersHoldNoBuffer() {
        MemoryServer[] running = new MemoryServer[1];
        try (MemoryServer server =
                MemoryServer.of(
                        BlockingHandler.on(
                                ExecutorKind.WORKER,
                                x -> {
                                    seen.add(running[0].net().pool().lent());
                                    x.output().write(HELLO);
                                }))) {
            running[0] = server;
            MemoryPeer client = server.connect();
            for (int i = 0; i < FIRST_REQUESTS; i++) {
                server.ask(client, GET);
            }
            seen.clear();
            sendAll(server);
            server.run();
            assertAnswered();
            assertThat(seen).hasSize(REQUESTS).containsOnly(1);
        }
    }

    @Test
    void requestsWhoseClientsLeaveWhileTheyWaitBorrowNone() {
        try (MemoryServer server =
                MemoryServer.of(
                        BlockingHandler.on(ExecutorKind.BLOCKING, x -> x.output().write(HELLO)))) {
            sendAll(server);
            server.run();
            clients.forEach(MemoryPeer::reset);
            server.run();
            server.work();
            assertThat(server.net().pool().lent()).isZero();
            assertThat(server.admission().exchanges()).isZero();
        }
    }

    @Test
    void theSizeOfTheBufferIsKnownBeforeAByteIsWritten() {
        List<Integer> sizes = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(
                        BlockingHandler.on(
                                ExecutorKind.BLOCKING,
                                x -> {
                                    sizes.add(x.bufferBytes());
                                    x.bufferAtLeast(8193);
                                    sizes.add(x.bufferBytes());
                                    x.reset();
                                    assertThat(x.committed()).isFalse();
                                    x.output().write(HELLO);
                                }))) {
            MemoryPeer client = server.connect();
            for (String request : List.of(GET, HEAD)) {
                client.send(request);
                server.run();
                server.work();
                assertThat(client.takeText())
                        .startsWith("HTTP/1.1 200")
                        .contains("Content-Length: 5");
            }
            assertThat(sizes).containsExactly(8192, 8193, 8192, 8193);
        }
    }

    private void sendAll(MemoryServer server) {
        for (int i = 0; i < REQUESTS; i++) {
            clients.add(server.connect());
        }
        clients.forEach(client -> client.send(GET));
    }

    private void assertAnswered() {
        for (MemoryPeer client : clients) {
            assertThat(client.takeText()).startsWith("HTTP/1.1 200").endsWith("hello");
        }
    }
}
