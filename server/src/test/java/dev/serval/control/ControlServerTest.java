package dev.serval.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThatCode;

import dev.serval.testkit.Await;
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
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands over a socket, and what is refused.
@Timeout(60)
final class ControlServerTest {
    /// How long a command may take to arrive. Enough for a right one on a slow machine.
    private static final int LIMIT_MILLIS = 2000;

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
    void successorTakesTheSocketAndKeepsIt() throws Exception {
        Commands latter =
                (_, answer) -> {
                    answer.line("the successor");
                    return 0;
                };
        ControlServer former = open("80", (_, _) -> 7);
        try (ControlServer server = ControlServer.succeed(folder, "80", latter)) {
            assertThat(send("80", "do")).isZero();
            former.close();
            assertThat(send(null, "do")).isZero();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .isEqualTo("the successor\nthe successor\n");
            assertThat(folder.sockets()).containsExactly(server.path());
        }
        assertThat(folder.sockets()).isEmpty();
    }

    /// Says with which file it runs, and ends every other command with an exit code.
    private static Commands runningWith(String file, int exitCode) {
        return (command, answer) -> {
            if (!command.equals(List.of(Commands.CONFIGURATION))) {
                return exitCode;
            }
            if (!file.isEmpty()) {
                answer.line(file);
            }
            return 0;
        };
    }

    private int sendToServerOf(Path configuration) {
        return new ControlClient(folder, stream(out), stream(err))
                .sendToServerOf(configuration, List.of("do"));
    }

    @Test
    void serverIsFoundByItsConfigurationWhateverTheNameOfItsSocket() throws Exception {
        Path file = Files.createFile(parent.resolve("a.toml"));
        Path link = Files.createSymbolicLink(parent.resolve("link.toml"), file);
        try (ControlServer _ = open("80", runningWith("/b.toml", 3));
                ControlServer _ = open("81", runningWith("", 4));
                ControlServer _ = open("82", runningWith(file.toString(), 5))) {
            assertThat(sendToServerOf(Path.of("/b.toml"))).isEqualTo(3);
            assertThat(sendToServerOf(file)).isEqualTo(5);
            assertThat(sendToServerOf(link)).isEqualTo(5);
            assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
            assertThat(sendToServerOf(Path.of("/c.toml"))).isEqualTo(ControlClient.UNREACHABLE);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(
                            "serval: No server of this user that takes commands runs with"
                                    + " /c.toml: these run: 80 (/b.toml), 81 (without a"
                                    + " configuration), 82 ("
                                    + file
                                    + "). Choose one with --server alone.\n");
        }
    }

