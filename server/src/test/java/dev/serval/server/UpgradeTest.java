package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `serval upgrade`: server processes that succeed each other under load.
@Timeout(180)
final class UpgradeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String COUNTER =
            """
            @jakarta.servlet.annotation.WebServlet("/count")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    jakarta.servlet.http.HttpSession session = request.getSession();
                    Integer before = (Integer) session.getAttribute("n");
                    int now = before == null ? 1 : before + 1;
                    session.setAttribute("n", now);
                    response.getWriter().print(now);
                }
            }
            """;

    @TempDir Path folder;
    private final List<Long> successors = new ArrayList<>();
    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        file = folder.resolve("serval.toml");
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "hello");
        config("[[mount]]\nfolder = \"site\"");
    }

    @AfterEach
    void endSuccessors() {
        for (long pid : successors) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void config(String text) throws IOException {
        Files.writeString(
                file, "applications.logs = \"none\"\nlistener = [{ address = \"0\" }]\n" + text);
    }

    private Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", folder.toString());
    }

    private ServerProcess started(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("run", "--config", file.toString()));
        arguments.addAll(List.of(more));
        ServerProcess server = ServerProcess.start(environment(), arguments);
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    /// What a command printed.
    private record Printed(int exitCode, List<String> out, String err) {}

    private Printed command(String... words) throws Exception {
        try (ServerProcess command = ServerProcess.start(environment(), List.of(words))) {
            List<String> out = command.rest();
            return new Printed(command.exitCode(), out, command.errors());
        }
    }

    /// Upgrades the server, and returns the number of the process that serves from then on.
    private long upgrade() throws Exception {
        Printed printed = command("upgrade");
        assertThat(printed.exitCode()).as(printed.toString()).isZero();
        String line = printed.out().getLast();
        assertThat(line).startsWith("Process ").contains(" serves from now on.");
        long pid = Long.parseLong(line.split(" ", 3)[1]);
        successors.add(pid);
        return pid;
    }

    /// Clients that ask without pause, until they are told to stop.
    private static final class Clients implements AutoCloseable {
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final List<Future<?>> running = new ArrayList<>();
        private final AtomicBoolean over = new AtomicBoolean();
        private final AtomicInteger answers = new AtomicInteger();

        /// A client.
        interface Client {
            /// Sends requests, and counts the answers, until [Clients#isOver].
            void run(Clients all) throws Exception;
        }

        void add(Client client) {
            running.add(
                    threads.submit(() -> {
                        client.run(this);
                        return true;
                    }));
        }

        boolean isOver() {
            return over.get();
        }

        void answered() {
            answers.incrementAndGet();
        }

        void awaitMore(int number) {
            int before = answers.get();
            Await.until(
                    "more answers",
                    PATIENCE,
                    () ->
                            answers.get() >= before + number
                                    || running.stream().anyMatch(Future::isDone));
        }

        /// Fails if a client has failed.
        void end() throws Exception {
            over.set(true);
            for (Future<?> one : running) {
                one.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        }

        @Override
        public void close() {
            over.set(true);
            threads.shutdownNow();
        }
    }

    /// Opens a connection for each request.
    private static Clients.Client connecting(InetSocketAddress address) {
        return all -> {
            while (!all.isOver()) {
                RawResponse answer = RawClient.get(address, "/");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).isEqualTo("hello");
                all.answered();
            }
        };
    }

    /// Uses a connection until the server says that it closes it.
    private static Clients.Client keeping(InetSocketAddress address) {
        return all -> {
            while (!all.isOver()) {
                try (RawClient client = RawClient.connect(address)) {
                    boolean kept = true;
                    while (kept && !all.isOver()) {
                        RawResponse answer = client.exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                        assertThat(answer.status()).isEqualTo(200);
                        kept = !"close".equals(answer.field("Connection"));
                        all.answered();
                    }
                }
            }
        };
    }

    @Test
    void noRequestFailsWhileProcessesSucceedEachOther() throws Exception {
        try (ServerProcess server = started();
                Clients clients = new Clients()) {
            for (int i = 0; i < 2; i++) {
                clients.add(connecting(server.socketAddress()));
                clients.add(keeping(server.socketAddress()));
            }
            clients.awaitMore(200);
            long first = upgrade();
            clients.awaitMore(200);
            assertThat(server.exitCode()).isZero();
            long second = upgrade();
            clients.awaitMore(200);
            clients.end();
            assertThat(second).isNotEqualTo(first);
            Await.until("the former one ends", PATIENCE, () -> ProcessHandle.of(first).isEmpty());
            assertThat(command("stop").out()).contains("The server has ended.");
            Await.until("the last one ends", PATIENCE, () -> ProcessHandle.of(second).isEmpty());
        }
    }

    @Test
    void successorThatDoesNotStartChangesNothing() throws Exception {
        try (ServerProcess server = started()) {
            config("[[mount]]\nfoldr = \"site\"");
            Printed printed = command("upgrade");
            assertThat(printed.exitCode()).isEqualTo(1);
            assertThat(printed.err())
                    .contains("There is no key foldr")
                    .contains("The successor has ended with exit code 2 before it served.")
                    .contains("Nothing has changed");
            assertThat(server.get("/").text()).isEqualTo("hello");
            assertThat(command("status").exitCode()).isZero();
            config("[[mount]]\nfolder = \"site\"");
            long pid = upgrade();
            assertThat(server.exitCode()).isZero();
            assertThat(server.get("/").text()).isEqualTo("hello");
            assertThat(pid).isPositive();
        }
    }

    /// The predecessor does not delete the file of a socket that it has left.
    @Test
    void fileOfAUnixDomainSocketStays() throws Exception {
        Path socket = folder.resolve("web");
        Files.writeString(
                file,
                "listener = [{ address = \"0\" }, { address = \"unix:"
                        + socket
                        + "\" }]\n[[mount]]\nfolder = \"site\"");
        try (ServerProcess server = started()) {
            upgrade();
            assertThat(server.exitCode()).isZero();
            assertThat(RawClient.get(UnixDomainSocketAddress.of(socket), "/").text())
                    .isEqualTo("hello");
            assertThat(command("stop").out()).contains("The server has ended.");
            assertThat(socket).doesNotExist();
        }
    }

    /// A server starts with those applications that can be started, but a successor does not.
    @Test
    void successorMustStartEveryApplication() throws Exception {
        Path war = TestArchive.write(folder, "shop.war", "<web-app/>", COUNTER);
        String mounts =
                "[[mount]]\nfolder = \"site\"\n[[mount]]\nat = \"/shop\"\napp = \"shop.war\"";
        config(mounts);
        try (ServerProcess server = started()) {
            Files.writeString(war, "no archive");
            Printed printed = command("upgrade");
            assertThat(printed.exitCode()).isEqualTo(1);
            assertThat(printed.err())
                    .contains("shop.war was not started")
                    .contains("A successor must start every application.")
                    .contains("Nothing has changed");
            assertThat(server.get("/shop/count").text()).isEqualTo("1");
        }
    }

    @Test
    void withoutEpollNothingChanges() throws Exception {
        try (ServerProcess server = started("--transport", "nio")) {
            Printed printed = command("upgrade");
            assertThat(printed.exitCode()).isEqualTo(1);
            assertThat(printed.err()).contains("epoll");
            assertThat(server.get("/").text()).isEqualTo("hello");
        }
    }

    /// A session is used by one process at a time, so each request sees what the one before stored.
    @Test
    void sessionsInFilesLoseNothing() throws Exception {
        TestArchive.write(folder, "shop.war", "<web-app/>", COUNTER);
        config(
                "applications.sessions.store = \"files=sessions\"\n[[mount]]\nat = \"/shop\"\napp ="
                        + " \"shop.war\"");
        try (ServerProcess server = started();
                Clients clients = new Clients()) {
            for (int i = 0; i < 3; i++) {
                clients.add(counting(server.socketAddress()));
            }
            clients.awaitMore(60);
            upgrade();
            clients.awaitMore(60);
            clients.end();
            assertThat(server.exitCode()).isZero();
        }
    }

    private static Clients.Client counting(InetSocketAddress address) {
        return all -> {
            @Nullable String cookie = null;
            for (int n = 1; !all.isOver(); n++) {
                try (RawClient client = RawClient.connect(address).patience(PATIENCE)) {
                    RawResponse answer =
                            client.exchange(
                                    "GET /shop/count HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                                            + (cookie == null ? "" : "Cookie: " + cookie + "\r\n")
                                            + "\r\n");
                    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
                    assertThat(answer.text()).isEqualTo(Integer.toString(n));
                    @Nullable String set = answer.field("Set-Cookie");
                    cookie = set == null ? cookie : set.substring(0, set.indexOf(';'));
                    all.answered();
                }
            }
        };
    }
}
