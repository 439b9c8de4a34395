package dev.serval.bench.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.client.HttpConnection;
import dev.serval.bench.load.Browser;
import dev.serval.bench.load.Client;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.FilePeer;
import dev.serval.bench.peer.JvmPeers;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Role;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.war.Item;
import dev.serval.testkit.database.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Starts every container, with the jars of the test's class path, and checks every answer.
@Timeout(120)
class ServletPeerTest {
    private static final int FAIL_SAFE_MILLIS = 30_000;

    /// Is started once, by the first test that needs it.
    private static @Nullable PostgresServer postgres;

    @AfterAll
    static void stopPostgres() {
        if (postgres != null) {
            postgres.close();
        }
    }

    /// Returns the JDBC address of a new database.
    private static String database(String name) throws Exception {
        assumeThat(PostgresServer.isInstalled()).as(PostgresServer.NEEDED).isTrue();
        PostgresServer server = postgres == null ? PostgresServer.start() : postgres;
        postgres = server;
        try (Connection connection = DriverManager.getConnection(server.url())) {
            connection.createStatement().execute("CREATE DATABASE " + name);
        }
        return server.url().replace("/postgres?", "/" + name + "?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow", "grizzly", "grizzly-pipelining"})
    void answersEveryRequestOfTheScenarios(String container, @TempDir Path noJars)
            throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        Scenario scenario = Scenario.named("servlet");
        Map<String, Request> requests = new HashMap<>(scenario.requests());
        requests.putAll(Scenario.named("grizzly").requests());
        requests.putAll(Scenario.named("httperf").requests());
        requests.putAll(Scenario.named("today").requests());
        requests.putAll(Scenario.named("h2").requests());
        try (Stage stage = Stage.create(scenario.files(), Cpus.unpinned(Set.of(0)))) {
            WarFolder.explode(stage.site().root(), Path.of("target/peers"), requests.values());
            try (RunningPeer peer = container(container, noJars).start(stage.logging())) {
                for (Map.Entry<String, Request> request : requests.entrySet()) {
                    assertThat(fault(peer, request.getValue())).as(request.getKey()).isEmpty();
                }
                byte[] file = Files.readAllBytes(stage.site().root().resolve("4k.bin"));
                HttpConnection.Answer answer =
                        HttpConnection.get(peer.port(), "/4k.bin", FAIL_SAFE_MILLIS);
                assertThat(answer.content()).isEqualTo(file);
                assertFault(peer, "/absent", Request.Answer.HELLO, "answers 404");
                assertFault(peer, "/hello", Request.Answer.PIECES, "sends 13 bytes, not 35840");
                assertFault(peer, "/session", Request.Answer.HELLO, "sends 10 bytes, not 13");
                assertLogoutEndsASession(peer);
            }
            assertThat(Files.readString(stage.folder().resolve(container).resolve("access.log")))
                    .as("Common Log Format")
                    .contains("] \"GET /", " HTTP/1.1\" 200 13\n");
        }
    }

    /// ab speaks HTTP/1.0 and keeps a connection only if the server says that it does, too.
    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow", "grizzly"})
    void keepsTheConnectionsOfAb(String container, @TempDir Path noJars) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        Scenario scenario = Scenario.named("grizzly");
        try (Stage stage = Stage.create(Map.of("2k.bin", 2048), Cpus.unpinned(Set.of(0)))) {
            WarFolder.explode(
                    stage.site().root(), Path.of("target/peers"), scenario.requests().values());
            try (RunningPeer peer = container(container, noJars).start(stage);
                    HttpConnection connection = HttpConnection.to(peer.port(), FAIL_SAFE_MILLIS)) {
                for (String path : List.of("/hello", "/2k.bin", "/simple.jsp", "/hello")) {
                    connection.send("GET " + path + " HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
                    assertThat(connection.head().toString())
                            .as(path)
                            .containsIgnoringCase("Connection: keep-alive");
                    assertThat(connection.content()).as(path).isNotEmpty();
                }
            }
        }
    }

    /// The libraries are on the test's class path, not in the application.
    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow", "grizzly"})
    void answersWithARowOfTheDatabase(String container, @TempDir Path noJars) throws Exception {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        String url = database("items_" + container);
        Request item = new Request("/item", Request.Body.NONE, 0, Request.Answer.ITEM);
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)));
                Connection connection = DriverManager.getConnection(url)) {
            connection.createStatement().execute(Item.TABLE);
            WarFolder.explode(stage.site().root(), Path.of("target/peers"), List.of(item));
            String address = "-D" + Item.DATABASE + "=" + url;
            Peer peer = JvmPeers.with(container(container, noJars), List.of(address));
            try (RunningPeer running = peer.start(stage)) {
                assertThat(fault(running, item)).isEmpty();
                connection.createStatement().execute("UPDATE item SET name = 'item of test'");
                assertThat(HttpConnection.get(running.port(), "/item", FAIL_SAFE_MILLIS).text())
                        .contains("\"name\":\"item of test\"");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tomcat, memory, 0",
        "tomcat, files, 3",
        "tomcat, database, 3",
        "jetty, memory, 0",
        "jetty, files, 3",
        "jetty, database, 3",
        "undertow, memory, 0",
    })
    void sessionsOfAStoreAreThereAfterARestart(
            String container, String store, int kept, @TempDir Path noJars) throws Exception {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        String url = store.equals("database") ? database("sessions_" + container) : "";
        try (Stage stage = Stage.create(Map.of(), Cpus.unpinned(Set.of(0)))) {
            WarFolder.explode(stage.site().root(), Path.of("target/peers"), List.of(HELLO));
            FilePeer peer =
                    ((FilePeer) container(container, noJars)).keeping(store, url).orElseThrow();
            List<String> cookies;
            try (RunningPeer server = peer.start(stage)) {
                cookies = Browser.sessions(session(server), 3);
                assertThat(Browser.counting(session(server), cookies, 2)).isEqualTo(3);
            }
            try (RunningPeer server = peer.start(stage)) {
                assertThat(Browser.counting(session(server), cookies, 3)).isEqualTo(kept);
            }
        }
    }

    @Test
    void librariesAreAddedToTheApplication(@TempDir Path folder) throws IOException {
        Path libraries = Files.createDirectory(folder.resolve("libraries"));
        Files.writeString(libraries.resolve("a.jar"), "a");
        Files.writeString(libraries.resolve("notes.txt"), "no jar");
        Path application = Files.createDirectory(folder.resolve("application"));
        WarFolder.addLibraries(application, libraries);
        WarFolder.addLibraries(application, folder.resolve("absent"));
        try (Stream<Path> jars = Files.list(application.resolve("WEB-INF/lib"))) {
            assertThat(jars).extracting(jar -> jar.getFileName().toString()).containsOnly("a.jar");
        }
    }

    private static final Request HELLO =
            new Request("/hello", Request.Body.NONE, 0, Request.Answer.HELLO);

    @Test
    void applicationHasTheLibrariesThatItsRequestsNeed(@TempDir Path folder) throws IOException {
        for (String peer : List.of("jstl", "servlets")) {
            Path jars = Files.createDirectories(folder.resolve("jars").resolve(peer));
            Files.writeString(jars.resolve(peer + ".jar"), peer);
        }
        Request item = new Request("/item", Request.Body.NONE, 0, Request.Answer.ITEM);
        Path plain = Files.createDirectory(folder.resolve("plain"));
        WarFolder.explode(plain, folder.resolve("jars"), List.of(HELLO));
        assertThat(plain.resolve("WEB-INF/lib")).isDirectoryContaining("glob:**/jstl.jar");
        assertThat(plain.resolve("WEB-INF/lib/servlets.jar")).doesNotExist();
        Path full = Files.createDirectory(folder.resolve("full"));
        WarFolder.explode(full, folder.resolve("jars"), List.of(HELLO, item));
        assertThat(full.resolve("WEB-INF/lib/servlets.jar")).hasContent("servlets");
        Path files = Files.createDirectory(folder.resolve("files"));
        WarFolder.explode(files, folder.resolve("jars"), List.of());
        assertThat(files).isEmptyDirectory();
    }

    private static Client.Target session(RunningPeer server) {
        Request request = new Request("/session?600", Request.Body.NONE, 0, Request.Answer.COUNT);
        return new Client.Target(server.port(), request.page(), request);
    }

    @Test
    void storeThatAPeerDoesNotHaveIsEmpty(@TempDir Path noJars) {
        assertThat(((FilePeer) container("undertow", noJars)).keeping("files", "")).isEmpty();
        assertThat(((FilePeer) container("grizzly", noJars)).keeping("memory", "")).isEmpty();
    }

    private static void assertLogoutEndsASession(RunningPeer server) throws IOException {
        List<String> cookies = Browser.sessions(session(server), 1);
        Request logout = new Request("/session?logout", Request.Body.NONE, 0, Request.Answer.COUNT);
        Client.Target target = new Client.Target(server.port(), logout.page(), logout);
        assertThat(Browser.counting(target, cookies, 2)).isEqualTo(1);
        assertThat(Browser.counting(session(server), cookies, 1)).isEqualTo(1);
    }

    private static void assertFault(
            RunningPeer peer, String path, Request.Answer answer, String fault) throws IOException {
        Request request = new Request(path, Request.Body.NONE, 0, answer);
        assertThat(fault(peer, request)).contains(fault);
    }

    private static Optional<String> fault(RunningPeer peer, Request request) throws IOException {
        return Browser.fault(new Client.Target(peer.port(), request.page(), request));
    }

    private static Peer container(String name, Path jars) {
        Path serval = Path.of("serval.jar");
        return new Peers(Role.SERVLET, serval, jars, List.of(), null, List.of()).named(name);
    }

    @Test
    void everyContainerOfTheScenarioHasAFile(@TempDir Path noJars) throws IOException {
        assertThat(Scenario.named("servlet").references())
                .hasSizeGreaterThan(3)
                .allSatisfy(name -> {
                    assertThat(container(name, noJars).java()).as(name).isTrue();
                    assertThat(container(name, noJars).configuration())
                            .as(name)
                            .contains("-Xmx256m");
                });
    }

    @Test
    void peerWithoutJarsIsMissing(@TempDir Path peers) throws IOException {
        Peer jetty = container("jetty", peers);
        assertThat(jetty.missing())
                .get()
                .asString()
                .contains("jetty has no jetty-server-*.jar: ./serval verify builds it");
        Path jars = Files.createDirectory(peers.resolve("jetty"));
        Files.createFile(jars.resolve("jetty-server-12.1.9.jar"));
        assertThat(jetty.missing()).isEmpty();
        assertThat(jetty.version()).isEqualTo("12.1.9");
    }
}
