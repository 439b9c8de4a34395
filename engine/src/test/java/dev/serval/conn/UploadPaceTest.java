package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Checks which clients may leave their answers unread while they send content. The minimum rate is 240
/// bytes a second after 5 s.
final class UploadPaceTest {
    private static final int RATE = 240;
    private static final int ANSWER = 300_000;
    private static final ResponseHead OPEN =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);

    private static final ResponseHead SWITCHING =
            new ResponseHead(
                    Status.SWITCHING_PROTOCOLS,
                    new Fields().add("Upgrade", "echo"),
                    ResponseHead.UNKNOWN_LENGTH);

    /// What the bytes of an answer wait for.
    enum Place {
        /// The socket of a connection with HTTP/1.1.
        HTTP1,
        /// The window of a stream.
        STREAM,
        /// The window of a connection.
        CONNECTION
    }

    private final List<Exchange> held = new ArrayList<>();

    private final MemoryServer server =
            MemoryServer.of(
                    Handler.ofConnect(this::handle, "echo"),
                    Limits.DEFAULT.with(draft -> draft.content.discardMaxBytes = 100_000),
                    new Http(Leniency.defaults()));

    /// Answers before it reads content, which it does not read for `/held`.
    private void handle(Exchange x) {
        switch (x.request().target().text()) {
            case "/get" -> Answers.say(x, "x".repeat(ANSWER));
            case "/small" -> Answers.say(x, "x".repeat(1000));
            case "/some" -> {
                answer(x, 60_000);
                takeAll(x);
            }
            case "/tunnel" -> {
                boolean byFrames = x.tunnel() instanceof TunnelRequest.ByConnect;
                Duplex tunnel = x.upgrade(byFrames ? OPEN : SWITCHING);
                tunnel.write(Body.Bytes.of(new byte[ANSWER]));
                takeAll(tunnel);
            }
            case "/held" -> {
                answer(x, ANSWER);
                held.add(x);
            }
            default -> {
                answer(x, ANSWER);
                takeAll(x);
            }
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static void answer(Exchange x, int bytes) {
        x.response().head(OPEN);
        x.response().write(Body.Bytes.of(new byte[bytes]));
    }

    private static void takeAll(Exchange x) {
        ByteBuffer piece = ByteBuffer.allocate(4096);
        int n = x.content().read(piece);
        while (n > 0) {
            n = x.content().read(piece.clear());
        }
        if (n == 0) {
            x.content().onReadable(() -> takeAll(x));
        } else if (n == Source.END) {
            x.response().end(Fields.EMPTY);
        }
    }

    private static void takeAll(Duplex tunnel) {
        ByteBuffer piece = ByteBuffer.allocate(4096);
        while (tunnel.read(piece.clear()) > 0) {}
        tunnel.onReadable(() -> takeAll(tunnel));
    }

    /// A client that takes only the first bytes, until it is told to take all.
    private final class Client {
        private final Place place;
        private final MemoryPeer socket;
        private final Http2Peer frames;

        /// @param window bytes that it takes
        Client(Place place, int window) {
            this.place = place;
            MemoryWire wire = new MemoryWire(server);
            socket = wire.peer();
            frames = new Http2Peer(wire);
            if (place != Place.HTTP1) {
                frames.begin();
                int opened = place == Place.CONNECTION ? 1 << 20 : window;
                frames.frame(Http2Peer.SETTINGS, 0, 0, "0004%08x".formatted(opened));
                if (place == Place.STREAM) {
                    open(0, 1 << 20);
                }
                frames.read();
            }
            socket.window(place == Place.HTTP1 ? window : 1 << 20);
        }

        Client post(int number, String path) {
            if (place == Place.HTTP1) {
                socket.send(
                        "POST "
                                + path
                                + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            } else {
                frames.post(number, path, "");
            }
            server.run();
            return this;
        }

        Client get(int number, String path) {
            if (place == Place.HTTP1) {
                socket.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
            } else {
                frames.get(number, path);
            }
            server.run();
            return this;
        }

        void send(int number, int bytes) {
            String content = "x".repeat(bytes);
            if (place == Place.HTTP1) {
                socket.send(Integer.toHexString(bytes) + "\r\n" + content + "\r\n");
            } else {
                frames.data(number, content, false);
            }
        }

        void open(int stream, int bytes) {
            frames.frame(Http2Peer.WINDOW_UPDATE, 0, stream, "%08x".formatted(bytes));
        }

        void end(int number) {
            if (place == Place.HTTP1) {
                socket.send("0\r\n\r\n");
            } else {
                frames.data(number, "", true);
            }
            server.run();
        }

        /// Sends content ten times a second until that many seconds are over, or the answer has ended.
        ///
        /// @return the seconds
        int upload(int number, int bytesPerSecond, int seconds) {
            int tenth = 0;
            while (tenth < 10 * seconds && slowReaders() == 0) {
                int due = bytesPerSecond * (tenth + 1) / 10 - bytesPerSecond * tenth / 10;
                if (due > 0) {
                    send(number, due);
                }
                server.pass(Duration.ofMillis(100));
                tenth++;
            }
            return tenth / 10;
        }

        /// Returns how many seconds pass until the answer ends, if the client does nothing.
        int idle() {
            return upload(0, 0, 60);
        }

        /// Takes all, and returns whether that ends with the end of an answer.
        boolean takesWholeAnswer(int number) {
            switch (place) {
                case HTTP1 -> {
                    socket.window(Long.MAX_VALUE);
                    server.run();
                    return socket.text().endsWith("\r\n0\r\n\r\n");
                }
                case STREAM -> open(number, 1 << 20);
                case CONNECTION -> open(0, 1 << 20);
            }
            return frames.answers().contains(" end ");
        }
    }

    private long slowReaders() {
        return server.count(Counter.SLOW_READERS);
    }

    @ParameterizedTest
    @EnumSource
    void clientMayReadItsAnswerAfterItsContent(Place place) {
        Client client = new Client(place, 100).post(1, "/");
        assertThat(client.upload(1, RATE, 60)).isEqualTo(60);
        client.end(1);
        server.pass(Duration.ofSeconds(4));
        assertThat(slowReaders()).isZero();
        assertThat(client.takesWholeAnswer(1)).isTrue();
    }

    /// Returns a client that has taken as many bytes as are enough for minutes, so that it can only
    /// stall.
    private Client clientThatHasTakenMuch(Place place) {
        Client client = new Client(place, place == Place.HTTP1 ? 50_000 : 100).post(1, "/");
        if (place != Place.HTTP1) { // a window counts from the time when it is used up
            server.pass(Duration.ofSeconds(1));
            client.open(place == Place.STREAM ? 1 : 0, 50_000);
            server.run();
        }
        client.send(1, 10_000); // likewise, so that the content is not late
        return client;
    }

    @ParameterizedTest
    @EnumSource
    void clientDoesNotStallWhileItSendsContent(Place place) {
        Client client = clientThatHasTakenMuch(place);
        assertThat(client.upload(1, RATE, 60)).isEqualTo(60);
        client.end(1);
        assertThat(client.idle()).isBetween(28, 32);
    }

    @ParameterizedTest
    @EnumSource
    void clientStallsIfItSendsLittleContent(Place place) {
        Client client = clientThatHasTakenMuch(place);
        assertThat(client.upload(1, 1, 60)).isBetween(28, 32);
    }

    @ParameterizedTest
    @EnumSource
    void answerHasItsGraceAfterTheContent(Place place) {
        Client client = new Client(place, 100).post(1, "/");
        client.upload(1, RATE, 60);
        client.end(1);
        assertThat(client.idle()).isBetween(5, 7);
        assertThat(server.count(Counter.SLOW_CONTENT)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void answerHasItsGraceAfterContentThatStops(Place place) {
        Client client = new Client(place, 100).post(1, "/");
        client.upload(1, 1000, 40);
        assertThat(client.idle()).isBetween(5, 7);
        assertThat(server.count(Counter.SLOW_CONTENT)).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = "CONNECTION", mode = EnumSource.Mode.EXCLUDE) // it would be late as content
    void contentBelowTheMinimumRateIsNotEnough(Place place) {
        Client client = new Client(place, 100).post(1, "/");
        assertThat(client.upload(1, RATE / 2, 60)).isBetween(9, 12); // 120 t < 240 (t - 5)
    }

    /// Checks how long a client may take nothing. One that has got 65,535 bytes before the window of its
    /// connection was used up reads them meanwhile, so it can only stall.
    private static void assertLate(Place place, int seconds) {
        boolean mayStall = place == Place.CONNECTION;
        assertThat(seconds).isBetween(mayStall ? 28 : 5, mayStall ? 32 : 7);
    }

    @ParameterizedTest
    @EnumSource
    void earlierContentGivesNoCredit(Place place) {
        Client client = new Client(place, 100).post(1, "/");
        client.upload(1, 10_000, 4);
        assertLate(place, client.upload(1, 1, 60));
    }

    @ParameterizedTest
    @EnumSource
    void contentThatNoHandlerTakesDoesNotCount(Place place) {
        Client client = new Client(place, 100).post(1, "/held");
        assertLate(place, client.upload(1, 1000, 60));
    }

    @ParameterizedTest
    @EnumSource
    void contentThatAHandlerDropsCounts(Place place) {
        Client client = new Client(place, 100).post(1, "/held");
        held.getFirst().content().discard(Long.MAX_VALUE);
        held.getFirst().response().end(Fields.EMPTY);
        assertThat(client.upload(1, RATE, 60)).isEqualTo(60);
    }

    @ParameterizedTest
    @EnumSource
    void contentOfALaterRequestDoesNotCount(Place place) {
        boolean inOrder = place == Place.HTTP1; // which needs room for the second answer
        Client client = new Client(place, 100).get(1, inOrder ? "/small" : "/get").post(3, "/");
        assertLate(place, client.upload(3, 1000, 60));
    }

    /// The answers are in order, so the content counts from the end of the first one.
    @Test
    void contentCountsAfterTheAnswersBeforeWereTaken() {
        Client client = new Client(Place.HTTP1, 100).post(1, "/small");
        client.send(1, 20_000); // more than the second request has
        client.end(1);
        client.post(3, "/");
        client.upload(3, RATE, 3);
        client.socket.window(1300);
        assertThat(client.upload(3, RATE, 60)).isEqualTo(60);
        client.end(3);
        assertThat(client.idle()).isBetween(5, 12);
    }

    /// A client must read to be allowed more content.
    @Test
    void contentDoesNotCountWhileTheSocketOfHttp2IsFull() {
        Client client = new Client(Place.STREAM, 1 << 20);
        client.socket.window(100);
        client.post(1, "/some");
        assertThat(client.upload(1, 1000, 60)).isBetween(5, 7);
        assertThat(server.lastReceived()).isGreaterThan(4000);
    }

    @ParameterizedTest
    @EnumSource
    void bytesOfATunnelAreNoContent(Place place) {
        Client client = new Client(place, 200);
        if (place == Place.HTTP1) {
            client.socket.send(
                    "GET /tunnel HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n");
        } else {
            String head = ":method CONNECT|:protocol echo|:scheme http|:path /tunnel|:authority a";
            byte[] block = Http2Peer.block(head);
            client.frames.frame(Http2Peer.HEADERS, Http2Peer.END_HEADERS, 1, block);
        }
        server.run();
        assertLate(place, client.upload(1, 1000, 60));
    }
}
