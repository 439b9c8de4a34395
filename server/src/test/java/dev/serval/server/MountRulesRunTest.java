package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.UsersFile;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What mounts and hosts of a configuration file do besides serving, by a server process.
@Timeout(120)
final class MountRulesRunTest {
    private static final String CONFIG =
            """
            applications.logs = "none"
            listener = [{ address = "0" }]
            [files]
            types = { ".abc" = "text/x-abc" }

            [[mount]]
            folder = "site"
            deny = ["*.inc", "/data/**"]
            fields = { "X-Frame-Options" = "DENY", "Last-Modified" = "" }
            error-pages = { 404 = "/404.html" }
            files.cache-control = { "*.abc" = "max-age=7" }

            [[mount]]
            at = "/spa"
            folder = "site"
            try-files = ["$path", "/index.html"]

            [[mount]]
            at = "/list"
            folder = "list"
            files.listing = true

            [[mount]]
            at = "/closed"
            folder = "site"
            access = ["deny 127.0.0.0/8"]

            [[mount]]
            at = "/staff"
            folder = "site"
            login = { users = "users.txt", realm = "Staff" }

            [[mount]]
            at = "/small"
            folder = "site"
            limits.content = "3"

            [[mount]]
            at = "/large"
            folder = "site"
            limits.content = "20m"

            [[mount]]
            at = "/old"
            redirect = "/spa/*"
            status = 301

            [[mount]]
            at = "/re"
            folder = "site"
            rewrite = [{ from = '/u/(\\d+)', to = "/n$1.abc" }]

            [[host]]
            name = "a.example"
            fields = { "X-Site" = "a" }
            [[host.mount]]
            at = "/only"
            folder = "site"
            [[host]]
            name = ["b.example", "*.b.example"]
            redirect = "https://a.example/*"
            """;

    @TempDir Path folder;

    private void prepare() throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.createDirectories(site.resolve("data"));
        Files.createDirectories(folder.resolve("list"));
        Files.writeString(folder.resolve("list/a<b.txt"), "x");
        for (String name : List.of("index.html", "404.html", "n5.abc", "c.inc", "data/d.txt")) {
            Files.writeString(site.resolve(name), "file " + name);
        }
        UsersFile.add(folder.resolve("users.txt"), "ada", Set.of(), "secret", null);
        Files.writeString(folder.resolve("serval.toml"), CONFIG);
    }

    private static RawResponse send(
            ServerProcess server, String method, String host, String path, String more) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.exchange(
                    method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n");
        }
    }

    private static RawResponse get(ServerProcess server, String path) {
        return send(server, "GET", "x", path, "");
    }

    @Test
    void appliesTheRulesOfEachMount() throws Exception {
        prepare();
        try (ServerProcess server =
                ServerProcess.start(
                        Map.of("XDG_RUNTIME_DIR", folder.toString()),
                        List.of("run", "--config", folder.resolve("serval.toml").toString()))) {
            server.awaitLine("Ctrl-C stops it.");
            RawResponse index = get(server, "/");
            assertThat(index.field("X-Frame-Options")).isEqualTo("DENY");
            assertThat(index.field("Last-Modified")).isNull();
            for (String path :
                    List.of("/c.inc", "/C.INC", "/data/d.txt", "/%64ata/d.txt", "/none")) {
                RawResponse missing = get(server, path);
                assertThat(missing.status()).as(path).isEqualTo(404);
                assertThat(missing.text()).as(path).isEqualTo("file 404.html");
            }
            RawResponse abc = get(server, "/n5.abc");
            assertThat(abc.field("Content-Type")).startsWith("text/x-abc");
            assertThat(abc.field("Cache-Control")).isEqualTo("max-age=7");
            assertThat(get(server, "/spa/any/where").text()).isEqualTo("file index.html");
            assertThat(get(server, "/spa/n5.abc").text()).isEqualTo("file n5.abc");
            assertThat(get(server, "/list/").text()).contains("a&lt;b.txt");
            assertThat(get(server, "/closed/").status()).isEqualTo(403);
            assertThat(get(server, "/re/u/5").text()).isEqualTo("file n5.abc");
            RawResponse moved = get(server, "/old/x/y?z");
            assertThat(moved.status()).isEqualTo(301);
            assertThat(moved.field("Location")).endsWith("/spa/x/y?z");
            for (Map.Entry<String, Integer> each :
                    Map.of("/small/", 4, "/", (10 << 20) + 1, "/large/", (20 << 20) + 1)
                            .entrySet()) {
                String length = "Content-Length: " + each.getValue() + "\r\n";
                assertThat(send(server, "POST", "x", each.getKey(), length).status())
                        .as(each.getKey())
                        .isEqualTo(413);
            }
            String allowed = "Content-Length: " + (20 << 20) + "\r\nExpect: 100-continue\r\n";
            assertThat(send(server, "POST", "x", "/large/", allowed).status()).isEqualTo(405);
            logsIn(server);
            hosts(server);
        }
    }

    private static void logsIn(ServerProcess server) {
        for (String hidden : List.of("/staff;x/", "/staff;x", "/staff;x/n5.abc")) {
            assertThat(get(server, hidden).status()).as(hidden).isEqualTo(400);
        }
        assertThat(get(server, "/staff2;x").status()).isEqualTo(404);
        RawResponse asked = get(server, "/staff/");
        assertThat(asked.status()).isEqualTo(401);
        assertThat(asked.field("WWW-Authenticate")).contains("realm=\"Staff\"");
        for (Map.Entry<String, Integer> login :
                Map.of("ada:secret", 200, "ada:wrong", 401).entrySet()) {
            String encoded =
                    Base64.getEncoder()
                            .encodeToString(login.getKey().getBytes(StandardCharsets.UTF_8));
            RawResponse response =
                    send(server, "GET", "x", "/staff/", "Authorization: Basic " + encoded + "\r\n");
            assertThat(response.status()).as(login.getKey()).isEqualTo(login.getValue());
        }
    }

    private static void hosts(ServerProcess server) {
        RawResponse only = send(server, "GET", "a.example", "/only/", "");
        assertThat(only.status()).isEqualTo(200);
        assertThat(only.field("X-Site")).isEqualTo("a");
        RawResponse rest = send(server, "GET", "a.example", "/", "");
        assertThat(rest.status()).isEqualTo(404);
        assertThat(rest.field("X-Site")).as("what no mount of the host answers").isEqualTo("a");
        assertThat(send(server, "PUT", "a.example", "/none", "").status()).isEqualTo(404);
        assertThat(send(server, "BREW", "a.example", "/none", "").status()).isEqualTo(501);
        RawResponse moved = send(server, "GET", "x.b.example", "/p/q?r", "");
        assertThat(moved.status()).isEqualTo(308);
        assertThat(moved.field("Location")).isEqualTo("https://a.example/p/q?r");
    }
}
