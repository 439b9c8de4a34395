package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The server under a service manager, whose part Python takes: sockets that it passes on, and
/// messages that it receives.
@Timeout(120)
final class ServiceRunTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Prints what arrives at a datagram socket.
    private static final String RECEIVER =
            """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind(sys.argv[1])
            print("bound", flush=True)
            while True:
                for line in s.recv(4096).decode().splitlines():
                    print(line, flush=True)
            """;

    /// Listens at each address, and becomes the server with these sockets.
    private static final String MANAGER =
            """
            import os, socket, sys
            at = sys.argv.index("--")
            sockets = []
            for address in sys.argv[1:at]:
                if address.startswith("/"):
                    s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                    s.bind(address)
                else:
                    host, port = address.rsplit(":", 1)
                    family = socket.AF_INET6 if ":" in host else socket.AF_INET
                    s = socket.socket(family, socket.SOCK_STREAM)
                    s.bind((host, int(port)))
                    print("port", s.getsockname()[1], flush=True)
                s.listen(100)
                sockets.append(s)
            high = [os.dup(s.fileno()) for s in sockets]
            high = [os.dup2(f, 100 + i) for i, f in enumerate(high)]
            for i, f in enumerate(high):
                os.dup2(f, 3 + i)
                os.set_inheritable(3 + i, True)
                os.close(f)
            os.environ["LISTEN_FDS"] = str(len(sockets))
            os.environ["LISTEN_PID"] = str(os.getpid())
            os.environ["LISTEN_FDNAMES"] = ":".join(["serval"] * len(sockets))
            os.execvp(sys.argv[at + 1], sys.argv[at + 1:])
            """;

    /// Becomes the server, whose output is a socket, as that to the journal of systemd is.
    private static final String JOURNAL =
            """
            import os, socket, sys
            ours, its = socket.socketpair()
            if os.fork() == 0:
                its.close()
                for line in ours.makefile():
                    print(line, end="", flush=True)
            else:
                os.dup2(its.fileno(), 1)
                os.execvp(sys.argv[1], sys.argv[1:])
            """;

    @TempDir Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final List<Long> successors = new ArrayList<>();
    private Path site;

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        assumeTrue(hasPython(), "needs python3 (Debian package python3)");
        site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "hello");
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "-c", "pass").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
        for (long pid : successors) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", folder.toString());
    }

    private List<String> command(String... words) throws Exception {
        try (ServerProcess command = ServerProcess.start(environment(), List.of(words))) {
            List<String> out = command.rest();
            assertThat(command.exitCode()).as(command.errors()).isZero();
            return out;
        }
    }

    /// Upgrades the server, and returns the number of the process that serves from then on.
    private long upgrade() throws Exception {
        long pid = Long.parseLong(command("upgrade").getLast().split(" ", 3)[1]);
        successors.add(pid);
        return pid;
    }

    /// Returns the lines that a program prints, as they come.
    private List<String> lines(List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment());
        Process process = builder.redirectError(folder.resolve("errors").toFile()).start();
        processes.add(process);
        List<String> lines = new CopyOnWriteArrayList<>();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        Thread.ofPlatform().daemon().name("lines").start(() -> out.lines().forEach(lines::add));
        return lines;
    }

    private static void await(List<String> lines, String wanted) {
        Await.until(
                wanted, PATIENCE, () -> lines.stream().anyMatch(line -> line.startsWith(wanted)));
    }

    private List<String> managed(List<String> addresses, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("python3", "-c", MANAGER));
        command.addAll(addresses);
        command.add("--");
        command.addAll(ServerProcess.command(List.of(arguments)));
        List<String> lines = lines(command);
        await(lines, "Ctrl-C stops it.");
        return lines;
    }

    private static InetSocketAddress port(List<String> lines) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(),
                Integer.parseInt(lines.getFirst().substring("port ".length())));
    }

    @Test
    void managerLearnsEachState() throws Exception {
        Path socket = folder.resolve("notify");
        List<String> heard = lines(List.of("python3", "-c", RECEIVER, socket.toString()));
        await(heard, "bound");
        Path file = folder.resolve("serval.toml");
        Files.writeString(
                file,
                "listener = [{ address = \"0\" }]\nserver.stop-delay = \"1ms\"\n"
                        + "server.stop-time = \"7s\"\n[[mount]]\nfolder = \""
                        + site
                        + "\"\n");
        Map<String, String> environment =
                Map.of("XDG_RUNTIME_DIR", folder.toString(), "NOTIFY_SOCKET", socket.toString());
        try (ServerProcess server =
                ServerProcess.start(environment, List.of("run", "--config", file.toString()))) {
            server.awaitLine("Ctrl-C stops it.");
            await(heard, "READY=1");
            assertThat(command("reload")).contains("Nothing has changed.");
            assertThat(heard.subList(2, heard.size()))
                    .satisfiesExactly(
                            first -> assertThat(first).isEqualTo("RELOADING=1"),
                            second -> assertThat(second).matches("MONOTONIC_USEC=[0-9]+"),
                            third -> assertThat(third).isEqualTo("READY=1"));
            long pid = upgrade();
            await(heard, "MAINPID=" + pid);
            assertThat(server.exitCode()).isZero();
            assertThat(heard).as("the service goes on").doesNotContain("STOPPING=1");
            assertThat(command("stop")).contains("The server has ended.");
            await(heard, "STOPPING=1");
            await(heard, "EXTEND_TIMEOUT_USEC=67001000"); // with a minute for the applications
        }
    }

    /// A socket cannot be opened by the name /dev/stdout.
    @Test
    void accessLogIsPrintedToTheJournal() throws Exception {
        Path socket = folder.resolve("web");
        Path file = folder.resolve("serval.toml");
        Files.writeString(
                file,
                """
                listener = [{ address = "unix:web" }]
                log = [{ file = "/dev/stdout", pattern = "logged %U" }]
                [[mount]]
                folder = "site"
                """);
        List<String> command = new ArrayList<>(List.of("python3", "-c", JOURNAL));
        command.addAll(ServerProcess.command(List.of("run", "--config", file.toString())));
        List<String> journal = lines(command);
        await(journal, "Ctrl-C stops it.");
        assertThat(RawClient.get(UnixDomainSocketAddress.of(socket), "/").text())
                .isEqualTo("hello");
        await(journal, "logged /");
        assertThat(command("reopen")).containsExactly("The log files are open again.");
        assertThat(command("stop")).contains("The server has ended.");
        await(journal, "Stopped.");
    }

    /// The sockets keep their numbers, although the one before is used by no listener.
    @Test
    void successorKeepsTheSocketsOfTheManager() throws Exception {
        Path unused = folder.resolve("unused");
        Path socket = folder.resolve("web");
        Path file = folder.resolve("serval.toml");
        Files.writeString(
                file,
                "listener = [{ address = \"inherited:0\" }, { address = \"inherited:2\" }]\n"
                        + "[[mount]]\nfolder = \""
                        + site
                        + "\"\n");
        List<String> lines =
                managed(
                        List.of("127.0.0.1:0", unused.toString(), socket.toString()),
                        "run",
                        "--config",
                        file.toString());
        for (int i = 0; i < 3; i++) {
            assertThat(RawClient.get(port(lines), "/").text()).isEqualTo("hello");
            assertThat(RawClient.get(UnixDomainSocketAddress.of(socket), "/").text())
                    .isEqualTo("hello");
            upgrade();
        }
        assertThat(command("stop")).contains("The server has ended.");
        assertThat(socket).as("the file belongs to the manager").exists();
    }

    /// RFC 6797 §8.3: a browser would look for https at port 443. The port is known after the start.
    @Test
    void inheritedSocketAtAnotherPortTellsBrowsersNothing() throws Exception {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        TestKeys keys = TestKeys.signedBy(authority, "EC", "dns:localhost");
        Path file = folder.resolve("serval.toml");
        Files.writeString(
                file,
                """
                [[listener]]
                address = "inherited:0"
                tls.certificate = "%s"
                tls.key = "%s"
                [[mount]]
                folder = "site"
                """
                        .formatted(keys.certificate(), keys.key()));
        List<String> lines = managed(List.of("127.0.0.1:0"), "run", "--config", file.toString());
        try (RawClient client =
                RawClient.connect(port(lines), TlsClient.of(authority.trusting()))) {
            RawResponse answer = client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(answer.text()).isEqualTo("hello");
            assertThat(answer.field("Strict-Transport-Security")).isNull();
        }
        assertThat(command("stop")).contains("The server has ended.");
    }
}
