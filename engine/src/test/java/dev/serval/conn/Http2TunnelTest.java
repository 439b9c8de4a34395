package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.testkit.Http2Peer;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Checks extended CONNECT (RFC 8441) frame by frame. `TunnelContractTest` has what tunnels do.
final class Http2TunnelTest {
    /// Sends back what it reads from the tunnel, unless it begins with an F.
    private static final Handler ECHO =
            Handler.ofConnect(
                    x -> {
                        if (x.tunnel() instanceof TunnelRequest.ByConnect asked) {
                            assertThat(asked.protocol()).isEqualTo("websocket");
                            echo(
                                    x.upgrade(
                                            new ResponseHead(
                                                    Status.OK,
                                                    Fields.EMPTY,
                                                    ResponseHead.UNKNOWN_LENGTH)));
                        } else {
                            Answers.say(x, "hello");
                        }
                    },
                    "websocket");

    private static void echo(Duplex tunnel) {
        ByteBuffer bytes = ByteBuffer.allocate(100);
        int n = tunnel.read(bytes);
        if (n > 0 && bytes.get(0) == 'F') {
            tunnel.close(Fault.APPLICATION);
            return;
        }
        if (n > 0) {
            tunnel.write(new Body.Bytes(bytes.flip(), null));
        }
        if (n == Source.END) {
            tunnel.close(Fault.SHUTDOWN);
        } else {
            tunnel.onReadable(() -> echo(tunnel));
        }
    }

    private static MemoryServer server(Handler handler) {
        return MemoryServer.of(handler, Limits.DEFAULT, new Http(Leniency.defaults()));
    }

    private static Http2Peer connect(Http2Peer peer, int stream, String protocol) {
        return peer.frame(
                Http2Peer.HEADERS,
                Http2Peer.END_HEADERS,
                stream,
                Http2Peer.block(
                        ":method CONNECT|:protocol "
                                + protocol
                                + "|:scheme http|:path /chat|:authority test"));
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.read();
        return peer;
    }

    /// RFC 9113 §8.5
    @Test
    void fieldsInATunnelAreAFault() {
        try (MemoryServer server = server(ECHO)) {
            Http2Peer peer = connect(peer(server), 1, "websocket");
            assertThat(peer.answers()).isEqualTo("HEADERS 1 :status=200\n");
            peer.frame(
                    Http2Peer.HEADERS,
                    Http2Peer.END_HEADERS | Http2Peer.END_STREAM,
                    1,
                    Http2Peer.block("x-a b"));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 PROTOCOL_ERROR\n");
            assertThat(peer.get(3, "/").answers()).contains("hello");
        }
    }

    @Test
    void tunnelIsOpenedAndCarriesBytes() {
        try (MemoryServer server = server(ECHO)) {
            Http2Peer peer = connect(peer(server), 1, "websocket");
            assertThat(peer.answers()).isEqualTo("HEADERS 1 :status=200\n");
            assertThat(peer.data(1, "ping", false).answers()).isEqualTo("DATA 1 4 ping\n");
            assertThat(peer.get(3, "/").answers()).contains("hello");
            assertThat(peer.data(1, "", true).answers()).isEqualTo("DATA 1 0 end \n");
        }
    }

    @Test
    void tunnelThatFailsIsReset() {
        try (MemoryServer server = server(ECHO)) {
            Http2Peer peer = connect(peer(server), 1, "websocket");
            peer.read();
            assertThat(peer.data(1, "Fail", false).answers())
                    .isEqualTo("RST_STREAM 1 INTERNAL_ERROR\n");
            assertThat(peer.get(3, "/").answers()).contains("hello");
        }
    }

    @Test
    void otherProtocolsAreNotImplemented() {
        try (MemoryServer server = server(ECHO)) {
            assertThat(connect(peer(server), 1, "chat").answers())
                    .startsWith("HEADERS 1 :status=501 ");
        }
    }

    /// Without the setting, `:protocol` is a pseudo-header field like any unknown one.
    @Test
    void protocolIsMalformedIfNoHandlerTakesOne() {
        try (MemoryServer server = server(Answers.greeting())) {
            assertThat(connect(peer(server), 1, "websocket").answers())
                    .isEqualTo("RST_STREAM 1 PROTOCOL_ERROR\n");
        }
    }

    @Test
    void settingIsSentOnlyIfAHandlerTakesAProtocol() {
        try (MemoryServer server = server(ECHO)) {
            assertThat(settings(server)).contains("8=1");
        }
        try (MemoryServer server = server(Answers.greeting())) {
            assertThat(settings(server)).contains("9=1").doesNotContain("8=");
        }
    }

    private static String settings(MemoryServer server) {
        return new Http2Peer(new MemoryWire(server)).begin().showingSettings().read();
    }

    @Test
    void routerHasTheProtocolsOfAllMounts() {
        RouteTable table =
                RouteTable.builder()
                        .mount("/", Answers.greeting())
                        .mount("/chat", Answers.greeting(), ECHO)
                        .mount(
                                "other.example",
                                "/",
                                Handler.ofEveryMethod(
                                        Handler.ofConnect(Answers.greeting(), "other")))
                        .build();
        assertThat(new Router(table).connectProtocols()).isEqualTo(Set.of("websocket", "other"));
    }
}
