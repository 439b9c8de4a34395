package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.LrwpResponse;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Applications of the library lrwp-peer dial in to a server.
@Timeout(120)
final class LrwpPeerRunTest {
    @TempDir private Path folder;

    @Test
    void applicationServesEachPathAndOneWithBlanks() throws Exception {
        try (ServerProcess server = started();
                LrwpPeer peer =
                        LrwpPeer.builder()
                                .agent("127.0.0.1", server.lrwpAddress().getPort())
                                .register("/")
                                .register("a b")
                                .handler(request ->
                                        LrwpResponse.text(
                                                request.name() + " " + request.pathAfterName()))
                                .start()) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(60))).isTrue();
            assertThat(server.get("/x/y").text()).isEqualTo("/ /x/y");
            assertThat(server.get("/a%20b/c").text()).isEqualTo("a b /c");
        }
    }

    @Test
    void clientGetsTheMostFieldsThatTheLibraryAllows() throws Exception {
        LrwpResponse cookies = cookies(98);
        String rest = "x".repeat(32_704 - 98 * "Set-Cookie: c=1\r\n".length() - "A: \r\n".length());
        LrwpResponse answer = cookies.with("A", rest);
        assertThatThrownBy(() -> cookies.with("A", rest + "x")).hasMessageContaining("32705");
        assertThatThrownBy(() -> answer.withStatus(404).with("B", ""))
                .isInstanceOf(IllegalArgumentException.class);
        try (ServerProcess server = started();
                LrwpPeer peer =
                        LrwpPeer.builder()
                                .agent("127.0.0.1", server.lrwpAddress().getPort())
                                .register("app")
                                .handler(_ -> answer)
                                .start()) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(60))).isTrue();
            RawResponse got = server.get("/app");
            assertThat(got.status()).isEqualTo(431);
            assertThat(got.field("A")).isEqualTo(rest);
        }
    }

    /// Returns an answer with the longest status.
    private static LrwpResponse cookies(int count) {
        LrwpResponse answer = LrwpResponse.empty(431);
        for (int i = 0; i < count; i++) {
            answer = answer.with("Set-Cookie", "c=1");
        }
        return answer;
    }

    private ServerProcess started() throws IOException {
        Path site = Files.createDirectory(folder.resolve("site"));
        ServerProcess server =
                ServerProcess.start(
                        Map.of(
                                "XDG_RUNTIME_DIR",
                                folder.toString(),
                                "XDG_CACHE_HOME",
                                folder + "/caches"),
                        List.of("run", "--port", "0", "--lrwp", "0", "/=" + site));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }
}
