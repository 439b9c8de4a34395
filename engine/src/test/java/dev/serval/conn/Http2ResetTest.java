package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Checks that a stream may be reset, or its connection lost, at every point of its life. The server
/// checks for leaks when it closes.
final class Http2ResetTest {
    private static final byte[] HEAD = Http2Peer.head("POST", "/");
    private static final int HALF = HEAD.length / 2;
    private static final String TEN = "0123456789";

    /// The frames of a request, one after the other.
    private static final List<Frame> REQUEST =
            List.of(
                    new Frame(Http2Peer.HEADERS, 0, Arrays.copyOf(HEAD, HALF)),
                    new Frame(
                            Http2Peer.CONTINUATION,
                            Http2Peer.END_HEADERS,
                            Arrays.copyOfRange(HEAD, HALF, HEAD.length)),
                    new Frame(Http2Peer.DATA, 0, Answers.bytes("abc")),
                    new Frame(Http2Peer.DATA, 8, new byte[] {2, 'd', 0, 0}),
                    new Frame(Http2Peer.WINDOW_UPDATE, 0, new byte[] {0, 0, 0, 9}),
                    new Frame(Http2Peer.DATA, 0, new byte[0]),
                    new Frame(Http2Peer.HEADERS, 5, Http2Peer.block("x-after v")));

    private record Frame(int type, int flags, byte[] payload) {
        void send(Http2Peer peer, int stream) {
            peer.frame(type, flags, stream, payload);
        }
    }

