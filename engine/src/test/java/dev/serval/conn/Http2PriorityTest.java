package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks the order in which the responses of a connection are sent (RFC 9218). Each response has two
/// frames of content.
final class Http2PriorityTest {
    private static final byte[] CONTENT = new byte[20_000];
    private static final String UPDATE_OF_5 = "00000005" + "753d30"; // u=0
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final String IGNORES_FORMER = "000900000001"; // SETTINGS_NO_RFC7540_PRIORITIES

    /// Answers, with the path without its slash as the field Priority.
    private static final Handler HANDLER =
            x -> {
                String path = x.request().target().text().substring(1);
                Fields fields = path.isEmpty() ? Fields.EMPTY : Fields.of(FieldName.PRIORITY, path);
                x.response()
                        .send(
                                new ResponseHead(Status.OK, fields, CONTENT.length),
                                Body.Bytes.of(CONTENT));
            };

    private static MemoryServer server() {
        return MemoryServer.of(HANDLER, Limits.DEFAULT, new Http(Leniency.defaults()));
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.read();
        return peer;
    }

    private static void ask(Http2Peer peer, int stream, String priority) {
        byte[] head = Http2Peer.head("GET", "/");
        byte[] more = Http2Peer.block(priority.isEmpty() ? "" : "priority " + priority);
        byte[] all = Arrays.copyOf(head, head.length + more.length);
        System.arraycopy(more, 0, all, head.length, more.length);
        peer.frame(Http2Peer.HEADERS, 5, stream, all);
    }

    private static void update(Http2Peer peer, String hex) {
        peer.frame(Http2Peer.PRIORITY_UPDATE, 0, 0, hex);
    }

    /// Returns the streams of the frames of content that arrive.
    private static List<Integer> order(Http2Peer peer) {
        return peer.answers()
                .lines()
                .filter(line -> line.startsWith("DATA"))
                .map(line -> Integer.valueOf(line.split(" ", -1)[1]))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "urgency, 'u=5', 'u=0', 'u=2', 3 3 5 5 1 1",
        "one after the other, 'u=1', 'u=1', 'u=1', 1 1 3 3 5 5",
        "the usual urgency is 3, 'u=4', '', 'u=2', 5 5 3 3 1 1",
        "in turn, 'i', 'i', 'i', 1 3 5 1 3 5",
        "both, '', 'i', 'u=3', 5 1 5 3 1 3",
        "no signals, '', '', '', 1 3 5 1 3 5"
    })
    void fieldSaysTheOrder(String what, String first, String second, String third, String order) {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server);
            ask(peer, 1, first);
            ask(peer, 3, second);
            ask(peer, 5, third);
            assertThat(order(peer))
                    .as(what)
                    .containsExactlyElementsOf(
                            Arrays.stream(order.split(" ", -1)).map(Integer::valueOf).toList());
        }
    }

    /// Such a client means the usual priority where it says nothing.
    @Test
    void settingIsASignal() {
        try (MemoryServer server = server()) {
            Http2Peer peer = new Http2Peer(new MemoryWire(server)).text(PREFACE);
            peer.frame(Http2Peer.SETTINGS, 0, 0, IGNORES_FORMER);
            assertThat(order(peer.get(1, "/").get(3, "/"))).containsExactly(1, 1, 3, 3);
        }
    }

    /// RFC 9218 §2.1.
    @ParameterizedTest
    @CsvSource({
        "'', 000900000001, false",
        "000900000001, 000900000000, false",
        "'', 000900000000, true",
        "000900000001, 000900000001, true",
        "000900000000000900000001, '', true"
    })
    void settingMustNotChangeAfterTheFirstFrame(String first, String second, boolean right) {
        try (MemoryServer server = server()) {
            Http2Peer peer = new Http2Peer(new MemoryWire(server)).text(PREFACE);
            peer.frame(Http2Peer.SETTINGS, 0, 0, first);
            assertThat(peer.answers()).isEmpty();
            peer.frame(Http2Peer.SETTINGS, 0, 0, second);
            assertThat(peer.answers()).isEqualTo(right ? "" : "GOAWAY 0 PROTOCOL_ERROR\nEND\n");
        }
    }

    @Test
    void severalFieldsAreOne() {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server).get(1, "/");
            ask(peer, 3, "u=2, i|priority u=4");
            assertThat(order(peer)).containsExactly(1, 1, 3, 3);
        }
    }

    @Test
    void frameMayComeBeforeItsRequest() {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server);
            update(peer, UPDATE_OF_5);
            ask(peer, 1, "u=1");
            ask(peer, 3, "u=2");
            ask(peer, 5, "u=7"); // the frame counts
            assertThat(order(peer)).containsExactly(5, 5, 1, 1, 3, 3);
        }
    }

    @Test
    void frameMayComeWhileTheResponseWaitsForItsTurn() {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server);
            ask(peer, 1, "u=1");
            ask(peer, 3, "u=2");
            ask(peer, 5, "u=7");
            update(peer, UPDATE_OF_5);
            assertThat(order(peer)).containsExactly(5, 5, 1, 1, 3, 3);
        }
    }

    @Test
    void frameMayComeWhileTheResponseWaitsForTheWindow() {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server);
            for (int stream = 1; stream <= 9; stream += 2) {
                ask(peer, stream, "");
            }
            assertThat(order(peer)).startsWith(1, 3, 5, 7).doesNotContain(9);
            peer.read();
            update(peer, "00000009" + "753d30");
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00100000");
            assertThat(order(peer)).startsWith(9, 9);
        }
    }

    /// The next request is carried by the same object.
    @Test
    void resetStreamHasNoTurn() {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server);
            ask(peer, 1, "u=0");
            peer.frame(Http2Peer.RST_STREAM, 0, 1, "00000008");
            ask(peer, 3, "u=7");
            ask(peer, 5, "u=3");
            assertThat(order(peer)).containsExactly(5, 5, 3, 3);
        }
    }

    @Test
    void frameForAStreamThatIsOverHasNoEffect() {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server).get(1, "/");
            assertThat(order(peer)).containsExactly(1, 1);
            update(peer, "00000001753d30");
            assertThat(peer.answers()).isEmpty();
        }
    }

    @ParameterizedTest(name = "RFC 9218 §7.1: {0}")
    @CsvSource({"no stream, 00000000", "a stream of the server, 00000002"})
    void frameMustNameAStreamOfTheClient(String what, String stream) {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server);
            update(peer, stream + "753d30");
            assertThat(peer.answers()).as(what).isEqualTo("GOAWAY 0 PROTOCOL_ERROR\nEND\n");
        }
    }

    /// RFC 9218 §8
    @Test
    void handlerMayChangeThePriority() {
        try (MemoryServer server = server()) {
            Http2Peer peer = peer(server).get(1, "/").get(3, "/u=2").get(5, "/u=1,i=?0");
            assertThat(order(peer)).containsExactly(5, 5, 3, 3, 1, 1);
        }
    }
}
