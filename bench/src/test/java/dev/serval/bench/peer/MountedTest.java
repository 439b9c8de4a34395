package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.client.HttpConnection;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Starts the server of this build by the suite's configuration, with each kind of mount.
@Timeout(120)
final class MountedTest {
    private static final int TIMEOUT_MILLIS = 20_000;
    private static final Cpus CPUS = Cpus.unpinned(Set.of(0));

    private static RunningPeer start(Stage stage, String name, Mounted mounted) throws IOException {
        ServalPeer peer =
                new ServalPeer(Path.of("serval.jar"), List.of())
                        .named(name, List.of())
                        .configured(ServalPeer.rules());
        int port = stage.freePort();
        List<String> words = peer.command(stage, mounted, port);
        assertThat(words).contains("--config").doesNotContain("--port");
        String classes =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> program = List.of("-cp", classes, "dev.serval.server.Main");
        Object[] arguments = words.subList(words.indexOf("run"), words.size()).toArray();
        return stage.launch(name, port, JavaCommand.of(List.of(), program, arguments));
    }

    private static HttpConnection.Answer get(RunningPeer server, String path) throws IOException {
        return HttpConnection.get(server.port(), path, TIMEOUT_MILLIS);
    }

    @Test
    void configurationServesTheSameWithItsRulesInForce() throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        try (Stage stage = Stage.create(Map.of("2k.bin", 2048, "x.bak", 10), CPUS)) {
            Path root = stage.site().root();
            Path app = Files.createDirectories(stage.folder().resolve("app"));
            Files.createDirectory(app.resolve("WEB-INF"));
            Files.copy(root.resolve("2k.bin"), app.resolve("2k.bin"));
            try (RunningPeer folder = start(stage, "folder", Mounted.application(root));
                    RunningPeer war = start(stage, "war", Mounted.application(app));
                    RunningPeer proxy =
                            start(stage, "proxy", Mounted.proxy("127.0.0.1:" + folder.port()))) {
                for (RunningPeer server : List.of(folder, war, proxy)) {
                    HttpConnection.Answer answer = get(server, "/2k.bin");
                    assertThat(answer.status()).as(server.name()).isEqualTo(200);
                    assertThat(answer.content()).hasSize(2048);
                    assertThat(answer.head().toLowerCase(Locale.ROOT))
                            .as(server.name())
                            .contains("referrer-policy: no-referrer", "nosniff");
                    assertThat(get(server, "/former/a").status()).isEqualTo(308);
                    assertThat(get(server, "/private/2k.bin").status()).isEqualTo(404);
                }
                assertThat(get(folder, "/x.bak").status()).isEqualTo(404);
            }
        }
    }

    @Test
    void configurationServesOverTls() throws Exception {
        try (Stage stage = Stage.create(Map.of("2k.bin", 2048), CPUS).speaking(Protocol.H2);
                RunningPeer server =
                        start(stage, "folder", Mounted.application(stage.site().root()));
                HttpClient client =
                        HttpClient.newBuilder().sslContext(TestKeys.trustingLocal()).build()) {
            URI target = URI.create("https://127.0.0.1:" + server.port() + "/2k.bin");
            HttpResponse<byte[]> answer =
                    client.send(
                            HttpRequest.newBuilder(target).build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(answer.body()).hasSize(2048);
        }
    }

    @Test
    void fastcgiIsWrittenInBothForms() throws IOException {
        Mounted php = Mounted.fastcgi(Path.of("/run/a.sock"), Path.of("/srv"), "/index.php", 16);
        assertThat(php.argument())
                .isEqualTo(
                        "/=fastcgi://unix:/run/a.sock?root=/srv&fallback=/index.php&keep=yes"
                                + "&connections=16");
        assertThat(php.keys())
                .contains("fastcgi = \"unix:/run/a.sock\"", "upstream.keep = true")
                .contains("upstream.connections = 16", "upstream.root = \"/srv\"");
        try (Stage stage = Stage.create(Map.of("index.php", 10), CPUS)) {
            Mounted mounted =
                    Mounted.fastcgi(
                            stage.folder().resolve("no.sock"),
                            stage.site().root(),
                            "/index.php",
                            16);
            try (RunningPeer server = start(stage, "php", mounted)) {
                assertThat(get(server, "/").status()).isEqualTo(502);
            }
        }
    }
}
