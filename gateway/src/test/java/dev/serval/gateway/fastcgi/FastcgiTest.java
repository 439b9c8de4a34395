package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.file.FileOptions;
import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.neighbour.KindDraft;
import dev.serval.gateway.neighbour.NeighbourDraft;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.EveryMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EveryMode
final class FastcgiTest {
    private static final String HELLO = "Content-Type: text/plain\r\n\r\nhello";

    private TempTree tree;
    private Path root;

    @BeforeEach
    void makeSite() {
        tree = TempTree.create();
        root = tree.root();
        tree.file("site/index.php", "<?php secret");
        tree.file("site/a/b.php", "<?php secret");
        tree.file("site/a/style.css", "css");
        tree.file("site/old.PHP", "<?php secret");
        tree.file("site/copy.php.bak", "<?php secret");
        tree.file("site/.env", "secret");
        tree.file("sent/big file.bin", "the file");
        tree.file("elsewhere/x", "secret");
    }

    @AfterEach
    void removeSite() {
        tree.close();
    }

    @Test
    void sendsTheVariablesOfScripts() {
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server = GatewayServer.of("/php=" + peer.url() + site())) {
            RawResponse answer = server.get("/php/a/b.php/more/x%20y?q=1");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(answer.field("Content-Length")).isEqualTo("5");
            String folder = root.resolve("site").toString();
            assertThat(first(peer).params())
                    .containsEntry("SCRIPT_NAME", "/php/a/b.php")
                    .containsEntry("SCRIPT_FILENAME", folder + "/a/b.php")
                    .containsEntry("PATH_INFO", "/more/x y")
                    .containsEntry("PATH_TRANSLATED", folder + "/more/x y")
                    .containsEntry("DOCUMENT_ROOT", folder)
                    .containsEntry("DOCUMENT_URI", "/php/a/b.php/more/x y")
                    .containsEntry("REQUEST_URI", "/php/a/b.php/more/x%20y?q=1")
                    .containsEntry("QUERY_STRING", "q=1")
                    .containsEntry("REDIRECT_STATUS", "200");
        }
    }

    @Test
    void variablesOfTheMountTakeThePlaceOfThoseOfTheRequest() {
        KindDraft.Fastcgi kind = new KindDraft.Fastcgi();
        kind.variables.add(new KindDraft.Variable("SCRIPT_FILENAME", "/usr/lib/git-http-backend"));
        kind.variables.add(new KindDraft.Variable("SERVER_SOFTWARE", "other"));
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO)) {
            NeighbourDraft draft = new NeighbourDraft(kind);
            draft.addresses.add(new NeighbourDraft.Address(peer.url().replace("fastcgi://", "")));
            try (GatewayServer server = GatewayServer.of("/git", draft)) {
                assertThat(server.get("/git/a.git/info/refs").status()).isEqualTo(200);
                assertThat(first(peer).params())
                        .containsEntry("SCRIPT_FILENAME", "/usr/lib/git-http-backend")
                        .containsEntry("SERVER_SOFTWARE", "other")
                        .containsEntry("PATH_INFO", "/a.git/info/refs");
            }
        }
    }

    @Test
    void servesIndexFilesAndNothingHidden() {
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server = GatewayServer.of("/=" + peer.url() + site())) {
            assertThat(server.get("/").text()).isEqualTo("hello");
            assertThat(first(peer).params()).containsEntry("SCRIPT_NAME", "/index.php");
            assertThat(server.get("/a/style.css").text()).isEqualTo("css");
            for (String path :
                    new String[] {
                        "/none.php",
                        "/none.php/x",
                        "/old.PHP",
                        "/copy.php.bak",
                        "/.env",
                        "/a/../.env",
                        "/a%2f..%2f..%2felsewhere/x",
                        "/a/style.css/b.php"
                    }) {
                assertThat(server.get(path).status()).as(path).isIn(404, 400);
            }
            assertThat(peer.requests).hasSize(1);
        }
    }

    /// Not even a script that has been made since the scripts were looked up.
    @Test
    void filesNeverTakeAScriptAsTheIndexOfAFolder() {
        tree.file("site/d/home.php", "<?php secret");
        FileOptions options =
                FileOptions.DEFAULT.with(draft -> draft.indexNames = List.of("home.php"));
        LocalFiles files = LocalFiles.of(root.resolve("site"), options);
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server =
                        GatewayServer.behind(List.of(files.handler()), "/=" + peer.url())) {
            assertThat(server.get("/d/").text()).as("the next handler").isEqualTo("hello");
        }
    }

    @Test
    void linksOutOfTheRootAreNotScripts() throws Exception {
        Files.createSymbolicLink(root.resolve("site/link.php"), root.resolve("elsewhere/x"));
        Files.createSymbolicLink(root.resolve("site/page.txt"), root.resolve("site/index.php"));
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server = GatewayServer.of("/=" + peer.url() + site())) {
            assertThat(server.get("/link.php").status()).isEqualTo(404);
            assertThat(server.get("/page.txt").status()).isEqualTo(404);
            assertThat(peer.requests).isEmpty();
        }
    }

    @Test
    void fallbackAnswersMissingPaths() {
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server =
                        GatewayServer.of("/=" + peer.url() + site() + "&fallback=/index.php")) {
            assertThat(server.get("/blog/post-1?x=y").text()).isEqualTo("hello");
            assertThat(first(peer).params())
                    .containsEntry("SCRIPT_NAME", "/index.php")
                    .containsEntry("PATH_INFO", "")
                    .containsEntry("REQUEST_URI", "/blog/post-1?x=y");
            assertThat(server.get("/a/style.css").text()).isEqualTo("css");
        }
    }

    @Test
    void fieldsThatTellTheClientComeOnlyFromTrustedProxies() {
        String request = "GET / HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n";
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                FastcgiPeer behind = FastcgiPeer.saying(HELLO);
                GatewayServer server = GatewayServer.of("/=" + peer.url());
                GatewayServer trusting = GatewayServer.behindProxies("/=" + behind.url());
                RawClient client = RawClient.connect(server.address());
                RawClient proxy = RawClient.connect(trusting.address())) {
            assertThat(client.exchange(request).status()).isEqualTo(200);
            assertThat(first(peer).params())
                    .doesNotContainKey("HTTP_X_FORWARDED_FOR")
                    .containsEntry("REMOTE_ADDR", "127.0.0.1");
            assertThat(proxy.exchange(request).status()).isEqualTo(200);
            assertThat(first(behind).params())
                    .containsEntry("HTTP_X_FORWARDED_FOR", "9.9.9.9")
                    .containsEntry("REMOTE_ADDR", "9.9.9.9");
        }
    }

    @Test
    void applicationWithoutRootGetsEveryPath() {
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server = GatewayServer.of("/app=" + peer.url())) {
            assertThat(server.get("/app/any/thing").text()).isEqualTo("hello");
            assertThat(first(peer).params())
                    .containsEntry("SCRIPT_NAME", "/app")
                    .containsEntry("PATH_INFO", "/any/thing")
                    .doesNotContainKey("SCRIPT_FILENAME");
        }
    }

    @Test
    void streamsLargeContentInBothDirections() {
        String part = "x".repeat(65_000);
        Records records = new Records().out("Content-Type: a/b\r\n\r\n");
        for (int i = 0; i < 100; i++) {
            records.out(part);
        }
        byte[] content = new byte[20 << 20];
        try (FastcgiPeer peer = FastcgiPeer.answering(_ -> records.copy().end(0, 0));
                GatewayServer server = GatewayServer.of("/=" + peer.url());
                RawClient client = RawClient.connect(server.address())) {
            client.send(
                    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + content.length + "\r\n\r\n");
            client.send(content);
            assertThat(client.answer().body()).hasSize(6_500_000);
            assertThat(first(peer).contentBytes()).isEqualTo(content.length);
            assertThat(first(peer).params())
                    .containsEntry("CONTENT_LENGTH", Integer.toString(content.length));
        }
    }

    @Test
    void keepsConnectionsUpToTheLimit() {
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server =
                        GatewayServer.of("/=" + peer.url() + "?keep=yes&connections=1")) {
            for (int i = 0; i < 5; i++) {
                assertThat(server.get("/").text()).isEqualTo("hello");
            }
            assertThat(peer.connections.get()).isEqualTo(1);
        }
    }

    @Test
    void connectionIsNotKeptUnlessAskedFor() {
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server = GatewayServer.of("/=" + peer.url())) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/").text()).isEqualTo("hello");
            }
            assertThat(peer.connections.get()).isEqualTo(3);
        }
    }

    @Test
    void mountsOfOneAddressShareKeptConnections() {
        try (FastcgiPeer peer = FastcgiPeer.saying(HELLO);
                GatewayServer server =
                        GatewayServer.of(
                                "/a=" + peer.url() + "?keep=yes",
                                "/b=" + peer.url() + "?keep=yes")) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/a").text()).isEqualTo("hello");
                assertThat(server.get("/b").text()).isEqualTo("hello");
            }
            assertThat(peer.connections.get()).isEqualTo(1);
            assertThat(server.neighbour("/a").pool().name()).isEqualTo("/a, /b");
        }
    }

    @Test
    void sendsTheFileThatTheApplicationNames() {
        try (FastcgiPeer peer =
                        FastcgiPeer.answering(request ->
                                new Records()
                                        .out(
                                                Objects.requireNonNull(
                                                                        request.params()
                                                                                .get(
                                                                                        "QUERY_STRING"))
                                                                .replace("~", ": ")
                                                        + "\r\nX-Own: 1\r\n"
                                                        + "Content-Type: a/b\r\n\r\ndropped")
                                        .end(0, 0));
                GatewayServer server =
                        GatewayServer.of("/=" + peer.url() + "?send=" + root.resolve("sent"))) {
            RawResponse accel = server.get("/?X-Accel-Redirect~/big%20file.bin");
            assertThat(accel.text()).isEqualTo("the file");
            assertThat(accel.field("X-Own")).isEqualTo("1");
            assertThat(accel.field("Content-Type")).isEqualTo("a/b");
            assertThat(accel.has("X-Accel-Redirect")).isFalse();
            assertThat(server.get("/?X-Sendfile~" + root.resolve("sent/none")).status())
                    .isEqualTo(404);
            assertThat(server.get("/?X-Sendfile~" + root.resolve("elsewhere/x")).status())
                    .isEqualTo(502);
            assertThat(server.get("/?X-Accel-Redirect~/../elsewhere/x").status()).isEqualTo(502);
            assertThat(server.get("/?X-Accel-Redirect~/%2e%2e/elsewhere/x").status())
                    .isEqualTo(502);
        }
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
    void fieldsOfTheApplicationDoNotContradictTheFileThatItNames() {
        String fields =
                "Content-Type: a/b\r\nContent-Disposition: attachment\r\nCache-Control: max-age=9\r\n"
                        + "ETag: \"own\"\r\nLast-Modified: Thu, 01 Jan 1970 00:00:00 GMT\r\n"
                        + "Content-Encoding: gzip\r\nContent-Range: bytes 0-1/2\r\n"
                        + "Accept-Ranges: none\r\nX-Own: 1\r\nSet-Cookie: a=1\r\n\r\n";
        String file = "X-Accel-Redirect: /big%20file.bin\r\n" + fields;
        try (FastcgiPeer peer = FastcgiPeer.saying(file);
                FastcgiPeer wrong = FastcgiPeer.saying("X-Accel-Redirect: /none\r\n" + fields);
                GatewayServer server =
                        GatewayServer.of(
                                "/=" + peer.url() + "?send=" + root.resolve("sent"),
                                "/wrong=" + wrong.url() + "?send=" + root.resolve("sent"));
                RawClient client = RawClient.connect(server.address())) {
            RawResponse whole = server.get("/");
            assertThat(whole.status()).isEqualTo(200);
            assertThat(whole.all("Content-Type")).containsExactly("a/b");
            assertThat(whole.field("Cache-Control")).isEqualTo("max-age=9");
            assertThat(whole.all("ETag")).hasSize(1).doesNotContain("\"own\"");
            assertThat(whole.all("Last-Modified")).hasSize(1);
            assertThat(whole.field("Last-Modified")).doesNotContain("1970");
            assertThat(whole.has("Content-Encoding") || whole.has("Content-Range")).isFalse();

            RawResponse part = client.exchange(export("GET", "Range: bytes=4-7"));
            assertThat(part.all("Content-Range")).containsExactly("bytes 4-7/8");
            assertThat(part.all("Content-Type")).containsExactly("a/b");

            RawResponse parts = client.exchange(export("GET", "Range: bytes=0-0,7-7"));
            assertThat(parts.status()).isEqualTo(206);
            assertThat(parts.all("Content-Type")).hasSize(1);
            assertThat(parts.field("Content-Type")).startsWith("multipart/byteranges; boundary=");
            assertThat(parts.field("Content-Disposition")).isEqualTo("attachment");
            String boundary = parts.all("Content-Type").getFirst().replaceFirst(".*boundary=", "");
            assertThat(parts.text()).contains("--" + boundary + "--");

            for (RawResponse error :
                    List.of(
                            server.get("/wrong"),
                            client.exchange(export("GET", "If-Match: \"own\"")),
                            client.exchange(export("GET", "Range: bytes=99-")))) {
                assertThat(error.status()).isIn(404, 412, 416);
                assertThat(error.all("Content-Type")).containsExactly("text/html; charset=utf-8");
                assertThat(error.has("Content-Disposition") || error.has("Cache-Control"))
                        .as("fields about the file with status %d", error.status())
                        .isFalse();
                assertThat(error.field("X-Own")).isEqualTo("1");
                assertThat(error.field("Set-Cookie")).isEqualTo("a=1");
            }
        }
    }

    @Test
    void postGetsTheWholeFileThatTheApplicationNames() {
        String head = "X-Accel-Redirect: /big%20file.bin\r\nContent-Type: a/b\r\n\r\n";
        try (FastcgiPeer peer = FastcgiPeer.saying(head);
                GatewayServer server =
                        GatewayServer.of("/=" + peer.url() + "?send=" + root.resolve("sent"));
                RawClient client = RawClient.connect(server.address())) {
            RawResponse part = client.exchange(export("GET", "Range: bytes=4-7"));
            assertThat(part.status()).isEqualTo(206);
            assertThat(part.text()).isEqualTo("file");
            for (String method : new String[] {"POST", "PUT", "DELETE", "PURGE"}) {
                RawResponse whole = client.exchange(export(method, "Range: bytes=4-7"));
                assertThat(whole.status()).as(method).isEqualTo(200);
                assertThat(whole.text()).isEqualTo("the file");
                RawResponse unconditional = client.exchange(export(method, "If-Match: \"no\""));
                assertThat(unconditional.status()).as(method).isEqualTo(200);
            }
            assertThat(client.exchange(export("GET", "If-Match: \"no\"")).status()).isEqualTo(412);
        }
    }

    private static String export(String method, String field) {
        return method
                + " /export HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n"
                + field
                + "\r\n\r\nx";
    }

    @Test
    void namesOfFilesPassThroughIfNoFolderIsAllowed() {
        try (FastcgiPeer peer = FastcgiPeer.saying("X-Sendfile: /etc/passwd\r\n\r\nown");
                GatewayServer server = GatewayServer.of("/=" + peer.url())) {
            assertThat(server.get("/").text()).isEqualTo("own");
        }
    }

    @Test
    void answers502And503AndKeepsServing() {
        try (FastcgiPeer peer =
                        FastcgiPeer.answering(request ->
                                switch (Objects.requireNonNull(request.params().get("PATH_INFO"))) {
                                    case "/none" -> new Records().end(0, 0);
                                    case "/wrong" -> new Records().out("Status: 99\n\n").end(0, 0);
                                    case "/busy" -> new Records().end(0, 2);
                                    case "/role" -> new Records().end(0, 3);
                                    case "/type" -> new Records().record(11, new byte[8], 0);
                                    default ->
                                            new Records().err("note\n\u0007").out(HELLO).end(0, 0);
                                });
                GatewayServer server = GatewayServer.of("/=" + peer.url())) {
            assertThat(server.get("/none").status()).isEqualTo(502);
            assertThat(server.get("/wrong").status()).isEqualTo(502);
            assertThat(server.get("/busy").status()).isEqualTo(503);
            assertThat(server.get("/role").status()).isEqualTo(502);
            assertThat(server.get("/type").status()).isEqualTo(502);
            assertThat(server.get("/fine").text()).isEqualTo("hello");
        }
    }

    @Test
    void getIsRepeatedIfKeptConnectionEndsBeforeTheAnswer() {
        Step ok = new Step.Send(new Records().out(HELLO).end(0, 0).bytes());
        Step.ReadUntil first = new Step.ReadUntil("/one");
        List<Step> ends = List.of(first, ok, new Step.ReadUntil("/two"));
        List<Step> stays = List.of(new Step.ReadUntil("/two"), ok, new Step.ReadUntil("/last"), ok);
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(ends, stays));
                GatewayServer server =
                        GatewayServer.of(
                                "/=fastcgi://127.0.0.1:"
                                        + peer.address().getPort()
                                        + "?keep=yes&connections=1")) {
            assertThat(server.get("/one").text()).isEqualTo("hello");
            assertThat(server.get("/two").text()).isEqualTo("hello");
            assertThat(server.get("/last").text()).isEqualTo("hello");
        }
    }

    @Test
    void requestWithContentIsNeverRepeated() {
        Step ok = new Step.Send(new Records().out(HELLO).end(0, 0).bytes());
        List<Step> ends = List.of(new Step.ReadUntil("/one"), ok, new Step.ReadUntil("body"));
        try (ScriptedPeer peer = ScriptedPeer.playing(List.of(ends, List.of(new Step.Read(1))));
                GatewayServer server =
                        GatewayServer.of(
                                "/=fastcgi://127.0.0.1:" + peer.address().getPort() + "?keep=yes");
                RawClient client = RawClient.connect(server.address())) {
            assertThat(server.get("/one").text()).isEqualTo("hello");
            String put = "PUT /two HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody";
            assertThat(client.exchange(put).status()).isEqualTo(502);
            assertThat(peer.received(1)).isEmpty();
        }
    }

    @Test
    void answers502WithoutServerAnd504WithoutAnswer() {
        try (DeadPort dead = DeadPort.open();
                GatewayServer server = GatewayServer.of("/=fastcgi://127.0.0.1:" + dead.number());
                ScriptedPeer silent =
                        ScriptedPeer.playing(new Step.Read(16), new Step.ReadToClose());
                GatewayServer late =
                        GatewayServer.of(
                                "/=fastcgi://127.0.0.1:"
                                        + silent.address().getPort()
                                        + "?answer-time=50ms")) {
            assertThat(server.get("/").status()).isEqualTo(502);
            assertThat(late.get("/").status()).isEqualTo(504);
        }
    }

    @Test
    void clientThatLeavesEndsTheRequest() {
        try (ScriptedPeer peer = ScriptedPeer.playing(new Step.Read(16), new Step.ReadToClose());
                GatewayServer server =
                        GatewayServer.of("/=fastcgi://127.0.0.1:" + peer.address().getPort())) {
            try (RawClient client = RawClient.connect(server.address())) {
                client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
                Await.until(
                        "the request is sent", () -> peer.received(0).contains("REQUEST_METHOD"));
                client.reset();
            }
            Await.until(
                    "the request is abandoned",
                    () ->
                            server.neighbour("/")
                                            .pool()
                                            .status()
                                            .failed()
                                            .getOrDefault(PeerFault.ABANDONED, 0L)
                                    == 1);
            peer.awaitPlayed();
        }
    }

    private String site() {
        return "?root=" + root.resolve("site");
    }

    private static FastcgiPeer.Request first(FastcgiPeer peer) {
        return Objects.requireNonNull(peer.requests.peek());
    }
}
