package dev.serval.gateway.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.gateway.spool.SpoolLimits;
import dev.serval.gateway.spool.SpoolQuota;
import dev.serval.handler.ErrorDocument;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.mode.InMode;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Error answers of applications, in place of which the mount answers with its own pages.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@EveryMode
final class InterceptionTest {
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");
    private static final Step OK = Step.Send.of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    private static final Step NOT_FOUND =
            Step.Send.of("HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\nX-Own: 1\r\n\r\nown");

    /// A server with a neighbour at `/app`, whose errors 401, 404, 426 and 503 have the page `/page`.
    private record Front(Serval server, OpenNeighbour neighbour) implements AutoCloseable {
        static Front of(boolean intercepts, String address) throws IOException {
            NeighbourSyntax.Right read = (NeighbourSyntax.Right) NeighbourSyntax.read(address);
            Map<String, OpenNeighbour> all =
                    OpenNeighbour.open(
                            Map.of("/app", read.neighbour()), new SpoolQuota(SpoolLimits.DEFAULT));
            OpenNeighbour open = Objects.requireNonNull(all.get("/app"));
            ErrorDocument page = new ErrorDocument.Internal("/page");
            MountSettings settings =
                    MountSettings.NONE.with(draft -> {
                        draft.errors = Map.of(401, page, 404, page, 426, page, 503, page);
                        draft.interceptsErrors = intercepts;
                    });
            Serval server =
                    InMode.start(
                            Serval.builder()
                                    .listen(InMode.listener())
                                    .withoutFlagWarning()
                                    .host(
                                            "*",
                                            "/app",
                                            settings,
                                            open.chain().toArray(Handler[]::new))
                                    .get("/page", x -> x.text("page")));
            return new Front(server, open);
        }

        RawResponse ask(RawClient client, String method) {
            client.send(method + " /app/x HTTP/1.1\r\nHost: h\r\n\r\n");
            return client.answer(method);
        }

        RawClient client() {
            return RawClient.connect(server.addresses().getFirst());
        }

        @Override
        public void close() {
            neighbour.close();
            server.close();
        }
    }

    private static String http(ScriptedPeer peer) {
        return "http://127.0.0.1:" + peer.address().getPort();
    }

