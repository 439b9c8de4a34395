package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Administration by HTTP of a server process.
@Timeout(120)
final class AdminRunTest {
    private static final String PASSWORD = "correct horse battery";

    @TempDir Path folder;
    private Path file;
    private Path socket;

    @BeforeEach
    void prepare() throws IOException {
        file = folder.resolve("serval.toml");
        socket = folder.resolve("admin.sock");
        for (String name : List.of("one", "two")) {
            Path site = Files.createDirectories(folder.resolve(name));
            Files.writeString(site.resolve("index.html"), name);
        }
    }

    private ServerProcess started(String admin) throws IOException {
        Files.writeString(
                file,
                """
                # The site of the club
                applications.logs = "none"
                listener = [{ address = "0" }]

                [admin]
                ADMIN
                [[data-source]]
                name = "jdbc/x"
                url = "jdbc:h2:mem:x"
                password = "${SECRET}"

                # The files
                [[mount]]
                folder = "one" # for now
                """
                        .replace("ADMIN", admin));
        ServerProcess server =
                ServerProcess.start(
                        Map.of("XDG_RUNTIME_DIR", folder.toString(), "SECRET", "geheim"),
                        List.of("run", "--config", file.toString()));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private ServerProcess atSocket() throws IOException {
        return started("listen = \"unix:" + socket + "\"\n");
    }

    private static RawResponse send(SocketAddress address, String request) {
        try (RawClient client = RawClient.connect(address)) {
            return client.exchange(request);
        }
    }

    /// Sends a request to the socket.
    private RawResponse send(String method, String path, String fields, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        String length = method.equals("GET") ? "" : "Content-Length: " + bytes.length + "\r\n";
        return send(
                UnixDomainSocketAddress.of(socket),
                method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                        + fields
                        + length
                        + "\r\n"
                        + content);
    }

    @Test
    void readsAndChangesTheConfigurationWhileTheServerRuns() throws Exception {
        try (ServerProcess server = atSocket()) {
            RawResponse read = send("GET", "/config/mount", "", "");
            assertThat(read.text()).isEqualTo("[{\"folder\":\"one\"}]");
            String tag = read.field("ETag");
            RawResponse put = send("PUT", "/config/mount/0/folder", "", "\"two\"");
            assertThat(put.text())
                    .isEqualTo(
                            "{\"changes\":[\"~ mount \\\"/\\\" folder: \\\"one\\\" → \\\"two\\\"\"]}");
            assertThat(put.field("ETag")).isNotEqualTo(tag);
            assertThat(server.get("/").text()).isEqualTo("two");
            RawResponse late =
                    send("PUT", "/config/mount/0/folder", "If-Match: " + tag + "\r\n", "\"one\"");
            assertThat(late.status()).isEqualTo(412);
            assertThat(
                            send("PUT", "/config/mount/-", "", "{\"at\":\"/b\",\"folder\":\"one\"}")
                                    .status())
                    .isEqualTo(200);
            assertThat(server.get("/b/").text()).isEqualTo("one");
            assertThat(send("PATCH", "/config", "", "{\"limits\":{\"content\":\"1k\"}}").status())
                    .isEqualTo(200);
            assertThat(send("GET", "/config/limits/content", "", "").text()).isEqualTo("\"1k\"");
            assertThat(send("DELETE", "/config/mount/1", "", "").status()).isEqualTo(200);
            assertThat(server.get("/b/").status()).isEqualTo(404);
            assertThat(Files.readString(file)).contains("folder = \"one\" # for now");
        }
    }

    @Test
    void logThatCannotBeOpenedAgainIsAMistake() throws Exception {
        Path log = folder.resolve("access.log");
        try (ServerProcess _ =
                started("listen = \"unix:" + socket + "\"\n[[log]]\nfile = \"access.log\"\n")) {
            Files.delete(log);
            Files.createDirectory(log);
            RawResponse answer = send("POST", "/reopen", "", "");
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.text()).startsWith("{\"mistakes\":[").contains(log.toString());
        }
    }

    @Test
    void savesTheFileWithItsCommentsIfAsked() throws Exception {
        try (ServerProcess server = atSocket()) {
            String before = Files.readString(file);
            RawResponse put = send("PUT", "/config/mount/0/folder?save=yes", "", "\"two\"");
            assertThat(put.status()).isEqualTo(200);
            assertThat(Files.readString(file))
                    .isEqualTo(before.replace("folder = \"one\"", "folder = \"two\""));
            Files.writeString(file, "# another hand\n" + Files.readString(file));
            RawResponse late = send("PUT", "/config/mount/0/folder?save=yes", "", "\"one\"");
            assertThat(late.status()).isEqualTo(409);
            assertThat(late.text()).contains("was changed since it was read");
            assertThat(server.get("/").text()).isEqualTo("two");
        }
    }

