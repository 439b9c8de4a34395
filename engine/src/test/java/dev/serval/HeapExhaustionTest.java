package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that the server's own threads survive application code or connections that fill the heap,
/// and serve files as soon as memory is free again.
@Tag("long")
@Timeout(240)
final class HeapExhaustionTest {
    private static final int ROUNDS = 4;
    private static final int CLIENTS = 8;
    private static final int OPEN_HEADS = 3000; // take 93 MB, more than the heap
    private static final int HEAD_BYTES = 31_000;
    private static final String FILE = "GET /file.txt HTTP/1.1\r\nHost: a\r\n\r\n";

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"UseSerialGC", "UseG1GC", "UseParallelGC"})
    void servesFilesAfterMemoryIsFreeAgain(String collector) throws Exception {
        Files.write(folder.resolve("file.txt"), "of a file".getBytes(StandardCharsets.US_ASCII));
        Path errors = folder.resolve(".errors");
        Process server = start(collector, errors);
        try (BufferedReader out = server.inputReader(StandardCharsets.US_ASCII)) {
            InetSocketAddress address =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), Integer.parseInt(out.readLine()));
            assertThat(file(address)).isEqualTo("of a file"); // loads its classes
            for (int round = 0; round < ROUNDS; round++) {
                fillDuringRequestsForFiles(address);
                Await.until(
                        "files",
                        Duration.ofMinutes(2), // a client whose request was lost waits a minute
                        () -> file(address).equals("of a file"));
            }
            server.outputWriter().write('x');
            server.outputWriter().flush();
            String state = out.readLine() + "\n" + Files.readString(errors);
            assertThat(state)
                    .contains("serval-loop-0", "serval-loop-1", "serval-log", "serval-watchdog");
            server.outputWriter().close();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
            assertThat(Files.readString(errors)).doesNotContain("NoClassDefFoundError");
        } finally {
            server.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UseSerialGC", "UseG1GC"})
    void filesAreServedBesideMoreOpenHeadsThanTheHeapHolds(String collector) throws Exception {
        Files.write(folder.resolve("file.txt"), "of a file".getBytes(StandardCharsets.US_ASCII));
        Path errors = folder.resolve(".errors");
        Process server = start(collector, errors);
        List<RawClient> clients = new ArrayList<>();
        try (BufferedReader out = server.inputReader(StandardCharsets.US_ASCII)) {
            InetSocketAddress address =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), Integer.parseInt(out.readLine()));
            String head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(HEAD_BYTES);
            for (int i = 0; i < OPEN_HEADS; i++) {
                clients.add(RawClient.connect(address).send(head));
                if (i % 500 == 0) {
                    assertThat(file(address)).isEqualTo("of a file");
                }
            }
            assertThat(file(address)).isEqualTo("of a file");
            clients.forEach(RawClient::close);
            assertThat(file(address)).isEqualTo("of a file");
            server.outputWriter().close();
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
            assertThat(Files.readString(errors)).isEmpty();
        } finally {
            clients.forEach(RawClient::close);
            server.destroyForcibly();
        }
    }

    /// The answer to the filling request may be lost; the test checks what follows.
    private static void fillDuringRequestsForFiles(InetSocketAddress address) {
        List<RawClient> clients = new ArrayList<>();
        try {
            RawClient filler = RawClient.connect(address).patience(Duration.ofSeconds(30));
            clients.add(filler);
            filler.send("GET /fill HTTP/1.1\r\nHost: a\r\n\r\n");
            for (int i = 0; i < CLIENTS; i++) {
                RawClient client = RawClient.connect(address).patience(Duration.ofSeconds(30));
                clients.add(client);
                client.send((FILE + FILE.replace("file", "absent" + i)).repeat(20));
            }
            filler.answer();
        } catch (AssertionError | RuntimeException e) {
            // The server closed a connection, perhaps before the client had sent its request.
        } finally {
            clients.forEach(RawClient::close);
        }
    }

    private static String file(InetSocketAddress address) {
        try (RawClient client = RawClient.connect(address)) {
            return client.send(FILE).answer().text();
        } catch (AssertionError | UncheckedIOException e) {
            return e.toString(); // the application may not have released the heap yet
        }
    }

    private Process start(String collector, Path errors) throws IOException {
        ProcessBuilder command =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+" + collector,
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED",
                        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                        "--add-opens=java.base/java.io=ALL-UNNAMED",
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        HeapFiller.class.getName(),
                        folder.toString());
        // With these, the JVM writes a line to its standard error.
        command.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        return command.redirectError(errors.toFile()).start();
    }
}
