package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.coding.Compression;
import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.MountSettings;
import dev.serval.handler.Route;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import dev.serval.tls.JdkTls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Checks the limit on the memory that all connections hold together
/// ([Limits.Buffers#heldMaxBytes]). Above the limit, the connections that hold most are preempted,
/// and others are not affected.
final class HeldMemoryTest {
    private static final int HEAD_BYTES = 20_000; // takes an array of 32 KiB
    private static final long HELD_MAX_BYTES = 1 << 20;

    private static final Limits LIMITS =
            Limits.DEFAULT.with(draft -> draft.buffers.heldMaxBytes = HELD_MAX_BYTES);

    private static final Handler LARGE =
            x ->
                    x.response()
                            .send(
                                    new ResponseHead(Status.OK, new Fields(), 30_000),
                                    new Body.Bytes(ByteBuffer.allocate(30_000), null));

    @Test
    void keepsUnfinishedHeadsUpToTheLimit() {
        try (MemoryServer server = MemoryServer.of(Answers.target(), LIMITS)) {
            List<MemoryPeer> clients = unfinishedHeads(server, 29);
            assertThat(server.held()).isLessThanOrEqualTo(HELD_MAX_BYTES);
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isZero();
            for (MemoryPeer client : clients) {
                client.send("\r\n");
                server.run();
                assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void refusesTheOldestOfTheLongestHeadsAboveTheLimit() {
        try (MemoryServer server = MemoryServer.of(Answers.target(), LIMITS)) {
            MemoryPeer shortHead = server.connect();
            shortHead.send("GET /short HTTP/1.1\r\nHost: a\r\n");
            server.run();
            List<MemoryPeer> clients = unfinishedHeads(server, 300);
            assertThat(server.held()).isLessThanOrEqualTo(HELD_MAX_BYTES);
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isGreaterThan(260);
            assertThat(clients.getFirst().takeText())
                    .startsWith("HTTP/1.1 503 ")
                    .contains("\r\nRetry-After: 1\r\n");
            MemoryPeer newest = clients.getLast();
            newest.send("\r\n");
            shortHead.send("\r\n");
            server.run();
            assertThat(newest.takeText()).startsWith("HTTP/1.1 200 ");
            assertThat(shortHead.takeText()).startsWith("HTTP/1.1 200 ");
        }
    }

    /// They have sent nothing that could be answered, and their transport could not send it yet: the
    /// answers would only take more memory.
    @Test
    void handshakesOfTlsEndWithoutAnAnswerAboveTheLimit() throws IOException {
        TestKeys keys = TestKeys.local();
        Protocol tls =
                new TlsProtocol(
                        new Http1(Leniency.defaults()),
                        JdkTls.of(keys.certificate(), keys.key()),
                        (_, work) -> {
                            work.run();
                            return true;
                        });
        try (MemoryServer server = MemoryServer.of(Answers.target(), LIMITS, tls)) {
            List<MemoryPeer> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                MemoryPeer client = server.connect();
                client.send(TlsClient.of(keys.trusting()).begin().toSend());
                server.run();
                clients.add(client);
                assertThat(server.held()).isLessThanOrEqualTo(HELD_MAX_BYTES);
            }
            long ended = server.count(Counter.CONNECTIONS_PREEMPTED);
            assertThat(ended).isPositive();
            assertThat(clients.stream().filter(MemoryPeer::isClosed)).hasSize((int) ended);
            assertThat(server.log()).isEmpty();
        }
    }

    @Test
    void releasesLongHeadsOfIdleConnectionsButKeepsTheConnections() {
        List<RequestHead> heads = new ArrayList<>();
        Handler handler =
                x -> {
                    heads.add(x.request());
                    Answers.target().handle(x);
                };
        try (MemoryServer server = MemoryServer.of(handler, LIMITS)) {
            List<MemoryPeer> clients = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                MemoryPeer client = server.connect();
                client.send(unfinishedHead() + "\r\n");
                server.run();
                assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
                assertThat(server.held()).isLessThanOrEqualTo(HELD_MAX_BYTES);
                clients.add(client);
            }
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isZero();
            // Also counts heads that a connection's exchange still refers to.
            assertThat(
                            heads.stream()
                                    .distinct()
                                    .mapToLong(head -> head.fields().buffer().length)
                                    .sum())
                    .isLessThanOrEqualTo(HELD_MAX_BYTES);
            for (MemoryPeer client : clients) {
                client.send(GET);
                server.run();
                assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void resetsConnectionsWithMostUnreadBytesAboveTheLimit() {
        try (MemoryServer server = MemoryServer.of(LARGE, LIMITS)) {
            MemoryPeer reader = server.connect();
            reader.window(29_000);
            reader.send(GET);
            server.run();
            List<MemoryPeer> deaf = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                MemoryPeer client = server.connect();
                client.window(0);
                client.send(GET.repeat(3));
                server.run();
                assertThat(server.held()).isLessThanOrEqualTo(HELD_MAX_BYTES);
                deaf.add(client);
            }
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isPositive();
            assertThat(deaf.getFirst().isClosed()).isTrue();
            reader.window(Long.MAX_VALUE);
            server.run();
            assertThat(reader.takeText()).startsWith("HTTP/1.1 200 ").hasSizeGreaterThan(30_000);
            deaf.forEach(MemoryPeer::reset);
            server.run();
        }
    }

    /// 20 clients download 4 MiB that they share, from a server that may hold 1 MiB.
    @Test
    void longContentThatManyClientsReadEndsNoneOfThem() {
        ByteBuffer content = ByteBuffer.allocate(4 << 20);
        Handler shared =
                x ->
                        x.response()
                                .send(
                                        new ResponseHead(Status.OK, new Fields(), 4 << 20),
                                        new Body.Bytes(content.duplicate(), null));
        try (MemoryServer server = MemoryServer.of(shared, LIMITS)) {
            List<MemoryPeer> readers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                MemoryPeer client = server.connect();
                client.window(1 << 20);
                client.send(GET);
                server.run();
                readers.add(client);
            }
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isZero();
            for (MemoryPeer client : readers) {
                client.window(Long.MAX_VALUE);
                server.run();
                assertThat(client.takeText()).hasSizeGreaterThan(4 << 20);
            }
        }
    }

    @Test
    void floodOfOneKindDoesNotPreemptTheOther() {
        try (MemoryServer server = MemoryServer.of(LARGE, LIMITS)) {
            List<MemoryPeer> slowReaders = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                MemoryPeer client = server.connect();
                client.window(0);
                client.send(GET);
                server.run();
                slowReaders.add(client);
            }
            unfinishedHeads(server, 200);
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isPositive();
            for (MemoryPeer client : slowReaders) {
                client.window(Long.MAX_VALUE);
                server.run();
                assertThat(client.takeText()).hasSizeGreaterThan(30_000);
            }
        }
    }

    @Test
    void pipelinedRequestsWaitSoonerWhenMemoryIsShort() {
        Limits gatherLittle = LIMITS.with(draft -> draft.buffers.turnBytes = 4 << 10);
        try (MemoryServer server = MemoryServer.of(LARGE, gatherLittle)) {
            unfinishedHeads(server, 17); // more than half of the limit
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(GET.repeat(20));
            server.run();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
            client.window(Long.MAX_VALUE);
            server.run();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(20);
        }
    }

    @Test
    void pipelinedRequestsAreServedUpToTheUnsentLimitWhileMemoryIsFree() {
        Limits gatherLittle = LIMITS.with(draft -> draft.buffers.turnBytes = 4 << 10);
        try (MemoryServer server = MemoryServer.of(LARGE, gatherLittle)) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(GET.repeat(20));
            server.run();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(3); // 90 KB, past 64 KiB
        }
    }

