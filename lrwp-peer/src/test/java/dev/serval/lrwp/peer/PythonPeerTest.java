package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.lrwp.peer.ScriptedAgent.Line;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The Python peer in examples/peers: its own tests, and its samples as a user starts them.
@Timeout(150)
final class PythonPeerTest {
    private static final Path PEERS = Path.of("../examples/peers");
    private static final long PATIENCE_SECONDS = 120;

    @TempDir Path folder;

    private Process python(Path out, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", "-B"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(PEERS.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }

    private void assumePython() throws InterruptedException {
        boolean found;
        try {
            Process version =
                    python(
                            folder.resolve("version"),
                            "-c",
                            "import sys; sys.exit(sys.version_info < (3, 11))");
            found = version.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && version.exitValue() == 0;
        } catch (IOException e) {
            found = false;
        }
        assumeTrue(found, "needs python3 3.11 or later (Debian package python3)");
    }

    @Test
    void passesItsOwnTests() throws Exception {
        assumePython();
        Path out = folder.resolve("out");
        Process tests = python(out, "-m", "unittest", "test_lrwp_peer");
        assertThat(tests.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(out)).contains("\nOK");
        assertThat(tests.exitValue()).isZero();
    }

    @Test
    void samplesServeAndLeaveAtASignal() throws Exception {
        assumePython();
        Path out = folder.resolve("out");
        try (ScriptedAgent agent = new ScriptedAgent()) {
            Process peer =
                    python(
                            out,
                            "lrwp_peer.py",
                            "--agent",
                            "127.0.0.1:" + agent.port(),
                            "--name",
                            "sample",
                            "echo");
            try (Line line = agent.accept()) {
                assertThat(line.startup(2))
                        .isEqualTo("sample\u00FF\u00FF".getBytes(StandardCharsets.ISO_8859_1));
                line.send("OK");
                byte[] body = "a\0\u00FFz".getBytes(StandardCharsets.ISO_8859_1);
                line.send(ScriptedAgent.request(Map.of("REQUEST_METHOD", "POST"), body));
                assertThat(line.answerText())
                        .isEqualTo("Content-Type: application/octet-stream\r\n\r\na\0\u00FFz");
                peer.destroy();
                assertThat(line.isEnd()).isTrue();
                // One signal only: a second one would end the interpreter while it exits.
                assertThat(peer.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
                assertThat(peer.exitValue()).isZero();
                assertThat(Files.readString(out)).contains("Left after 1 requests");
            } finally {
                peer.destroyForcibly();
            }
        }
    }
}
