package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.ScriptedPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StageTest {
    @Test
    void makesTheSameFilesEveryTimeAndRemovesThem() throws IOException {
        Path folder;
        Site.Page page;
        try (Stage stage = stage()) {
            folder = stage.folder();
            page = stage.site().page("a.bin");
            byte[] content = Files.readAllBytes(stage.site().root().resolve("a.bin"));
            assertThat(content).hasSize(2048);
            assertThat(Site.digest(content)).isEqualTo(page.digest());
        }
        assertThat(folder).doesNotExist();
        try (Stage again = stage()) {
            assertThat(again.site().page("a.bin")).isEqualTo(page);
        }
    }

    @Test
    void startFailureHasOutputOfTheServer() throws IOException {
        try (Stage stage = stage()) {
            List<String> command = List.of("sh", "-c", "echo no such directive; exit 1");
            int port = stage.freePort();
            assertThatThrownBy(() -> stage.launch("broken", port, command))
                    .isInstanceOf(BenchFailure.class)
                    .hasMessageContaining("broken did not start")
                    .hasMessageContaining("no such directive");
        }
    }

    @Test
    void serverOfHttp2MustSendItsSettingsFirst() throws IOException {
        assertThat(answers("HTTP/1.1 400 Bad Request\r\n\r\n")).isFalse();
        assertThat(answers("\0\0\0\7\0\0\0\0\0")).as("GOAWAY").isFalse();
        assertThat(answers("\0\0\6\4\0\0\0\0\0\0\3\0\0\0\144")).isTrue();
        assertThat(answers("\0\0\0\4")).as("cut").isFalse();
    }

    private static boolean answers(String text) throws IOException {
        try (ScriptedPeer peer =
                ScriptedPeer.playing(
                        new ScriptedPeer.Step.ReadUntil("SM\r\n\r\n"),
                        ScriptedPeer.Step.Send.of(text))) {
            return Stage.answers(peer.address().getPort(), Protocol.H2C);
        }
    }

    @Test
    void serverThatListensInTheClearDoesNotAnswerByTls() throws IOException {
        try (ScriptedPeer peer =
                ScriptedPeer.playing(
                        new ScriptedPeer.Step.ReadOnce(),
                        ScriptedPeer.Step.Send.of("HTTP/1.1 400 Bad Request\r\n\r\n"))) {
            assertThat(Stage.answers(peer.address().getPort(), Protocol.HTTPS)).isFalse();
        }
    }

    private static Stage stage() throws IOException {
        return Stage.create(Map.of("a.bin", 2048), Cpus.unpinned(Set.of(0)));
    }
}