    @Test
    void manyPipeliningClientsGetSmallerQuotasEach() {
        try (MemoryServer server = MemoryServer.of(LARGE)) {
            List<MemoryPeer> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                clients.add(server.connect());
            }
            clients.forEach(client -> client.send(GET.repeat(60)));
            server.turn();
            // 4 MiB in full quotas, one more request for each of the others, and one at their next
            // turn.
            assertThat(server.count(Counter.REQUESTS)).isBetween(200L, 450L);
            server.run();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(6000);
        }
    }

    @Test
    void memoryThatTasksOfClosedConnectionsReadEndsNoSmallConnection() {
        Handler waits = x -> x.run(ExecutorKind.BLOCKING, Answers::target);
        try (MemoryServer server = MemoryServer.of(waits, LIMITS)) {
            MemoryPeer small = server.connect();
            small.send(GET);
            server.run();
            List<MemoryPeer> large = unfinishedHeads(server, 31);
            large.forEach(client -> client.send("\r\n")); // all are in progress now
            server.run();
            List<MemoryPeer> more = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                MemoryPeer client = server.connect();
                client.send(unfinishedHead() + "\r\n");
                server.run();
                server.pass(Duration.ofMillis(100));
                more.add(client);
            }
            assertThat(large).allMatch(MemoryPeer::isClosed);
            assertThat(small.isClosed()).isFalse();
            more.forEach(MemoryPeer::reset);
            server.pass(Duration.ofMillis(100));
            long outlasting = server.held();
            assertThat(outlasting).isGreaterThan(HELD_MAX_BYTES);
            unfinishedHeads(server, 40); // these keep half of the limit
            server.pass(Duration.ofMillis(100));
            assertThat(server.held() - outlasting)
                    .isBetween(HELD_MAX_BYTES / 4, HELD_MAX_BYTES / 2);
            server.work();
            assertThat(small.takeText()).startsWith("HTTP/1.1 200 ");
            server.pass(Duration.ofMillis(100));
            unfinishedHeads(server, 99); // what outlasted its connection counts no more
            assertThat(server.held()).isBetween(HELD_MAX_BYTES / 2, HELD_MAX_BYTES);
        }
    }

    @Test
    void memoryOfClosedHttp2ConnectionsEndsNoSmallConnection() {
        Handler waits = x -> x.run(ExecutorKind.BLOCKING, Answers::target);
        Http http = new Http(Leniency.defaults());
        try (MemoryServer server = MemoryServer.of(waits, LIMITS, http)) {
            MemoryPeer small = server.connect();
            small.send(GET);
            server.run();
            byte[] head =
                    Http2Peer.block(
                            ":method GET|:scheme http|:authority a|:path /|x-long "
                                    + "a".repeat(15_000));
            for (int i = 0; i < 120; i++) {
                Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
                peer.frame(Http2Peer.HEADERS, 5, 1, head); // its read would run the tasks
                server.pass(Duration.ofMillis(20));
            }
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isGreaterThan(50);
            assertThat(server.held()).isGreaterThan(HELD_MAX_BYTES);
            assertThat(small.isClosed()).isFalse();
            server.work();
            assertThat(small.takeText()).startsWith("HTTP/1.1 200 ");
            server.pass(Duration.ofMillis(100));
            unfinishedHeads(server, 99); // what outlasted its connection counts no more
            assertThat(server.held()).isBetween(HELD_MAX_BYTES / 2, HELD_MAX_BYTES);
        }
    }

    @Test
    void openConnectionsKeepHalfOfTheMemoryIfManyWithTasksEndInOneTurn() {
        Handler waits = x -> x.run(ExecutorKind.BLOCKING, Answers::target);
        try (MemoryServer server = MemoryServer.of(waits, LIMITS)) {
            List<MemoryPeer> clients = unfinishedHeads(server, 24);
            clients.forEach(client -> client.send("\r\n")); // these are in progress
            server.run();
            clients.addAll(unfinishedHeads(server, 14)); // both kinds of memory now take the same
            for (int i = 0; i < 30; i++) {
                clients.add(server.connect());
            }
            for (int i = 0; i < 30; i++) { // every third stays incomplete
                clients.get(38 + i).send(unfinishedHead() + (i % 3 > 0 ? "\r\n" : ""));
            }
            server.turn(); // frees memory several times before a task can come back
            assertThat(clients.getFirst().isClosed()).isTrue();
            long open = clients.size() - server.count(Counter.CONNECTIONS_PREEMPTED);
            // Memory is freed down to 7/8 of the limit. Half of that stays, less one connection.
            assertThat(open * HEAD_BYTES).isGreaterThan(HELD_MAX_BYTES * 3 / 8);
        }
    }

    @Test
    void unreadCompressedResponsesEndBeforeOthers() {
        byte[] random = new byte[1 << 20];
        new Random(1).nextBytes(random);
        ResponseHead head =
                new ResponseHead(
                        Status.OK,
                        new Fields().add(FieldName.CONTENT_TYPE, "text/plain"),
                        random.length);
        Handler answers =
                x -> x.response().send(head, new Body.Bytes(ByteBuffer.wrap(random), null));
        Compression all = Compression.DEFAULT.with(draft -> draft.scope = Compression.Scope.ALL);
        MountSettings settings = MountSettings.NONE.with(draft -> draft.compression = all);
        Route route = new Route("/", List.of(answers), new Mapping("/"), settings);
        Limits limits = LIMITS.with(draft -> draft.buffers.unsentMaxBytes = 8 << 10);
        try (MemoryServer server =
                MemoryServer.of(x -> EngineExchange.of(x).enter(route), limits)) {
            List<MemoryPeer> heads = unfinishedHeads(server, 8);
            List<MemoryPeer> unread = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                MemoryPeer client = server.connect();
                client.window(0);
                client.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n");
                server.run();
                unread.add(client);
            }
            assertThat(server.count(Counter.RESPONSES_COMPRESSED)).isEqualTo(10);
            assertThat(server.held()).isLessThanOrEqualTo(HELD_MAX_BYTES);
            assertThat(unread.getFirst().isClosed()).isTrue();
            assertThat(unread.getLast().isClosed()).isFalse();
            heads.forEach(client -> client.send("\r\n"));
            server.run();
            assertThat(heads).allMatch(client -> client.takeText().startsWith("HTTP/1.1 200 "));
            heads.forEach(MemoryPeer::reset);
            unread.forEach(MemoryPeer::reset);
            server.run();
            assertThat(server.held()).isZero();
        }
    }

    /// It takes 300 bytes a second; the server asks for 240, and the mount for 5,000.
    @Test
    void connectionThatGivesItsHeadBackKeepsTheLeastRateOfItsUnsentResponse() {
        MountSettings settings = MountSettings.NONE.with(draft -> draft.minBytesPerSecond = 5_000);
        Route route = new Route("/", List.of(LARGE), new Mapping("/"), settings);
        Handler handler =
                x -> {
                    if (x.request().target().text().equals("/")) {
                        EngineExchange.of(x).enter(route);
                    } else {
                        Answers.target().handle(x);
                    }
                };
        try (MemoryServer server = MemoryServer.of(handler, LIMITS)) {
            MemoryPeer slow = server.connect();
            slow.window(300);
            slow.send(GET);
            server.run();
            for (int i = 0; i < 300; i++) {
                MemoryPeer client = server.connect();
                client.send(unfinishedHead() + "\r\n");
                server.run();
                assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            }
            assertThat(slow.isClosed()).isFalse();
            for (int i = 0; i < 20; i++) {
                slow.window(300);
                server.pass(Duration.ofSeconds(1));
            }
            assertThat(slow.isClosed()).isTrue();
        }
    }

    private static List<MemoryPeer> unfinishedHeads(MemoryServer server, int count) {
        List<MemoryPeer> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemoryPeer client = server.connect();
            client.send(unfinishedHead());
            server.run();
            clients.add(client);
        }
        return clients;
    }

    private static String unfinishedHead() {
        return "GET /long HTTP/1.1\r\nHost: a\r\nX-Long: " + "a".repeat(HEAD_BYTES) + "\r\n";
    }
}