    @Test
    void serverThatDoesNotSayItsConfigurationHidesNoOther() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        AtomicBoolean answered = new AtomicBoolean();
        Commands silent =
                (_, _) -> {
                    try {
                        Await.open("the search is over", over);
                        return 0;
                    } finally {
                        answered.set(true);
                    }
                };
        try (ControlServer _ = open("80", silent);
                ControlServer second = open("81", runningWith("/b.toml", 3))) {
            assertThat(new ServerSearch(folder, LIMIT_MILLIS).serverOf(Path.of("/b.toml")))
                    .isEqualTo(second.path());
            assertThat(answered).as("the answer of the first").isFalse();
        } finally {
            over.countDown();
        }
    }

    @Test
    void commandThatFailsIsReportedToTheClient() throws Exception {
        Commands commands =
                (_, _) -> {
                    throw new IllegalStateException("broken");
                };
        try (ControlServer _ = open("80", commands)) {
            assertThat(send("80", "do")).isEqualTo(1);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(
                            "serval: The server failed to carry out the command"
                                    + " (java.lang.IllegalStateException: broken): see what it"
                                    + " printed.\n");
            assertThat(send("80", "do")).as("the server continues").isEqualTo(1);
        }
    }

    @Test
    void longTextIsShortened() throws Exception {
        Commands commands =
                (_, answer) -> {
                    answer.line("€".repeat(Wire.TEXT_MAX_BYTES));
                    return 5;
                };
        try (ControlServer _ = open("80", commands)) {
            assertThat(send("80", "do")).isEqualTo(5);
            assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("€€").endsWith("€…\n");
        }
    }

    @Test
    void folderThatCannotBeMadeIsExplained() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));
        folder = new ControlFolder(file.resolve("run"));
        assertThatIOException()
                .isThrownBy(() -> open("80", (_, _) -> 0))
                .withMessageContaining(folder.path().toString())
                .withMessageContaining("set server.state, or without it XDG_RUNTIME_DIR");
    }

    @Test
    void socketWithALongPathIsExplained() throws Exception {
        folder = new ControlFolder(parent.resolve("x".repeat(110)));
        assertThatIOException()
                .isThrownBy(() -> open("80", (_, _) -> 0))
                .withMessageContaining(folder.socket("80").toString())
                .withMessageContaining("with a short path");
    }

    @Test
    void garbageEndsOnlyItsConnection() throws Exception {
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
        assertThat(dead("80")).exists();
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
    void folderOfAnotherUserNamesThatUser() throws Exception {
        folder.create();
        UserPrincipal other =
                folder.path()
                        .getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName("nobody");
        assumeThatCode(() -> Files.setOwner(folder.path(), other))
                .as("only root can give a folder away")
                .doesNotThrowAnyException();
        assertThat(send(null, "status")).isEqualTo(ControlClient.UNREACHABLE);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "serval: The folder for control sockets "
                                + folder.path()
                                + " belongs to nobody: run serval as that user, such as with sudo"
                                + " -u nobody.\n");
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
        assertThatIOException()
                .isThrownBy(() -> Wire.readCommand(input(bytes)))
                .withMessageContaining("from 1 to 64 words, not 65");
        bytes.reset();
        data.writeInt(Wire.MAGIC);
        data.writeInt(0);
        assertThatIOException()
                .isThrownBy(() -> Wire.readCommand(input(bytes)))
                .withMessageContaining("not 0");
        bytes.reset();
        data.writeInt(Wire.MAGIC + 1);
        assertThatIOException()
                .isThrownBy(() -> Wire.readCommand(input(bytes)))
                .withMessageContaining("another version");
    }

    @Test
    void largestCommandIsRead() throws Exception {
        List<String> words = Collections.nCopies(Wire.WORDS_MAX, "x".repeat(Wire.TEXT_MAX_BYTES));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Wire.writeCommand(new DataOutputStream(bytes), words);
        assertThat(Wire.readCommand(input(bytes))).isEqualTo(words);
        List<String> tooMany = Collections.nCopies(Wire.WORDS_MAX + 1, "");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Wire.writeCommand(new DataOutputStream(bytes), tooMany));
    }

    @Test
    void slowClientIsEnded() throws Exception {
        try (ControlServer server = ControlServer.open(folder, "80", (_, _) -> 0, LIMIT_MILLIS)) {
            try (SocketChannel client =
                    SocketChannel.open(UnixDomainSocketAddress.of(server.path()))) {
                assertThat(isEndedAfter(client, 3)).isTrue();
            }
        }
    }

    /// Sends so many bytes, and returns whether the server ends the connection without an answer.
    private static boolean isEndedAfter(SocketChannel client, int bytes) {
        try {
            client.write(ByteBuffer.allocate(bytes));
            return client.read(ByteBuffer.allocate(1)) == -1;
        } catch (IOException e) {
            return true;
        }
    }

    /// Eight are served at a time.
    @Test
    void finishedCommandsFreeTheirPlaces() throws Exception {
        try (ControlServer _ = open("80", (_, _) -> 7)) {
            for (int i = 0; i < 20; i++) {
                assertThat(send("80", "do")).isEqualTo(7);
            }
        }
    }

    @Test
    void commandMayTakeLongerThanItsArrival() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        Commands commands =
                (_, answer) -> {
                    answer.line("begun");
                    Await.open("the slow client has been ended", closed);
                    return 4;
                };
        try (ControlServer server = ControlServer.open(folder, "80", commands, LIMIT_MILLIS)) {
            AtomicInteger exitCode = new AtomicInteger();
            Thread sending = Thread.ofPlatform().start(() -> exitCode.set(send("80", "do")));
            Await.until(
                    "the command runs",
                    () -> out.toString(StandardCharsets.UTF_8).contains("begun"));
            try (SocketChannel slow =
                    SocketChannel.open(UnixDomainSocketAddress.of(server.path()))) {
                assertThat(isEndedAfter(slow, 0)).isTrue();
            }
            closed.countDown();
            sending.join();
            assertThat(exitCode).hasValue(4);
            assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        }
    }

    @Test
    void socketsOfDeadServersAreRemovedButNotYoungOrLiveOnes() throws Exception {
        folder.create();
        Path dead = dead("81");
        Path young = dead("82");
        FileTime old = FileTime.from(Instant.now().minusSeconds(60));
        Files.setLastModifiedTime(dead, old);
        try (ControlServer live = open("83", (_, _) -> 3)) {
            Files.setLastModifiedTime(live.path(), old);
            try (ControlServer _ = open("84", (_, _) -> 4)) {
                Await.until("the dead one is removed", () -> !Files.exists(dead));
                assertThat(send("84", "do")).as("the sweep has ended").isEqualTo(4);
                assertThat(young).exists();
                assertThat(send("83", "do")).isEqualTo(3);
            }
        }
    }

    /// Returns the socket that a server has left.
    private Path dead(String name) throws IOException {
        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(folder.socket(name)));
        }
        return folder.socket(name);
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
