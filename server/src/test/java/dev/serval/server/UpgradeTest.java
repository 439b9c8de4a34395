package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.net.epoll.EpollNetwork;
import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.process.ProcessTree;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
    private ServalUser user;

    @BeforeEach
    void prepare() throws IOException {
        assumeTrue(
                EpollNetwork.unavailable() == null, "needs epoll: " + EpollNetwork.unavailable());
        user = new ServalUser(folder);
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "hello");
        user.writes("[[mount]]\nfolder = \"site\"");
    }

    @AfterEach
    void endSuccessors() {
        for (long pid : successors) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /// Upgrades the server, and returns the number of the process that serves from then on.
    private long upgrade() throws Exception {
        ServalUser.Printed printed = user.types("upgrade");
        assertThat(printed.exitCode()).as(printed.toString()).isZero();
        String line = printed.out().getLast();
        assertThat(line).startsWith("Process ").contains(" serves from now on.");
        long pid = Long.parseLong(line.split(" ", 3)[1]);
        successors.add(pid);
        return pid;
    }

    /// A save on a full disk leaves such a file. A successor would serve a page that says welcome.
    @Test
    void emptyFileIsRefused() throws Exception {
        try (ServerProcess server = user.starts()) {
            Files.writeString(user.file(), "");
            ServalUser.Printed printed = user.types("upgrade");
            assertThat(printed.exitCode()).isEqualTo(2);
            assertThat(printed.err()).contains("is empty", "Nothing has changed.");
            assertThat(server.get("/").text()).isEqualTo("hello");
        }
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

    private static boolean hasEnded(long pid) {
        return ProcessHandle.of(pid).map(ProcessTree::hasEnded).orElse(true);
    }

    /// All processes append to the same access log.
    @Test
    void noRequestFailsWhileProcessesSucceedEachOtherAndEachIsLogged() throws Exception {
        Path log = folder.resolve("access.log");
        try (ServerProcess server = user.starts("--access-log", log + ",common");
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
            Await.until("the former one ends", PATIENCE, () -> hasEnded(first));
            assertThat(user.types("stop").out()).contains("The server has ended.");
            Await.until("the last one ends", PATIENCE, () -> hasEnded(second));
            assertThat(Files.readAllLines(log))
                    .hasSize(clients.answers.get())
                    .allMatch(line -> line.endsWith("] \"GET / HTTP/1.1\" 200 5"));
        }
    }

    /// Waits in its start as long as there is a file.
    private static final String WAITING =
            """
            @jakarta.servlet.annotation.WebServlet(value = "/wait", loadOnStartup = 1)
            public class Hello extends jakarta.servlet.http.HttpServlet {
                public void init() {
                    java.nio.file.Path hold = java.nio.file.Path.of("FOLDER/hold/file");
                    try (var changes = hold.getFileSystem().newWatchService()) {
                        hold.getParent().register(
                                changes, java.nio.file.StandardWatchEventKinds.ENTRY_DELETE);
                        java.nio.file.Files.writeString(
                                java.nio.file.Path.of("FOLDER/starting"), "");
                        while (java.nio.file.Files.exists(hold)) {
                            changes.take().reset();
                        }
                    } catch (java.io.IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            """;

    /// Writes `wait.war`.
    ///
    /// @return the file that it waits for the end of
    private Path writesAWaitingApplication() throws IOException {
        TestArchive.write(
                folder, "wait.war", "<web-app/>", WAITING.replace("FOLDER", folder.toString()));
        return Files.createFile(Files.createDirectory(folder.resolve("hold")).resolve("file"));
    }

    @Test
    void reloadDuringAnUpgradeIsRefused() throws Exception {
        Path hold = writesAWaitingApplication();
        String site = "[[mount]]\nfolder = \"site\"\n";
        ServerProcess server = user.starts();
        user.writes(site + "[[mount]]\nat = \"/wait\"\napp = \"wait.war\"\n");
        try (server;
                ServerProcess command =
                        ServerProcess.start(user.environment(), List.of("upgrade"))) {
            Await.until("it starts", PATIENCE, () -> Files.exists(folder.resolve("starting")));
            ServalUser.Printed reload = user.types("reload");
            assertThat(reload.exitCode()).isEqualTo(1);
            assertThat(reload.err()).contains("An upgrade is in progress", "Nothing has changed.");
            Files.delete(hold);
            assertThat(command.exitCode()).isZero();
            successors.add(Long.parseLong(command.rest().getLast().split(" ", 3)[1]));
            assertThat(server.exitCode()).isZero();
        }
    }

    /// Otherwise the command stop would say that the server has ended, and the successor would serve on.
    @Test
    void stopDuringAnUpgradeEndsTheSuccessor() throws Exception {
        Path hold = writesAWaitingApplication();
        String site = "server.stop-delay = \"3s\"\n[[mount]]\nfolder = \"site\"\n";
        user.writes(site);
        ServerProcess server = user.starts();
        user.writes(site + "[[mount]]\nat = \"/wait\"\napp = \"wait.war\"\n");
        try (server;
                ServerProcess command =
                        ServerProcess.start(user.environment(), List.of("upgrade"))) {
            Await.until("it starts", PATIENCE, () -> Files.exists(folder.resolve("starting")));
            server.children().forEach(successors::add);
            server.signal("TERM");
            server.awaitLine("Stopping in 3 s: load balancers should send no more requests.");
            Files.delete(hold);
            assertThat(command.exitCode()).isEqualTo(1);
            assertThat(command.errors())
                    .contains("The successor was ended, because this server is ending.");
            assertThat(server.exitCode()).isZero();
            try (Socket client = new Socket()) {
                assertThatThrownBy(() -> client.connect(server.socketAddress()))
                        .isInstanceOf(ConnectException.class);
            }
        }
    }

    /// A service manager may send them to all processes of the service, and so to a successor.
    @Test
    void signalsDuringTheStartAreCarriedOutAfterIt() throws Exception {
        Path hold = writesAWaitingApplication();
        user.writes("[[mount]]\nat = \"/wait\"\napp = \"wait.war\"\n");
        List<String> run = List.of("run", "--config", user.file().toString());
        try (ServerProcess server = ServerProcess.start(user.environment(), run)) {
            Await.until("it starts", PATIENCE, () -> Files.exists(folder.resolve("starting")));
            server.signal("HUP");
            server.signal("USR1");
            Files.delete(hold);
            server.awaitLine("Ctrl-C stops it.");
            server.signal("TERM");
            List<String> printed = new ArrayList<>(server.screen());
            printed.addAll(server.rest());
            assertThat(printed).contains("The log files are open again.");
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void successorThatDoesNotStartChangesNothing() throws Exception {
        try (ServerProcess server = user.starts()) {
            user.writes("[[mount]]\nfoldr = \"site\"");
            ServalUser.Printed printed = user.types("upgrade");
            assertThat(printed.exitCode()).isEqualTo(1);
            assertThat(printed.err())
                    .contains("There is no key foldr")
                    .contains("The successor has ended with exit code 2 before it served.")
                    .contains("Nothing has changed");
            assertThat(server.get("/").text()).isEqualTo("hello");
            assertThat(user.types("status").exitCode()).isZero();
            user.writes("[[mount]]\nfolder = \"site\"");
            long pid = upgrade();
            assertThat(server.exitCode()).isZero();
            assertThat(server.get("/").text()).isEqualTo("hello");
            assertThat(pid).isPositive();
        }
    }

    /// Without it, a fresh start would serve the welcome page in its place.
    @Test
    void fileThatWasFoundWithoutAnArgumentMustNotBeMissingLater() throws Exception {
        try (ServerProcess server = user.startsThere()) {
            Files.delete(user.file());
            ServalUser.Printed upgrade = user.types("upgrade");
            assertThat(upgrade.exitCode()).isEqualTo(1);
            assertThat(upgrade.err())
                    .contains(user.file() + ": There is no such file", "Nothing has changed");
            ServalUser.Printed reload = user.types("reload");
            assertThat(reload.exitCode()).isEqualTo(1);
            assertThat(reload.err())
                    .contains("serval.toml: There is no such file", "Nothing has changed.");
            assertThat(server.get("/").text()).isEqualTo("hello");
            user.writes("[[mount]]\nfolder = \"site\"");
            assertThat(upgrade()).isPositive();
            assertThat(server.exitCode()).isZero();
            assertThat(server.get("/").text()).isEqualTo("hello");
        }
    }

    /// The predecessor does not delete the file of a socket that it has left.
    @Test
    void fileOfAUnixDomainSocketStays() throws Exception {
        Path socket = folder.resolve("web");
        Files.writeString(
                user.file(),
                "listener = [{ address = \"0\" }, { address = \"unix:"
                        + socket
                        + "\" }]\n[[mount]]\nfolder = \"site\"");
        try (ServerProcess server = user.starts()) {
            upgrade();
            assertThat(server.exitCode()).isZero();
            assertThat(RawClient.get(UnixDomainSocketAddress.of(socket), "/").text())
                    .isEqualTo("hello");
            assertThat(user.types("stop").out()).contains("The server has ended.");
            assertThat(socket).doesNotExist();
        }
    }

    /// A server starts with those applications that can be started, but a successor does not.
    @Test
    void successorMustStartEveryApplication() throws Exception {
        Path war = TestArchive.write(folder, "shop.war", "<web-app/>", COUNTER);
        String mounts =
                "[[mount]]\nfolder = \"site\"\n[[mount]]\nat = \"/shop\"\napp = \"shop.war\"";
        user.writes(mounts);
        try (ServerProcess server = user.starts()) {
            Files.writeString(war, "no archive");
            ServalUser.Printed printed = user.types("upgrade");
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
        try (ServerProcess server = user.starts("--transport", "nio")) {
            ServalUser.Printed printed = user.types("upgrade");
            assertThat(printed.exitCode()).isEqualTo(1);
            assertThat(printed.err()).contains("epoll");
            assertThat(server.get("/").text()).isEqualTo("hello");
        }
    }

    @Test
    void logOfAnApplicationContinuesInItsFile() throws Exception {
        String printing = "System.out.println(\"visit \" + now);\nresponse.getWriter()";
        TestArchive.write(
                folder,
                "shop.war",
                "<web-app/>",
                COUNTER.replace("response.getWriter()", printing));
        Files.writeString(
                user.file(),
                """
                applications.logs = "logs"
                listener = [{ address = "0" }]
                [[mount]]
                at = "/shop"
                app = "shop.war"
                """);
        try (ServerProcess server = user.starts()) {
            upgrade();
            assertThat(server.exitCode()).isZero();
            assertThat(server.get("/shop/count").text()).isEqualTo("1");
            assertThat(user.types("stop").out()).contains("The server has ended.");
            assertThat(folder.resolve("logs/shop.log")).content().contains("visit 1");
        }
    }

    /// A session is used by one process at a time, so each request sees what the one before stored.
    @Test
    void sessionsInFilesLoseNothing() throws Exception {
        TestArchive.write(folder, "shop.war", "<web-app/>", COUNTER);
        user.writes(
                "applications.sessions.store = \"files=sessions\"\n[[mount]]\nat = \"/shop\"\napp ="
                        + " \"shop.war\"");
        try (ServerProcess server = user.starts();
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
