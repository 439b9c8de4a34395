package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.loop.Deadline;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks how streams end after an early answer, and connections after the client's GOAWAY.
final class Http2EndTest {
    private static MemoryServer server(Handler handler, Limits limits) {
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static MemoryServer server(Handler handler) {
        return server(handler, Limits.DEFAULT);
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.read();
        return peer;
    }

    private static String hello(int stream) {
        return "HEADERS %d :status=200 content-length=5\nDATA %d 5 end hello\n"
                .formatted(stream, stream);
    }

    /// RFC 9113 §8.1: a reset asks the client to stop, but it may drop what it has not read then.
    @Test
    void earlyAnswerIsFollowedByAResetOnlyAfterAWhile() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).post(1, "/", "");
            assertThat(peer.answers()).isEqualTo(hello(1));
            server.pass(Duration.ofMillis(1900));
            assertThat(peer.data(1, "still sent", false).answers()).isEmpty();
            server.pass(Duration.ofMillis(200));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 NO_ERROR\n");
            assertThat(peer.get(3, "/").answers()).isEqualTo(hello(3));
        }
    }

    /// The wait begins anew, though the streams are the same object.
    @Test
    void eachStreamHasAWaitOfItsOwn() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server);
            for (int stream = 1; stream <= 3; stream += 2) {
                peer.post(stream, "/", "");
                assertThat(peer.answers()).isEqualTo(hello(stream));
                server.pass(Duration.ofMillis(1900));
                assertThat(peer.answers()).isEmpty();
                server.pass(Duration.ofMillis(200));
                assertThat(peer.answers()).isEqualTo("RST_STREAM " + stream + " NO_ERROR\n");
            }
        }
    }

    @Test
    void clientThatEndsItsContentAfterTheAnswerGetsNoReset() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).post(1, "/", "content-length 4");
            assertThat(peer.answers()).isEqualTo(hello(1));
            assertThat(peer.data(1, "late", true).answers()).isEmpty();
            server.pass(Duration.ofSeconds(3));
            assertThat(peer.answers()).isEmpty();
            assertThat(peer.get(3, "/").answers()).isEqualTo(hello(3));
        }
    }

    @Test
    void clientThatResetsAfterTheAnswerIsNotBlamed() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).post(1, "/", "");
            assertThat(peer.answers()).isEqualTo(hello(1));
            peer.frame(Http2Peer.RST_STREAM, 0, 1, "00000008");
            assertThat(peer.answers()).isEmpty();
            assertThat(server.count(Counter.PEERS_GONE)).isZero();
        }
    }

    @Test
    void contentAfterTheAnswerMustHaveItsAnnouncedLength() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).post(1, "/", "content-length 3");
            assertThat(peer.answers()).isEqualTo(hello(1));
            assertThat(peer.data(1, "late", true).answers())
                    .isEqualTo("RST_STREAM 1 PROTOCOL_ERROR\n");
        }
    }

    /// The stream's window is opened for as much as HTTP/1.1 drops; that of the connection always.
    @Test
    void droppedContentHasALimit() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.discardMaxBytes = 40_000);
        try (MemoryServer server = server(Answers.greeting(), limits)) {
            Http2Peer peer = peer(server).post(1, "/", "");
            peer.read();
            String piece = "x".repeat(16_384);
            peer.data(1, piece, false).data(1, piece, false);
            assertThat(peer.read()).contains("WINDOW_UPDATE 1 ");
            peer.data(1, piece, false).data(1, piece, false).data(1, piece, false);
            assertThat(peer.read()).contains("WINDOW_UPDATE 0 ").doesNotContain("WINDOW_UPDATE 1");
        }
    }

    /// The end of the input is that of all content.
    @Test
    void endOfTheInputEndsTheWait() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).post(1, "/", "");
            assertThat(peer.answers()).isEqualTo(hello(1));
            peer.end();
            assertThat(peer.answers()).endsWith("END\n");
        }
    }

    /// Nothing waits for the rest of a head that cannot come.
    @Test
    void endOfTheInputWithinAHeadClosesTheConnection() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).frame(Http2Peer.HEADERS, 0, 1, "82");
            assertThat(peer.answers()).isEmpty();
            peer.end();
            assertThat(peer.answers()).isEqualTo("END\n");
        }
    }

    /// RFC 9113 §6.8
    @Test
    void streamsInFlightFinishAfterTheClientsGoAway() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).get(1, "/").post(3, "/", "content-length 2");
            peer.frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            assertThat(peer.answers()).isEqualTo("GOAWAY 3 NO_ERROR\n");
            Answers.say(held.get(0), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(1));
            peer.data(3, "ab", true);
            Answers.say(held.get(1), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(3) + "END\n");
        }
    }

    @Test
    void clientsGoAwayClosesAConnectionWithoutStreams() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).get(1, "/");
            assertThat(peer.answers()).isEqualTo(hello(1));
            peer.frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            assertThat(peer.answers()).isEqualTo("GOAWAY 1 NO_ERROR\nEND\n");
        }
    }

    /// A client that still sends what it must, such as WINDOW_UPDATE, reads the last response to its end:
    /// a close would reset the connection.
    @Test
    void lastResponseIsNotCutOffByWhatTheClientSends() {
        try (MemoryServer server = server(Answers.greeting())) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.read();
            peer.get(1, "/").frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            assertThat(peer.answers()).isEqualTo("GOAWAY 1 NO_ERROR\n" + hello(1) + "END\n");
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00000005");
            server.run();
            assertThat(wire.peer().isClosed()).isFalse();
            assertThat(wire.peer().sawReset()).isFalse();
            wire.end();
            server.run();
            assertThat(wire.peer().isClosed()).isTrue();
            assertThat(wire.peer().sawReset()).isFalse();
        }
    }

    /// One that neither sends nor ends is not waited for.
    @Test
    void silentClientIsNotWaitedForAfterTheEnd() {
        try (MemoryServer server = server(Answers.greeting())) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.get(1, "/").frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            assertThat(peer.answers()).endsWith("END\n");
            server.pass(Duration.ofMillis(2100));
            assertThat(wire.peer().isClosed()).isTrue();
        }
    }

    /// RFC 9113 §6.8: it has begun when the server already drained.
    @Test
    void connectionThatBeginsDuringADrainEndsAfterItsRequest() {
        try (MemoryServer server = server(Answers.greeting())) {
            MemoryWire wire = new MemoryWire(server);
            server.run();
            server.drain();
            Http2Peer peer = new Http2Peer(wire).begin().get(1, "/");
            String answers = peer.answers();
            assertThat(answers).contains("GOAWAY 2147483647 NO_ERROR\n").contains(hello(1));
            peer.frame(Http2Peer.PING, Http2Peer.ACK, 0, "53657276616c0001");
            assertThat(peer.answers()).isEqualTo("GOAWAY 1 NO_ERROR\nEND\n");
        }
    }

    /// RFC 9113 §6.8: the rest of a request that came too late is ignored, and the last stream that is
    /// served never rises.
    @Test
    void requestAfterTheEndDisturbsNoOther() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).get(1, "/").get(3, "/");
            peer.frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            assertThat(peer.answers()).isEqualTo("GOAWAY 3 NO_ERROR\n");
            peer.post(5, "/", "").data(5, "late", false);
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 5, "00000001");
            peer.frame(Http2Peer.RST_STREAM, 0, 5, "00000008");
            assertThat(peer.answers()).isEqualTo("RST_STREAM 5 REFUSED_STREAM\n");
            Answers.say(held.getFirst(), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(1));
            peer.frame(Http2Peer.PING, 0, 1, "0000000000000000");
            assertThat(peer.answers()).isEqualTo("GOAWAY 3 PROTOCOL_ERROR\nEND\n");
        }
    }

    /// Only the answer to our own ping ends the first step.
    @Test
    void otherPingDoesNotEndTheDrain() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).get(1, "/");
            peer.read();
            server.drain();
            assertThat(peer.answers()).startsWith("GOAWAY 2147483647 NO_ERROR\n");
            peer.frame(Http2Peer.PING, Http2Peer.ACK, 0, "0000000000000000");
            assertThat(peer.answers()).isEmpty();
        }
    }

    /// The client leaves between the two steps of our own end.
    @Test
    void clientsGoAwayShortensTheDrain() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).get(1, "/");
            peer.read();
            server.drain();
            assertThat(peer.answers()).startsWith("GOAWAY 2147483647 NO_ERROR\n");
            peer.frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            assertThat(peer.answers()).isEqualTo("GOAWAY 1 NO_ERROR\n");
            Answers.say(held.getFirst(), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(1) + "END\n");
        }
    }

    /// Each time, the client sends the rest of a ping and the beginning of the next one.
    @Test
    void pingsThatOverlapDoNotProlongTheIdleTime() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).get(1, "/");
            peer.read();
            peer.text("\0");
            int sent = 0;
            String seen = "";
            while (!seen.contains("GOAWAY") && sent < 20) {
                server.pass(Duration.ofSeconds(9));
                peer.text("\0\10\6\0\0\0\0\0" + "12345678" + "\0");
                seen = peer.answers();
                sent++;
            }
            assertThat(seen).contains("GOAWAY 1 NO_ERROR\n");
            assertThat(sent).isEqualTo(10); // 75 s, and 10 s for the last frame
        }
    }

    /// The client's handshake is complete, and its first request is on its way.
    @Test
    void requestOfANewConnectionIsServedDuringADrain() {
        Protocol protocol = TlsWire.over(new Http(Leniency.defaults()));
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), Limits.DEFAULT, protocol)) {
            TlsWire wire = TlsWire.connect(new MemoryWire(server), "h2");
            Http2Peer peer = new Http2Peer(wire);
            assertThat(peer.answers()).isEmpty();
            server.drain();
            server.run();
            peer.begin().get(1, "/");
            assertThat(peer.answers())
                    .contains("GOAWAY 2147483647 NO_ERROR\n", "DATA 1 5 end hello\n");
        }
    }

    @Test
    void newConnectionThatIsSilentDuringADrainIsClosed() {
        Protocol protocol = TlsWire.over(new Http(Leniency.defaults()));
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), Limits.DEFAULT, protocol)) {
            TlsWire wire = TlsWire.connect(new MemoryWire(server), "h2");
            Http2Peer peer = new Http2Peer(wire);
            assertThat(peer.answers()).isEmpty();
            server.drain();
            server.pass(Duration.ofNanos(Limits.DEFAULT.pace().lastRequestNanos()).plusMillis(100));
            assertThat(peer.read()).isEqualTo("END\n");
        }
    }

    /// RFC 9113 §3.4: our settings are the first frame, or there is none.
    @Test
    void connectionWhosePrefaceDoesNotComeEndsWithoutAFrame() {
        Protocol protocol = TlsWire.over(new Http(Leniency.defaults()));
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), Limits.DEFAULT, protocol)) {
            TlsWire wire = TlsWire.connect(new MemoryWire(server), "h2");
            Http2Peer peer = new Http2Peer(wire).text("PRI * HTTP/2.0\r\n");
            assertThat(peer.answers()).isEmpty();
            server.pass(Duration.ofSeconds(11));
            assertThat(peer.read()).isEqualTo("END\n");
        }
    }

    /// A request is in progress.
    @Test
    void pingsThatOverlapDoNotEndABusyConnection() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).get(1, "/");
            peer.read();
            peer.text("\0");
            for (int i = 0; i < 12; i++) {
                server.pass(Duration.ofSeconds(9));
                peer.text("\0\10\6\0\0\0\0\0" + "12345678" + "\0");
                assertThat(peer.answers()).isEqualTo("PING ack 3132333435363738\n");
            }
            Answers.say(held.getFirst(), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(1));
        }
    }

    /// As one of HTTP/1.1 does, because the client may read only after it has sent all.
    @Test
    void lingersWhileTheClientSendsAtAGoodPace() {
        try (MemoryServer server = server(Answers.greeting())) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.frame(Http2Peer.PING, 0, 1, "0000000000000000");
            assertThat(peer.answers()).isEqualTo("GOAWAY 0 PROTOCOL_ERROR\nEND\n");
            for (int second = 0; second < 10; second++) {
                wire.peer().send(new byte[40_000]);
                server.pass(Duration.ofSeconds(1));
                assertThat(wire.peer().isClosed()).isFalse();
            }
            server.pass(Duration.ofSeconds(4));
            assertThat(wire.peer().isClosed()).isTrue();
        }
    }

    /// The preface arrives after the loop has looked for input. One that has begun long before is late.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void prefaceThatComesJustBeforeTheEndOfADrainIsServed(boolean whole) {
        Protocol protocol = TlsWire.over(new Http(Leniency.defaults()));
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), Limits.DEFAULT, protocol)) {
            TlsWire wire = TlsWire.connect(new MemoryWire(server), "h2");
            Http2Peer peer = new Http2Peer(wire);
            String begun = whole ? "" : "PRI * HTTP/2.0\r\n\r\nSM";
            peer.text(begun);
            assertThat(peer.answers()).isEmpty();
            server.drain();
            long wait = Limits.DEFAULT.pace().lastRequestNanos();
            server.pass(Duration.ofNanos(wait).minusMillis(100));
            Deadline late = new Deadline(() -> rest(peer, whole).get(1, "/"));
            server.net().loop().timers().set(late, server.now() + 50_000_000);
            server.advance(150_000_000);
            server.run();
            assertThat(peer.answers().contains("DATA 1 5 end hello\n")).isEqualTo(whole);
        }
    }

    private static Http2Peer rest(Http2Peer peer, boolean whole) {
        return whole ? peer.begin() : peer.text("\r\n\r\n").frame(Http2Peer.SETTINGS, 0, 0, "");
    }
}
