package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Checks what counts for the pace of one HTTP/2 stream and for that of all streams of its connection
/// together. A stream is late only if both are below the minimum rate, which is 240 bytes a second for
/// each stream after 5 s.
final class Http2SharedPaceTest {
    private static final String NO_WINDOW = "000400000000";
    private static final int SOME = 200; // bytes a second: enough for 30 s of one stream
    private static final int ENOUGH = 440; // for 60 s of two streams

    private static final int WINDOW = 65_535;

    private final List<Exchange> held = new ArrayList<>();

    /// Holds requests for `/held`, answers `/post` after all content, and others with much content.
    private final Handler handler =
            x -> {
                switch (x.request().target().text()) {
                    case "/held" -> Answers.holding(held).handle(x);
                    case "/post" -> Answers.counting(new ArrayList<>()).handle(x);
                    default -> Answers.say(x, "x".repeat(60_000));
                }
            };

    /// 64 KiB of content that no handler reads fill the window of the connection.
    private final MemoryServer server =
            MemoryServer.of(
                    handler,
                    Limits.DEFAULT.with(draft -> {
                        draft.http2.streamWindowBytes = WINDOW;
                        draft.http2.connectionWindowBytes = WINDOW;
                    }),
                    new Http(Leniency.defaults()));

    private Http2Peer peer() {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
        open(peer, 0, 1 << 20);
        peer.read();
        return peer;
    }

    private static void open(Http2Peer peer, int stream, int bytes) {
        peer.frame(Http2Peer.WINDOW_UPDATE, 0, stream, "%08x".formatted(bytes));
    }

    /// Lets a stream wait almost too long, and resets it. The next stream is the same object.
    private void waitInVain(Http2Peer peer) {
        peer.read();
        server.pass(Duration.ofSeconds(4));
        peer.frame(Http2Peer.RST_STREAM, 0, 1, "00000008");
        peer.read();
    }

    /// Acts each second.
    ///
    /// @return the frames that arrived
    private String eachSecond(Http2Peer peer, int seconds, Runnable act) {
        StringBuilder frames = new StringBuilder();
        for (int second = 0; second < seconds; second++) {
            act.run();
            frames.append(peer.answers());
            server.pass(Duration.ofSeconds(1));
        }
        return frames.append(peer.answers()).toString();
    }

    @Test
    void graceOfAResponseBeginsAnew() {
        try (server) {
            Http2Peer peer = peer().get(1, "/");
            waitInVain(peer);
            peer.get(3, "/").get(5, "/held");
            assertThat(eachSecond(peer, 20, () -> open(peer, 3, SOME)))
                    .contains("DATA 3 200 ")
                    .doesNotContain("RST_STREAM");
        }
    }

    @Test
    void graceOfAllResponsesBeginsAnew() {
        try (server) {
            Http2Peer peer = peer().get(1, "/");
            waitInVain(peer);
            peer.get(3, "/").get(5, "/");
            assertThat(eachSecond(peer, 27, () -> open(peer, 5, ENOUGH)))
                    .contains("DATA 5 440 ")
                    .doesNotContain("RST_STREAM");
        }
    }

    @Test
    void graceOfContentBeginsAnew() {
        try (server) {
            Http2Peer peer = peer().post(1, "/post", "");
            waitInVain(peer);
            peer.post(3, "/post", "").get(5, "/held");
            String some = "x".repeat(SOME);
            assertThat(eachSecond(peer, 20, () -> peer.data(3, some, false))).isEmpty();
        }
    }

    @Test
    void graceOfAllContentBeginsAnew() {
        try (server) {
            Http2Peer peer = peer().post(1, "/post", "");
            waitInVain(peer);
            peer.post(3, "/post", "").post(5, "/post", "");
            String enough = "x".repeat(ENOUGH);
            assertThat(eachSecond(peer, 27, () -> peer.data(5, enough, false))).isEmpty();
        }
    }