    @Test
    void changeOfSeveralFilesIsNotSaved() throws Exception {
        try (ServerProcess server = atSocket()) {
            Files.writeString(
                    folder.resolve("more.toml"), "[[mount]]\nat = '/more'\nfolder = 'two'\n");
            String before = "server.include = \"more.toml\"\n" + Files.readString(file);
            Files.writeString(file, before);
            assertThat(send("POST", "/reload", "", "").text()).contains("+ mount \\\"/more\\\"");
            assertThat(server.get("/more/").text()).isEqualTo("two");
            RawResponse saved = send("PUT", "/config/mount/0/folder?save=yes", "", "\"two\"");
            assertThat(saved.status()).isEqualTo(409);
            assertThat(saved.text()).contains("includes other files, so a change cannot be saved");
            assertThat(server.get("/").text()).isEqualTo("one");
            assertThat(send("PUT", "/config/mount/0/folder", "", "\"two\"").status())
                    .isEqualTo(200);
            assertThat(send("PUT", "/config/mount/1/folder?save=yes", "", "\"one\"").status())
                    .as("a change without saving does not forget it")
                    .isEqualTo(409);
            assertThat(server.get("/").text()).isEqualTo("two");
            assertThat(Files.readString(file)).isEqualTo(before);
        }
    }