    /// Frames for a stream that was refused may be on their way for long, as many as a client may have
    /// refused at once.
    @Test
    void refusedStreamsAreRememberedAsLongAsTheirNumberIsAllowed() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.http2.streamsMax = 1);
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(Answers.holding(held), limits, new Http(Leniency.defaults()))) {
            Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin().post(1, "/", "");
            for (int stream = 3; stream <= 301; stream += 2) {
                peer.post(stream, "/", "");
            }
            assertThat(peer.answers()).contains("RST_STREAM 301 REFUSED_STREAM");
            assertThat(peer.data(3, TEN, true).answers()).isEmpty();
            assertThat(peer.data(1, TEN, true).answers()).isEmpty();
        }
    }

    /// A handler with the name of what it does. A test may have several of them.
    record Kind(String name, Handler handler) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Kind> kinds() {
        List<Exchange> held = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        return Stream.of(
                new Kind("answers at once", Answers.greeting()),
                new Kind("echoes", Answers.echo()),
                new Kind("reads, then answers", Answers.counting(seen)),
                new Kind("never answers", Answers.holding(held)),
                new Kind(
                        "uses another thread",
                        x -> x.run(ExecutorKind.BLOCKING, () -> y -> Answers.say(y, "hello"))),
                new Kind(
                        "fails",
                        x -> {
                            throw new IllegalStateException("as the test wants");
                        }));
    }

    private static MemoryServer server(Handler handler) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.pace.lingerNanos = 0);
        Handler either =
                x -> {
                    if (x.request().target().text().equals("/next")) {
                        Answers.say(x, "next");
                    } else {
                        handler.handle(x);
                    }
                };
        return MemoryServer.of(either, limits, new Http(Leniency.defaults()));
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.read();
        return peer;
    }

    private static void sendReset(Http2Peer peer) {
        peer.frame(Http2Peer.RST_STREAM, 0, 1, "00000008");
    }

    /// The reset comes with the frames before it, or after the server has handled them. In a header
    /// block, it would be an error of the connection.
    @ParameterizedTest
    @MethodSource("kinds")
    void resetAfterEachFrameEndsOnlyItsStream(Kind kind) {
        for (int count = 2; count <= REQUEST.size(); count++) {
            for (boolean together : new boolean[] {true, false}) {
                try (MemoryServer server = server(kind.handler())) {
                    Http2Peer peer = peer(server);
                    for (Frame frame : REQUEST.subList(0, count)) {
                        frame.send(peer, 1);
                    }
                    if (!together) {
                        peer.read();
                    }
                    sendReset(peer);
                    assertThat(peer.get(3, "/next").answers())
                            .as("%s, after %d frames, together: %s", kind, count, together)
                            .contains("HEADERS 3 :status=200", "DATA 3 4 end next")
                            .doesNotContain("GOAWAY");
                }
            }
        }
    }

    /// Its stream has left the connection.
    @Test
    void handlerMayDropContentAfterTheReset() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).post(1, "/", "").data(1, TEN, false);
            peer.read();
            sendReset(peer);
            peer.read();
            held.getFirst().content().discard(Long.MAX_VALUE);
            assertThat(peer.get(3, "/next").answers()).contains("DATA 3 4 end next");
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void lossAfterEachFrameLeavesNothing(Kind kind) {
        for (int count = 1; count <= REQUEST.size(); count++) {
            for (boolean together : new boolean[] {true, false}) {
                try (MemoryServer server = server(kind.handler())) {
                    Http2Peer peer = peer(server);
                    for (Frame frame : REQUEST.subList(0, count)) {
                        frame.send(peer, 1);
                    }
                    if (!together) {
                        peer.read();
                    }
                    peer.reset();
                    server.pass(Duration.ofMillis(200));
                    assertThat(server.held()).as("%s, after %d frames", kind, count).isZero();
                }
            }
        }
    }

    /// A half close ends the input at each frame, also within the head.
    @ParameterizedTest
    @MethodSource("kinds")
    void endOfInputAfterEachFrameLeavesNothing(Kind kind) {
        for (int count = 1; count <= REQUEST.size(); count++) {
            try (MemoryServer server = server(kind.handler())) {
                Http2Peer peer = peer(server);
                for (Frame frame : REQUEST.subList(0, count)) {
                    frame.send(peer, 1);
                }
                peer.end();
                assertThat(peer.answers()).as("%s, after %d", kind, count).doesNotContain("GOAWAY");
            }
        }
    }

    /// The response waits for the stream's window after each piece.
    @Test
    void resetAfterEachPieceOfTheResponseEndsOnlyItsStream() {
        for (int pieces = 0; pieces <= 3; pieces++) {
            try (MemoryServer server = server(x -> Answers.say(x, TEN.repeat(3)))) {
                Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "00040000000a");
                peer.get(1, "/");
                for (int i = 1; i < pieces; i++) {
                    peer.read();
                    peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "0000000a");
                }
                if (pieces > 0) {
                    peer.read();
                }
                sendReset(peer);
                assertThat(peer.get(3, "/next").answers())
                        .as("after %d pieces", pieces)
                        .contains("DATA 3 4 end next")
                        .doesNotContain("GOAWAY");
            }
        }
    }

    /// What waits for the connection's window is forgotten with its stream.
    @Test
    void resetOfAStarvedStreamGivesItsTurnToOthers() {
        try (MemoryServer server = server(x -> Answers.say(x, TEN.repeat(7000)))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "000400100000");
            peer.get(1, "/");
            peer.read();
            peer.get(3, "/next");
            assertThat(peer.answers()).isEqualTo("HEADERS 3 :status=200 content-length=4\n");
            sendReset(peer);
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00000004");
            assertThat(peer.answers()).isEqualTo("DATA 3 4 end next\n");
        }
    }

    /// Parts of the file wait in the output of the connection, behind a client that does not read.
    @Test
    void resetStreamKeepsItsFileUntilItsPartsAreSent(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[1 << 20]);
        FileChannel file = FileChannel.open(path);
        Handler handler =
                x -> {
                    if (x.request().target().text().equals("/file")) {
                        x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 1 << 20));
                        x.response().write(new Body.FileRegion(file, 0, 1 << 20, () -> shut(file)));
                        x.response().end(Fields.EMPTY);
                    } else {
                        Answers.say(x, "hello");
                    }
                };
        try (MemoryServer server =
                MemoryServer.of(handler, Limits.DEFAULT, new Http(Leniency.defaults()))) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.read();
            peer.frame(Http2Peer.SETTINGS, 0, 0, "000400400000");
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00400000");
            peer.get(1, "/file");
            server.run();
            assertThat(file.isOpen()).isTrue();
            peer.frame(Http2Peer.RST_STREAM, 0, 1, "00000008").get(3, "/");
            server.run();
            assertThat(file.isOpen()).isTrue();
            assertThat(peer.answers()).endsWith("DATA 3 5 end hello\n");
            assertThat(file.isOpen()).isFalse();
        }
    }

    private static void shut(FileChannel file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Its frames may be half written: the next ones would be read as something else. What a Worker has
    /// made is sent by a command.
    @Test
    void errorWhileFramesAreSentEndsTheConnection(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[100_000]);
        AtomicInteger released = new AtomicInteger();
        try (FileChannel file = FileChannel.open(path)) {
            Body body =
                    new Body.FileRegion(
                            file,
                            0,
                            100_000,
                            released::incrementAndGet,
                            () -> {
                                throw new OutOfMemoryError("test");
                            });
            Handler answer =
                    x -> {
                        x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 100_000));
                        x.response().write(body);
                        x.response().end(Fields.EMPTY);
                    };
            try (MemoryServer server =
                    MemoryServer.of(
                            x -> x.run(ExecutorKind.WORKER, () -> answer),
                            Limits.DEFAULT,
                            new Http(Leniency.defaults()))) {
                MemoryWire wire = new MemoryWire(server);
                new Http2Peer(wire).begin().get(1, "/");
                server.run();
                assertThat(wire.peer().sawReset()).isTrue();
                assertThat(released).hasValue(1);
            }
        }
    }

    /// Only the stream ends whose file is no more the one of which a part was sent.
    @Test
    void changedFileEndsItsStream(@TempDir Path folder) throws IOException {
        Path path = Files.write(folder.resolve("file"), new byte[100_000]);
        AtomicBoolean intact = new AtomicBoolean(true);
        AtomicInteger released = new AtomicInteger();
        AtomicInteger aborted = new AtomicInteger();
        AtomicInteger asked = new AtomicInteger();
        try (FileChannel file = FileChannel.open(path)) {
            Handler handler =
                    x -> {
                        x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 100_000));
                        x.response()
                                .write(
                                        new Body.FileRegion(
                                                file,
                                                0,
                                                100_000,
                                                released::incrementAndGet,
                                                () -> asked.incrementAndGet() > 0 && intact.get()));
                        if (x.request().target().text().equals("/")) {
                            x.response().end(Fields.EMPTY);
                        } else {
                            x.onAbort(aborted::incrementAndGet);
                        }
                    };
            try (MemoryServer server =
                    MemoryServer.of(handler, Limits.DEFAULT, new Http(Leniency.defaults()))) {
                Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
                peer.get(1, "/more").get(3, "/");
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00100000");
                assertThat(peer.answers()).contains("DATA 1 ", "DATA 3 ");
                server.pass(Duration.ofSeconds(1));
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00004000");
                assertThat(peer.answers()).startsWith("DATA 1 ").doesNotContain("RST_STREAM");
                intact.set(false);
                server.pass(Duration.ofSeconds(1));
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00004000");
                assertThat(peer.answers()).isEqualTo("RST_STREAM 1 INTERNAL_ERROR\n");
                assertThat(released).hasValue(1);
                assertThat(aborted).hasValue(1);
                intact.set(true);
                asked.set(0);
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 3, "00100000");
                assertThat(peer.answers()).startsWith("DATA 3 ").contains(" end ");
                assertThat(asked).as("questions in a turn").hasValue(1);
                assertThat(released).hasValue(2);
            }
        }
    }
}
