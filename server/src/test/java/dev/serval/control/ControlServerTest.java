package dev.serval.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands over a socket, and what is refused.
@Timeout(60)
final class ControlServerTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    @TempDir Path parent;
    private ControlFolder folder;

    @BeforeEach
    void prepare() {
        folder = new ControlFolder(parent.resolve("run"));
    }

    private int send(@Nullable String server, String... command) {
        return new ControlClient(folder, stream(out), stream(err)).send(server, List.of(command));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private ControlServer open(String name, Commands commands) throws IOException {
        return ControlServer.open(folder, name, commands);
    }

    @Test
    void printsLinesProblemsAndReturnsTheExitCode() throws Exception {
        Commands commands =
                (command, answer) -> {
                    answer.line("got " + String.join("|", command));
                    answer.problem("but ünhappy");
                    return 7;
                };
        try (ControlServer _ = open("80", commands)) {
            assertThat(send(null, "do", "a b", "")).isEqualTo(7);
            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("got do|a b|\n");
            assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("serval: but ünhappy\n");
        }
    }

    @Test
    void commandThatFailsIsReportedToTheClient() throws Exception {
        Commands commands =
                (_, _) -> {
                    throw new IllegalStateException("broken");
                };
        try (ControlServer _ = open("80", commands)) {
            assertThat(send("80", "do")).isEqualTo(ControlClient.UNREACHABLE);
            assertThat(err.toString(StandardCharsets.UTF_8)).contains("did not complete");
            assertThat(send("80", "do")).as("the server goes on").isEqualTo(1);
        }
    }

    @Test
    void garbageEndsItsConnectionAlone() throws Exception {
        try (ControlServer server = open("80", (_, _) -> 0)) {
            try (SocketChannel client =
                    SocketChannel.open(UnixDomainSocketAddress.of(server.path()))) {
                client.write(
                        ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8)));
                assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            }
            assertThat(send("80", "do")).isZero();
        }
    }

    @Test
    void socketOfADeadServerIsReplaced() throws Exception {
        folder.create();
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(folder.socket("80")));
        }
        assertThat(folder.socket("80")).exists();
        try (ControlServer _ = open("80", (_, _) -> 3)) {
            assertThat(send("80", "do")).isEqualTo(3);
            assertThatIOException()
                    .isThrownBy(() -> open("80", (_, _) -> 4))
                    .withMessageContaining("Another server");
            assertThat(send("80", "do")).isEqualTo(3);
        }
        assertThat(folder.socket("80")).doesNotExist();
    }

    @Test
    void folderThatOthersCanOpenIsRefused() throws Exception {
        folder.create();
        Files.setPosixFilePermissions(folder.path(), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThatIOException()
                .isThrownBy(() -> open("80", (_, _) -> 0))
                .withMessageContaining("set its mode to 700");
        assertThat(send("80", "do")).isEqualTo(ControlClient.UNREACHABLE);
    }

    @Test
    void linkInPlaceOfTheFolderIsRefused() throws Exception {
        Path other = Files.createDirectory(parent.resolve("other"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwx------"));
        Files.createSymbolicLink(folder.path(), other);
        assertThatIOException().isThrownBy(() -> open("80", (_, _) -> 0));
    }

    @Test
    void wordsAreBounded() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Wire.writeText(data, "x".repeat(Wire.TEXT_MAX_BYTES + 1)));
        data.writeInt(Wire.MAGIC);
        data.writeInt(1);
        data.writeInt(Integer.MAX_VALUE);
        assertThatIOException()
                .isThrownBy(() -> Wire.readCommand(input(bytes)))
                .withMessageContaining("at most 65536 bytes");
        bytes.reset();
        data.writeInt(Wire.MAGIC);
        data.writeInt(Wire.WORDS_MAX + 1);
        assertThatIOException().isThrownBy(() -> Wire.readCommand(input(bytes)));
    }

    private static DataInputStream input(ByteArrayOutputStream bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    }

    @Test
    void folderFollowsTheEnvironment() {
        Path home = Path.of("/home/u");
        assertThat(ControlFolder.ofUser(Map.of("XDG_RUNTIME_DIR", "/run/user/7"), home).path())
                .isEqualTo(Path.of("/run/user/7/serval"));
        assertThat(ControlFolder.ofUser(Map.of("XDG_STATE_HOME", "/s"), home).path())
                .isEqualTo(Path.of("/s/serval/run"));
        assertThat(ControlFolder.ofUser(Map.of("XDG_RUNTIME_DIR", "relative"), home).path())
                .isEqualTo(Path.of("/home/u/.local/state/serval/run"));
    }
}
