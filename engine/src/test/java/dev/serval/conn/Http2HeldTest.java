package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.exchange.EngineExchange;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Route;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Checks that all memory that a client of HTTP/2 can make a connection hold is counted, so that
/// [Limits.Buffers#heldMaxBytes] bounds it, and connections end by what they hold.
final class Http2HeldTest {
    private static final int SIZE = 60_000;
    private static final int COPIED = 30_000; // to memory of the pool, over HTTP/1.1
    private static final String NO_WINDOW = "000400000000";

    private static final Handler LARGE = x -> send(x, SIZE);

    private static void send(Exchange x, int size) {
        x.response()
                .send(
                        new ResponseHead(Status.OK, Fields.EMPTY, size),
                        new Body.Bytes(ByteBuffer.allocate(size), null));
    }

    private static MemoryServer server(Handler handler, long heldMaxBytes) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.buffers.heldMaxBytes = heldMaxBytes);
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static Http2Peer peer(MemoryWire wire) {
        Http2Peer peer = new Http2Peer(wire).begin();
        peer.read();
        return peer;
    }

    private static String hexOf(String text, int times) {
        return "%02x".formatted((int) text.charAt(0)).repeat(times);
    }

    @Test
    void responsesWithoutAWindowCountUntilTheyAreSent() {
        try (MemoryServer server = server(LARGE, 64 << 20)) {
            Http2Peer peer = peer(new MemoryWire(server));
            peer.frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            peer.read();
            long before = server.held();
            for (int i = 0; i < 20; i++) {
                peer.get(1 + 2 * i, "/");
            }
            peer.read();
            assertThat(server.held() - before).isBetween(20L * SIZE, 20L * (SIZE + 2_000));
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00004000");
            peer.read();
            assertThat(server.held() - before).isLessThan(20L * SIZE - 10_000);
            peer.frame(Http2Peer.RST_STREAM, 0, 3, "00000008");
            peer.read();
            assertThat(server.held() - before).isLessThan(19L * SIZE - 10_000);
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00200000");
            for (int i = 0; i < 20; i++) {
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1 + 2 * i, "00010000");
            }
            peer.read();
            assertThat(server.held() - before).isLessThan(4_000);
        }
    }

    @Test
    void connectionWithoutAWindowEndsAboveTheLimit() {
        Handler handler =
                x -> send(x, x.request().target().text().equals("/huge") ? 400_000 : COPIED);
        try (MemoryServer server = server(handler, 1 << 20)) {
            Http2Peer good = peer(new MemoryWire(server));
            MemoryPeer reader = slowReader(server);
            MemoryWire wire = new MemoryWire(server);
            Http2Peer bad = peer(wire).frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            for (int stream = 1; stream <= 39; stream += 2) { // each counts 64 KiB
                bad.get(stream, "/huge");
                bad.read();
            }
            assertThat(server.held()).isLessThanOrEqualTo(1 << 20);
            assertThat(wire.peer().isClosed()).isTrue();
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isEqualTo(1);
            assertThat(good.get(1, "/").answers()).contains("HEADERS 1 :status=200");
            assertThat(reader.isClosed()).isFalse(); // which holds less
        }
    }

    /// A buffer outside of the heap belongs to a file that all connections share.
    @Test
    void responsesOutsideOfTheHeapDoNotCount() {
        Handler direct =
                x ->
                        x.response()
                                .send(
                                        new ResponseHead(Status.OK, Fields.EMPTY, SIZE),
                                        new Body.Bytes(ByteBuffer.allocateDirect(SIZE), null));
        try (MemoryServer server = server(direct, 64 << 20)) {
            Http2Peer peer = peer(new MemoryWire(server));
            peer.frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            peer.read();
            long before = server.held();
            peer.get(1, "/").read();
            assertThat(server.held() - before).isLessThan(4_000);
        }
    }

    /// One cached file may be on its way to many clients, and takes memory once.
    @Test
    void cachedFilesDoNotCount(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve("a.bin"), new byte[SIZE]);
        FileOptions options = FileOptions.DEFAULT.with(draft -> draft.smallMaxBytes = SIZE);
        Route route = new Route("/", List.of(FileHandler.of(folder, options)));
        try (MemoryServer server = server(x -> EngineExchange.of(x).enter(route), 64 << 20)) {
            Http2Peer peer = peer(new MemoryWire(server));
            peer.frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            peer.read();
            long before = server.held();
            assertThat(peer.get(1, "/a.bin").answers()).contains("HEADERS 1 :status=200");
            byte[] part =
                    Http2Peer.block(
                            ":method GET|:scheme http|:authority a|:path /a.bin|range bytes=10-");
            peer.frame(Http2Peer.HEADERS, 5, 3, part);
            assertThat(peer.answers()).contains("HEADERS 3 :status=206");
            assertThat(server.held() - before).isLessThan(6_000);
        }
    }

    /// The buffer is filled only after the response was sent to the stream, whose window is shut.
    @Test
    void contentWaitsWithoutACopy() {
        byte[] content = new byte[SIZE];
        Handler handler =
                x ->
                        x.response()
                                .send(
                                        new ResponseHead(Status.OK, Fields.EMPTY, SIZE),
                                        new Body.Bytes(
                                                ByteBuffer.wrap(content).asReadOnlyBuffer(), null));
        try (MemoryServer server = server(handler, 64 << 20)) {
            Http2Peer peer = peer(new MemoryWire(server));
            peer.frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            assertThat(peer.get(1, "/").answers()).contains("HEADERS 1 :status=200");
            Arrays.fill(content, (byte) 'y');
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000003");
            assertThat(peer.answers()).isEqualTo("DATA 1 3 yyy\n");
            Arrays.fill(content, (byte) 'z');
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000002");
            assertThat(peer.answers()).isEqualTo("DATA 1 2 zz\n");
        }
    }

    /// Each frame announces a region of the file, which the system sends.
    @Test
    void largeFilesDoNotPassThroughMemory(@TempDir Path folder) throws IOException {
        Files.write(folder.resolve("a.bin"), new byte[SIZE]);
        Route route = new Route("/", List.of(FileHandler.of(folder, FileOptions.DEFAULT)));
        try (MemoryServer server = server(x -> EngineExchange.of(x).enter(route), 64 << 20)) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = peer(wire);
            long before = wire.peer().writesBeforeFile();
            assertThat(peer.get(1, "/a.bin").answers()).contains("DATA 1 16384 ");
            assertThat(wire.peer().writesBeforeFile()).isGreaterThan(before);
        }
    }

    /// Returns a client of HTTP/1.1 that has read a little of a large response.
    private static MemoryPeer slowReader(MemoryServer server) {
        MemoryPeer reader = server.connect();
        reader.window(1_000);
        reader.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
        server.run();
        return reader;
    }

    /// One entry of the table, then references to it: each has one byte in the frame.
    @Test
    void headWithoutItsEndCounts() {
        try (MemoryServer server = server(LARGE, 64 << 20)) {
            Http2Peer peer = peer(new MemoryWire(server));
            peer.frame(Http2Peer.HEADERS, 0, 1, "400161" + "7fb916" + hexOf("x", 3000));
            assertThat(peer.answers()).isEmpty();
            long before = server.held();
            peer.frame(Http2Peer.CONTINUATION, 0, 1, "be".repeat(7));
            assertThat(peer.answers()).isEmpty();
            assertThat(server.held() - before).isGreaterThan(20_000);
        }
    }

    @Test
    void trailersCountUntilTheEndOfTheirExchange() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held), 64 << 20)) {
            Http2Peer peer = peer(new MemoryWire(server)).post(1, "/", "");
            peer.read();
            long before = server.held();
            byte[] block = Http2Peer.block("x-a " + "a".repeat(7000));
            peer.frame(Http2Peer.HEADERS, Http2Peer.END_STREAM, 1, block);
            peer.read();
            assertThat(server.held() - before).isGreaterThan(7_000);
            peer.frame(Http2Peer.CONTINUATION, Http2Peer.END_HEADERS, 1, "");
            peer.read();
            assertThat(server.held() - before).isBetween(7_000L, 20_000L);
            Answers.say(held.getFirst(), "hello");
            server.run();
            assertThat(server.held() - before).isLessThanOrEqualTo(0);
        }
    }

    /// Those that are too long are read to their end, but not kept.
    @Test
    void trailersThatAreTooLongAreNotKept() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held), 64 << 20)) {
            Http2Peer peer = peer(new MemoryWire(server)).post(1, "/", "");
            peer.read();
            long before = server.held();
            String line = "x-a " + "a".repeat(1800);
            String lines = (line + "|").repeat(7) + line;
            peer.frame(Http2Peer.HEADERS, Http2Peer.END_STREAM, 1, Http2Peer.block(lines));
            peer.frame(Http2Peer.CONTINUATION, 0, 1, Http2Peer.block(lines));
            peer.read();
            assertThat(server.held() - before).isBetween(7_000L, 17_000L);
        }
    }

    /// The client that holds most ends, though its memory is content that no handler has read yet.
    @Test
    void unreadContentCountsForItsConnection() {
        List<Exchange> held = new ArrayList<>();
        Handler handler =
                x -> {
                    if (x.request().target().text().equals("/large")) {
                        send(x, COPIED);
                    } else {
                        Answers.holding(held).handle(x);
                    }
                };
        try (MemoryServer server = server(handler, 70_000)) {
            MemoryPeer reader = slowReader(server);
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = peer(wire);
            peer.post(1, "/", "");
            for (int i = 0; i < 4; i++) {
                peer.data(1, "x".repeat(16_000), false);
            }
            peer.read();
            assertThat(server.held()).isLessThanOrEqualTo(70_000);
            assertThat(wire.peer().isClosed()).isTrue();
            assertThat(reader.isClosed()).isFalse();
        }
    }

    @Test
    void trailersOfHttp1Count() {
        try (MemoryServer server = server(Answers.greeting(), 64 << 20)) {
            MemoryPeer client = server.connect();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            long before = server.held();
            client.send("0\r\nx-a: " + "a".repeat(7000) + "\r\n");
            server.run();
            assertThat(server.held() - before).isGreaterThan(7_000);
            client.send("\r\n");
            server.run();
            assertThat(server.held() - before).isLessThan(1_000);
            assertThat(server.ask(client, Answers.GET)).startsWith("HTTP/1.1 200 ");
        }
    }

    /// As those of HTTP/2, they end before a connection that holds less.
    @Test
    void trailersOfHttp1CountForTheirConnection() {
        Handler handler =
                x -> {
                    if (x.request().target().text().equals("/large")) {
                        send(x, 5_000);
                    } else {
                        Answers.say(x, "hello");
                    }
                };
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.buffers.heldMaxBytes = 150_000;
                    draft.content.trailersMaxBytes = 40_000;
                });
        try (MemoryServer server = MemoryServer.of(handler, limits)) {
            MemoryPeer reader = slowReader(server);
            List<MemoryPeer> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                MemoryPeer client = server.connect();
                client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
                client.send("0\r\nx-a: " + "a".repeat(30_000) + "\r\n");
                server.run();
                clients.add(client);
            }
            assertThat(reader.isClosed()).isFalse();
            assertThat(clients).anyMatch(MemoryPeer::isClosed);
        }
    }

    @Test
    void trailersOfALostConnectionCountNoMore() {
        try (MemoryServer server = server(Answers.greeting(), 64 << 20)) {
            long before = server.held();
            MemoryPeer client = server.connect();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("0\r\nx-a: " + "a".repeat(7000) + "\r\n");
            server.run();
            assertThat(server.held() - before).isGreaterThan(7_000);
            client.reset();
            server.run();
            assertThat(server.held()).isEqualTo(before);
        }
    }
}