    @Test
    void neverShowsASecretAndKeepsIt() throws Exception {
        try (ServerProcess server = atSocket()) {
            RawResponse all = send("GET", "/config", "", "");
            assertThat(all.text()).contains("\"password\":\"***\"").doesNotContain("geheim");
            assertThat(send("PUT", "/config?save=yes", "", all.text()).text())
                    .isEqualTo("{\"changes\":[]}");
            assertThat(Files.readString(file)).contains("password = \"${SECRET}\"");
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void secretsWithinValuesAreHiddenAndKept() throws Exception {
        try (ServerProcess server = atSocket()) {
            String source = "{\"name\":\"jdbc/u\",\"url\":\"jdbc:h2:mem:u;PASSWORD=URL\"}";
            assertThat(
                            send(
                                            "PUT",
                                            "/config/data-source/-?save=yes",
                                            "",
                                            source.replace("URL", "hidden"))
                                    .status())
                    .isEqualTo(200);
            String mount =
                    "{\"at\":\"/p\",\"proxy\":\"http://127.0.0.1:9\",\"upstream\":{\"fields\":"
                            + "{\"Authorization\":\"Basic aGlkZGVu\",\"X-A\":\"b\"},"
                            + "\"weights\":{\"http://${UPSTREAM:-127.0.0.1}:9\":2}}}";
            assertThat(send("PUT", "/config/mount/-?save=yes", "", mount).text())
                    .contains("+ mount");
            RawResponse all = send("GET", "/config", "", "");
            assertThat(all.text())
                    .contains(source.replace("URL", "***"), "\"Authorization\":\"***\"")
                    .contains("\"X-A\":\"b\"", "\"http://${UPSTREAM:-127.0.0.1}:9\":2")
                    .doesNotContain("hidden", "aGlkZGVu");
            String before = Files.readString(file);
            assertThat(before).contains("PASSWORD=hidden", "http://${UPSTREAM:-127.0.0.1}:9");
            assertThat(send("PUT", "/config?save=yes", "", all.text()).text())
                    .as("what still differs from the start")
                    .isEqualTo(
                            "{\"changes\":[\"+ data-source \\\"jdbc/u\\\" (needs a restart)\"]}");
            assertThat(Files.readString(file)).isEqualTo(before);
            RawResponse other =
                    send(
                            "PUT",
                            "/config/data-source/1/url",
                            "",
                            "\"jdbc:h2:mem:other;PASSWORD=***\"");
            assertThat(other.status()).isEqualTo(422);
            assertThat(other.text()).contains("*** stands for a secret that is there");
            assertThat(server.get("/").text()).isEqualTo("one");
        }
    }

    @Test
    void secretsStayWithTheirNames() throws Exception {
        try (ServerProcess server = atSocket()) {
            String more =
                    "[{\"name\":\"jdbc/new\",\"url\":\"jdbc:h2:mem:n\"},{\"name\":\"jdbc/x\","
                            + "\"url\":\"jdbc:h2:mem:x\",\"password\":\"***\"}]";
            assertThat(send("PUT", "/config/data-source?save=yes", "", more).status())
                    .isEqualTo(200);
            String saved = Files.readString(file);
            assertThat(saved.indexOf("jdbc/x")).isLessThan(saved.indexOf("${SECRET}"));
            String reversed =
                    "[{\"name\":\"jdbc/x\",\"url\":\"jdbc:h2:mem:x\",\"password\":\"***\"},"
                            + "{\"name\":\"jdbc/new\",\"url\":\"jdbc:h2:mem:n\"}]";
            assertThat(send("PUT", "/config/data-source", "", reversed).status()).isEqualTo(200);
            assertThat(send("PUT", "/config/data-source", "", more).status()).isEqualTo(200);
            RawResponse none =
                    send(
                            "PUT",
                            "/config/data-source/-",
                            "",
                            "{\"name\":\"jdbc/z\",\"url\":\"jdbc:h2:mem:z\",\"password\":\"***\"}");
            assertThat(none.status()).isEqualTo(422);
            assertThat(none.text()).contains("/data-source/2/password: *** stands for a secret");
            RawResponse odd = send("POST", "/deploy", "", "{\"at\":\"/a//b\",\"app\":\"/x\"}");
            assertThat(odd.status()).isEqualTo(422);
            assertThat(server.get("/").text()).isEqualTo("one");
        }
    }

    @Test
    void changesAtOneInstantAllTakeEffect() throws Exception {
        try (ServerProcess server = atSocket()) {
            List<String> keys =
                    List.of("connections", "requests", "fields", "requests-per-connection");
            List<Thread> clients = new ArrayList<>();
            for (String key : keys) {
                clients.add(
                        Thread.ofVirtual()
                                .start(() ->
                                        send(
                                                "PATCH",
                                                "/config",
                                                "",
                                                "{\"limits\":{\"" + key + "\":777}}")));
            }
            for (Thread client : clients) {
                client.join();
            }
            String limits = send("GET", "/config/limits", "", "").text();
            assertThat(keys).allMatch(key -> limits.contains("\"" + key + "\":777"));
            String tag = send("GET", "/config", "", "").field("ETag");
            List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());
            clients.clear();
            for (String key : keys) {
                clients.add(
                        Thread.ofVirtual()
                                .start(() ->
                                        statuses.add(
                                                send(
                                                                "PUT",
                                                                "/config/limits/" + key,
                                                                "If-Match: \"x\", " + tag + "\r\n",
                                                                "888")
                                                        .status())));
            }
            for (Thread client : clients) {
                client.join();
            }
            assertThat(statuses).containsExactlyInAnyOrder(200, 412, 412, 412);
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void contentThatIsNoJsonIsRefusedBeforeItIsRead() throws Exception {
        try (ServerProcess server = atSocket()) {
            for (String path : List.of("/deploy", "/undeploy")) {
                RawResponse form =
                        send(
                                UnixDomainSocketAddress.of(socket),
                                "POST "
                                        + path
                                        + " HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n"
                                        + "Content-Length: 12\r\n\r\n{\"at\": \"/x\"}");
                assertThat(form.status()).as(path).isEqualTo(415);
            }
            RawResponse nul = send("POST", "/deploy", "", "{\"at\":\"/x\",\"app\":\"a\\u0000b\"}");
            assertThat(nul.status()).isEqualTo(400);
            assertThat(nul.text()).contains("The text app has a character NUL.");
            assertThat(server.get("/").text()).isEqualTo("one");
        }
    }

    /// A request that is wrong, and the answer to it.
    private record Wrong(String method, String path, String content, int status, String text) {}

    private static final List<Wrong> WRONG =
            List.of(
                    new Wrong(
                            "PUT",
                            "/config/mount/0/foldr",
                            "\"x\"",
                            422,
                            "/mount/0/foldr: There is no key foldr"),
                    new Wrong(
                            "PUT",
                            "/config/mount/0/folder",
                            "\"gone\"",
                            422,
                            "/mount/0/folder: There is no"),
                    new Wrong("PUT", "/config/mount/7", "{}", 404, "no place"),
                    new Wrong("PUT", "/config/mount/x", "{}", 404, "no place"),
                    new Wrong("PUT", "/config/mount/0/folder", "{x", 400, "This is not JSON"),
                    new Wrong("PUT", "/config/mount/0/folder", "", 400, "has no content"),
                    new Wrong(
                            "PUT",
                            "/config/mount/0/folder",
                            "\"one\" {}",
                            400,
                            "column 7: Trailing"),
                    new Wrong("PUT", "/config/mount/0", "{\"at\":1,\"at\":2}", 400, "Duplicate"),
                    new Wrong("PUT", "/config/mount/0", "[1,", 400, "This is not JSON"),
                    new Wrong(
                            "GET",
                            "/nothing",
                            "",
                            404,
                            "{\"mistakes\":[\"Nothing is at /nothing.\"]}"),
                    new Wrong("PUT", "/config/mount/0/folder", "null", 422, "no null"),
                    new Wrong("PUT", "/config", "[]", 422, "A configuration is an object"),
                    new Wrong(
                            "PUT",
                            "/config",
                            "[".repeat(30) + "]".repeat(30),
                            400,
                            "This is not JSON"),
                    new Wrong("GET", "/config/nothing", "", 404, "has no nothing"),
                    new Wrong("GET", "/config/%25zz", "", 404, "has no %zz"),
                    new Wrong("DELETE", "/config/nothing", "", 404, "nothing there"),
                    new Wrong(
                            "DELETE",
                            "/config",
                            "",
                            405,
                            "{\"mistakes\":[\"This address does not answer DELETE, but GET, HEAD,"),
                    new Wrong(
                            "PUT",
                            "/log-level",
                            "{\"level\":\"LOUD\"}",
                            422,
                            "{\"mistakes\":[\"level takes DEBUG, ERROR, INFO, TRACE, WARNING, not"
                                    + " \\\"LOUD\\\".\"]}"),
                    new Wrong("PUT", "/log-level", "{}", 422, "the text level"),
                    new Wrong("POST", "/deploy", "{}", 422, "the text app"),
                    new Wrong("POST", "/drain", "{\"drain\":false}", 422, "drain takes a text"),
                    new Wrong("POST", "/drain", "\"off\"", 422, "the text drain"),
                    new Wrong(
                            "POST",
                            "/deploy",
                            "{\"at\":5,\"app\":\"x.war\"}",
                            422,
                            "at takes a text"),
                    new Wrong(
                            "POST",
                            "/undeploy",
                            "{\"at\":\"/none\"}",
                            409,
                            "No application runs at /none"));

    @Test
    void refusesWhatIsWrong() throws Exception {
        try (ServerProcess server = atSocket()) {
            for (Wrong wrong : WRONG) {
                RawResponse response = send(wrong.method, wrong.path, "", wrong.content);
                assertThat(response.text())
                        .as(wrong.toString())
                        .contains(wrong.text)
                        .doesNotContain("jackson", "`", "REDACTED");
                assertThat(response.status()).as(wrong.toString()).isEqualTo(wrong.status);
            }
            assertThat(send("GET", "/ready", "", "").status()).isEqualTo(200);
            assertThat(server.get("/").text()).isEqualTo("one");
        }
    }

    @Test
    void onlyItsUserCanOpenTheSocket() throws Exception {
        try (ServerProcess server = atSocket()) {
            assertThat(Files.getPosixFilePermissions(socket))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(send("PUT", "/log-level", "", "{\"level\":\"DEBUG\"}").status())
                    .isEqualTo(200);
            assertThat(send("POST", "/reload", "", "").text()).contains("Nothing has changed.");
            assertThat(send("GET", "/status", "", "").text()).contains("Serval ");
            assertThat(send("PUT", "/config", "Origin: http://evil.example\r\n", "{}").status())
                    .isEqualTo(403);
            assertThat(server.isAlive()).isTrue();
        }
    }

    @Test
    void loopbackNeedsThePasswordAndItsOwnName() throws Exception {
        int port = FreePort.find();
        Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        try (ServerProcess server =
                started("listen = \"127.0.0.1:" + port + "\"\npassword-file = \"password\"\n")) {
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            String login =
                    "Authorization: Basic "
                            + Base64.getEncoder()
                                    .encodeToString(
                                            ("admin:" + PASSWORD).getBytes(StandardCharsets.UTF_8))
                            + "\r\n";
            String get = "GET /config/mount HTTP/1.1\r\nHost: localhost:" + port + "\r\n";
            RawResponse bare = send(address, get + "\r\n");
            assertThat(bare.status()).isEqualTo(401);
            assertThat(bare.field("WWW-Authenticate")).startsWith("Basic ");
            assertThat(send(address, get + login.replace("Basic ", "Basic x") + "\r\n").status())
                    .isEqualTo(401);
            assertThat(send(address, get + login + "\r\n").status()).isEqualTo(200);
            assertThat(
                            send(address, get.replace("localhost", "LocalHost") + login + "\r\n")
                                    .status())
                    .isEqualTo(200);
            assertThat(
                            send(address, get.replace("localhost", "evil.example") + login + "\r\n")
                                    .status())
                    .isEqualTo(421);
            for (String foreign :
                    List.of("Origin: http://evil.example\r\n", "Sec-Fetch-Site: cross-site\r\n")) {
                assertThat(send(address, get + login + foreign + "\r\n").status()).isEqualTo(403);
            }
            assertThat(server.isAlive()).isTrue();
        }
    }
}