    @Test
    void timeInWhichAHandlerIsSilentCountsForNoResponse() {
        try (server) {
            Http2Peer peer = peer().get(3, "/held");
            peer.read();
            Exchange x = held.getFirst();
            x.response()
                    .head(new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH));
            x.response().write(Body.Bytes.of(Answers.bytes("hello")));
            server.pass(Duration.ofSeconds(1));
            open(peer, 3, 5);
            assertThat(peer.answers()).endsWith("DATA 3 5 hello\n");
            server.pass(Duration.ofSeconds(30));
            x.response().write(Body.Bytes.of(new byte[60_000]));
            peer.get(5, "/");
            assertThat(eachSecond(peer, 12, () -> open(peer, 5, ENOUGH)))
                    .contains("DATA 5 440 ")
                    .doesNotContain("RST_STREAM");
        }
    }

    @Test
    void timeInWhichAHandlerDoesNotReadCountsForNoContent() {
        try (server) {
            Http2Peer peer = peer().post(3, "/held", "");
            peer.read();
            server.pass(Duration.ofSeconds(1));
            peer.data(3, "a", false);
            peer.read();
            server.pass(Duration.ofSeconds(30));
            Exchange x = held.getFirst();
            assertThat(x.content().read(ByteBuffer.allocate(9))).isEqualTo(1);
            x.content().onReadable(() -> {});
            peer.post(5, "/post", "");
            String enough = "x".repeat(ENOUGH);
            assertThat(eachSecond(peer, 12, () -> peer.data(5, enough, false))).isEmpty();
        }
    }

    /// The first bytes would be enough for minutes.
    @Test
    void responseThatStallsIsLateAfterTheStall() {
        try (server) {
            Http2Peer peer = peer().get(3, "/");
            peer.read();
            server.pass(Duration.ofSeconds(1));
            open(peer, 3, 30_000);
            peer.read();
            server.pass(Duration.ofSeconds(33));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 3 CANCEL\n");
        }
    }

    /// The bytes of the other stream would be enough for a while longer.
    @Test
    void contentThatStallsIsLateAfterTheStall() {
        try (server) {
            Http2Peer peer = peer().post(3, "/post", "").post(5, "/post", "");
            peer.read();
            server.pass(Duration.ofSeconds(4));
            String much = "x".repeat(10_000);
            peer.data(5, much, false).data(5, much, false);
            server.pass(Duration.ofSeconds(29));
            assertThat(peer.answers()).isEmpty();
            server.pass(Duration.ofSeconds(4));
            assertThat(peer.answers()).contains("HEADERS 3 :status=408");
        }
    }

    /// Stream 3 waits for content, which the client may not send until stream 1 was read.
    private Http2Peer afterTheWindowWasUsedUp() {
        Http2Peer peer = peer().post(1, "/held", "").post(3, "/post", "");
        for (int left = WINDOW; left > 0; left -= 13_107) {
            peer.data(1, "x".repeat(13_107), false);
        }
        peer.read();
        for (int i = 0; i < 8; i++) {
            server.pass(Duration.ofSeconds(30));
            peer.frame(Http2Peer.PING, 0, 0, "0000000000000001"); // the client is there
            assertThat(peer.answers()).doesNotContain("HEADERS").doesNotContain("RESET");
        }
        held.getFirst().content().discard(Long.MAX_VALUE);
        peer.read();
        return peer;
    }

    @Test
    void timeWithoutAWindowCountsForNoContent() {
        try (server) {
            Http2Peer peer = afterTheWindowWasUsedUp();
            String some = "x".repeat(SOME);
            assertThat(eachSecond(peer, 20, () -> peer.data(3, some, false))).isEmpty();
        }
    }

    @Test
    void timeWithoutAWindowCountsNotForAllContent() {
        try (server) {
            Http2Peer peer = afterTheWindowWasUsedUp();
            String enough = "x".repeat(ENOUGH);
            assertThat(eachSecond(peer, 20, () -> peer.data(1, enough, false))).isEmpty();
        }
    }

    @Test
    void contentMustComeAfterTheWindowWasOpened() {
        try (server) {
            Http2Peer peer = afterTheWindowWasUsedUp();
            server.pass(Duration.ofSeconds(7));
            assertThat(peer.answers()).startsWith("HEADERS 3 :status=408");
        }
    }

    /// The handler does not end its exchange.
    @Test
    void lateContentIsCountedOnce() {
        try (server) {
            Http2Peer peer = peer().post(1, "/held", "");
            peer.read();
            server.pass(Duration.ofSeconds(40));
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
        }
    }
}