    @Test
    void pageComesBeforeAFile() throws IOException {
        Step named =
                Step.Send.of(
                        "HTTP/1.1 404 No\r\nX-Accel-Redirect: /a\r\nContent-Length: 0\r\n\r\n");
        try (TempTree tree = TempTree.create()) {
            tree.file("a", "the file");
            try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, named);
                    Front front = Front.of(true, http(peer) + "?send=" + tree.root());
                    RawClient client = front.client()) {
                assertThat(front.ask(client, "GET").text()).isEqualTo("page");
            }
        }
    }

    @Test
    void pageOfTheMountAnswersAndTheConnectionStays() throws Exception {
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                HEAD,
                                NOT_FOUND,
                                HEAD,
                                OK,
                                HEAD,
                                NOT_FOUND,
                                new Step.ReadToClose());
                Front front = Front.of(true, http(peer));
                RawClient client = front.client()) {
            RawResponse replaced = front.ask(client, "GET");
            assertThat(replaced.status()).isEqualTo(404);
            assertThat(replaced.text()).isEqualTo("page");
            assertThat(replaced.field("X-Own")).isNull();
            assertThat(front.ask(client, "GET").text()).isEqualTo("ok");
            assertThat(front.ask(client, "GET").text()).isEqualTo("page");
            assertThat(front.neighbour.pool().status().served()).isEqualTo(3);
        }
    }

    @Test
    void connectionThatItsUpstreamClosesSoonIsNotKeptAfterThePageOfTheMount() throws Exception {
        Step soon =
                Step.Send.of(
                        "HTTP/1.1 404 No\r\nContent-Length: 2\r\nKeep-Alive: timeout=1\r\n\r\nno");
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(HEAD, soon, new Step.ReadToClose()),
                                        List.of(HEAD, OK, new Step.ReadToClose())));
                Front front = Front.of(true, http(peer));
                RawClient client = front.client()) {
            assertThat(front.ask(client, "GET").text()).isEqualTo("page");
            assertThat(front.ask(client, "GET").text()).isEqualTo("ok");
        }
    }

    @Test
    void answersPassIfTheMountDoesNotIntercept() throws Exception {
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, NOT_FOUND, new Step.ReadToClose());
                Front front = Front.of(false, http(peer));
                RawClient client = front.client()) {
            RawResponse passed = front.ask(client, "GET");
            assertThat(passed.status()).isEqualTo(404);
            assertThat(passed.text()).isEqualTo("own");
            assertThat(passed.field("X-Own")).isEqualTo("1");
        }
    }

    @Test
    void errorWithoutAPagePasses() throws Exception {
        Step teapot = Step.Send.of("HTTP/1.1 410 Gone\r\nContent-Length: 3\r\n\r\nown");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, teapot, new Step.ReadToClose());
                Front front = Front.of(true, http(peer));
                RawClient client = front.client()) {
            RawResponse passed = front.ask(client, "GET");
            assertThat(passed.status()).isEqualTo(410);
            assertThat(passed.text()).isEqualTo("own");
        }
    }

    @Test
    void protocolOf426StaysForClientsThatCanUpgrade() throws Exception {
        Step demand =
                Step.Send.of(
                        "HTTP/1.1 426 Upgrade Required\r\nConnection: upgrade\r\nUpgrade: toy/2\r\n"
                                + "Content-Length: 3\r\n\r\nown");
        try (ScriptedPeer peer = ScriptedPeer.playing(HEAD, demand, new Step.ReadToClose());
                Front front = Front.of(true, http(peer));
                RawClient client = front.client()) {
            RawResponse replaced = front.ask(client, "GET");
            assertThat(replaced.status()).isEqualTo(426);
            assertThat(replaced.text()).isEqualTo("page");
            assertThat(replaced.field("Upgrade"))
                    .isEqualTo(Mode.current().isHttp2() ? null : "toy/2");
            assertThat(replaced.has("Connection")).isEqualTo(!Mode.current().isHttp2());
        }
    }

    @Test
    void fieldsThatTheClientNeedsStay() throws Exception {
        Step login =
                Step.Send.of(
                        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\n"
                                + "Set-Cookie: a=b\r\nContent-Length: 0\r\n\r\n");
        Step busy =
                Step.Send.of(
                        "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\npart");
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(List.of(HEAD, login, HEAD, busy, new Step.ReadToClose())));
                Front front = Front.of(true, http(peer));
                RawClient client = front.client()) {
            RawResponse first = front.ask(client, "GET");
            assertThat(first.status()).isEqualTo(401);
            assertThat(first.field("WWW-Authenticate")).isEqualTo("Basic realm=\"a\"");
            assertThat(first.field("Set-Cookie")).isNull();
            RawResponse second = front.ask(client, "GET");
            assertThat(second.status()).isEqualTo(503);
            assertThat(second.field("Retry-After")).isEqualTo("7");
            assertThat(second.text()).as("without the rest of the content").isEqualTo("page");
        }
    }

    @Test
    void chunkedContentIsDroppedWithItsConnection() throws Exception {
        Step chunked =
                Step.Send.of(
                        "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nown\r\n");
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(
                                List.of(
                                        List.of(HEAD, chunked, new Step.ReadToClose()),
                                        List.of(HEAD, OK, new Step.ReadToClose())));
                Front front = Front.of(true, http(peer));
                RawClient client = front.client()) {
            assertThat(front.ask(client, "GET").text()).isEqualTo("page");
            assertThat(front.ask(client, "GET").text()).isEqualTo("ok");
        }
    }

    @Test
    void headHasThePagesHead() throws Exception {
        Step none = Step.Send.of("HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n");
        List<List<Step>> scripts =
                List.of(
                        List.of(HEAD, none, new Step.ReadToClose()),
                        List.of(HEAD, OK, new Step.ReadToClose()));
        try (ScriptedPeer peer = ScriptedPeer.playing(scripts);
                Front front = Front.of(true, http(peer));
                RawClient client = front.client()) {
            RawResponse head = front.ask(client, "HEAD");
            assertThat(head.status()).isEqualTo(404);
            assertThat(head.field("Content-Length")).isEqualTo("4");
            assertThat(front.ask(client, "GET").text()).isEqualTo("ok");
        }
    }

    @Test
    void outputOfAnApplicationIsReplacedToo() throws Exception {
        Step read = new Step.ReadUntil("\0SCGI\0" + "1\0,");
        Step answer =
                Step.Send.of(
                        "Status: 404 Gone\r\nContent-Type: a/b\r\nAllow: GET\r\n\r\n"
                                + "x".repeat(100_000));
        Step right = Step.Send.of("Status: 200 OK\r\nContent-Type: a/b\r\n\r\nfine");
        try (ScriptedPeer peer =
                        ScriptedPeer.playing(List.of(List.of(read, answer), List.of(read, right)));
                Front front = Front.of(true, "scgi://127.0.0.1:" + peer.address().getPort());
                RawClient client = front.client()) {
            RawResponse replaced = front.ask(client, "GET");
            assertThat(replaced.status()).isEqualTo(404);
            assertThat(replaced.text()).isEqualTo("page");
            assertThat(replaced.field("Allow")).isEqualTo("GET");
            assertThat(front.ask(client, "GET").text()).isEqualTo("fine");
        }
    }
}
