package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Mounted;
import dev.serval.config.Mistakes;
import dev.serval.config.Node;
import dev.serval.config.TomlFile;
import dev.serval.control.Commands;
import dev.serval.settings.Mount;
import dev.serval.settings.Place;
import dev.serval.settings.Problems;
import dev.serval.settings.Rereading;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SettingsFile;
import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changes of the configuration of a server in this process.
@Timeout(120)
final class ReloadsTest {
    private static final String CONFIG =
            """
            applications.logs = "none"
            listener = [{ address = "0" }]
            # The files
            [[mount]]
            folder = "one" # for now
            """;

    @TempDir Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private Path file;
    private @Nullable Serval serval;
    private @Nullable Applications applications;

    @BeforeEach
    void prepare() throws IOException {
        file = folder.resolve("serval.toml");
        for (String name : List.of("one", "two")) {
            Files.writeString(
                    Files.createDirectories(folder.resolve(name)).resolve("index.html"), name);
        }
    }

    @AfterEach
    void stop() {
        if (serval != null) {
            serval.close();
        }
        if (applications != null) {
            applications.close();
        }
    }

    private RunOptions options() {
        Problems problems = new Problems();
        @Nullable SettingsFile read = SettingsFile.read(file, Map.of(), problems);
        assertThat(problems.sentences()).isEmpty();
        return Objects.requireNonNull(read).options();
    }

    private Rereading rereading() {
        return (tree, problems) -> {
            if (tree != null) {
                return SettingsFile.of(tree, file, "", new Mistakes(), problems).options();
            }
            @Nullable SettingsFile read = SettingsFile.read(file, Map.of(), problems);
            return read == null ? null : read.options();
        };
    }

    private Reloads started(String config) throws IOException {
        return started(config, rereading());
    }

    private Reloads started(String config, Rereading rereading) throws IOException {
        Files.writeString(file, config);
        RunOptions options = options();
        return new Reloads(site(options), options, rereading);
    }

    private LiveSite site(RunOptions options) throws IOException {
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Applications apps = new Applications(out, out, options.apps());
        applications = apps;
        apps.serveFiles(options.served().appFiles());
        Map<Place, Mounted> mounted = new LinkedHashMap<>();
        for (Mount mount : apps.start(options.served().mounts())) {
            mounted.put(
                    mount.place(),
                    mount.application() ? new Mounted(apps.handlers(mount)) : Chains.of(mount));
        }
        SiteLogs logs = new SiteLogs();
        Rules rules = Rules.none(logs).changedTo(options.served());
        options.served()
                .rules()
                .keySet()
                .forEach(place -> mounted.putIfAbsent(place, new Mounted()));
        RunningSite running = RunningSite.start(options, apps, mounted, rules, logs);
        serval = running.serval();
        return running.site();
    }

    private String get(String path) {
        return RawClient.get(Objects.requireNonNull(serval).addresses().getFirst(), path).text();
    }

    private int status(String path) {
        return RawClient.get(Objects.requireNonNull(serval).addresses().getFirst(), path).status();
    }

    private static Node.Table tree(String text) {
        Mistakes mistakes = new Mistakes();
        Node.Table tree = TomlFile.read("test", text, Map.of(), mistakes);
        assertThat(mistakes.lines()).isEmpty();
        return Objects.requireNonNull(tree);
    }

    /// Returns a change that adds a table or replaces a value.
    private static Reloads.Edit setting(String key, String text) {
        return (present, mistakes) -> with(present, key, text);
    }

    private static Node.Table with(Node.Table present, String key, String text) {
        Map<String, Node> entries = new LinkedHashMap<>(present.entries());
        entries.put(key, Objects.requireNonNull(tree(text).entries().get(key)));
        return new Node.Table("", entries);
    }

    private static final String TWO = "[[mount]]\nfolder = \"two\"\n";

    @Test
    void ofTwoChangesAtOneInstantEachSeesTheOther() throws Exception {
        Reloads reloads = started(CONFIG);
        CountDownLatch inFirst = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        FutureTask<Reloads.Outcome> first =
                inThread(() ->
                        reloads.change(
                                (present, mistakes) -> {
                                    inFirst.countDown();
                                    await(goesOn);
                                    return with(present, "mount", TWO);
                                },
                                false));
        inFirst.await();
        FutureTask<Reloads.Outcome> second =
                new FutureTask<>(
                        () -> reloads.change(setting("limits", "limits.content = \"1k\""), false));
        Thread waiting = Thread.ofPlatform().daemon().start(second);
        Await.until(
                "the second change waits",
                () -> waiting.getState() == Thread.State.BLOCKED || second.isDone());
        goesOn.countDown();
        assertThat(first.get()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(second.get()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(get("/")).isEqualTo("two");
        assertThat(Objects.requireNonNull(reloads.tree()).entries()).containsKey("limits");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> FutureTask<T> inThread(java.util.concurrent.Callable<T> code) {
        FutureTask<T> task = new FutureTask<>(code);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    /// A save on a full disk leaves such a file.
    @Test
    void emptyFileIsRefused() throws Exception {
        Reloads reloads = started(CONFIG);
        Files.writeString(file, "\n");
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Wrong.class);
        assertThat(get("/")).isEqualTo("one");
    }

    @Test
    void editThatRefusesChangesNothing() throws Exception {
        Reloads reloads = started(CONFIG);
        assertThatThrownBy(() ->
                        reloads.change(
                                (present, mistakes) -> {
                                    throw new IllegalStateException("another configuration");
                                },
                                true))
                .hasMessage("another configuration");
        assertThat(get("/")).isEqualTo("one");
        assertThat(file).hasContent(CONFIG);
    }

    @Test
    void savedChangeIsInTheFileWithItsCommentsAndPermissions() throws Exception {
        Reloads reloads = started(CONFIG);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(reloads.change(setting("mount", TWO), true))
                .isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(file).hasContent(CONFIG.replace("\"one\"", "\"two\""));
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        assertThat(reloads.change(setting("mount", "[[mount]]\nfolder = \"one\"\n"), true))
                .as("a second one, after the file was changed by the first")
                .isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(file).hasContent(CONFIG);
        assertThat(folder).isDirectoryNotContaining("glob:**.serval*");
    }

    @Test
    void changeThatCannotBeWrittenIsNotMade() throws Exception {
        Reloads reloads = started(CONFIG);
        Files.delete(file);
        Files.createSymbolicLink(file, folder.resolve("gone/serval.toml"));
        Reloads.Outcome outcome = reloads.change(setting("mount", TWO), true);
        assertThat(outcome).isInstanceOf(Reloads.Outcome.Failed.class);
        assertThat(get("/")).isEqualTo("one");
    }

    @Test
    void refusedChangeLeavesTheFileAsItIs() throws Exception {
        Reloads reloads = started(CONFIG);
        assertThat(reloads.change(setting("mount", "[[mount]]\nfolder = \"gone\"\n"), true))
                .isInstanceOf(Reloads.Outcome.Wrong.class);
        assertThat(file).hasContent(CONFIG);
        assertThat(folder).isDirectoryNotContaining("glob:**.serval*");
    }

    @Test
    void fileThatChangesMeanwhileIsKeptAndTheAnswerSaysThatTheChangeIsInForce() throws Exception {
        Rereading usual = rereading();
        String hand = CONFIG + "# by hand\n";
        Reloads reloads =
                started(
                        CONFIG,
                        (tree, problems) -> {
                            write(hand);
                            return usual.read(tree, problems);
                        });
        Reloads.Outcome outcome = reloads.change(setting("mount", TWO), true);
        assertThat(outcome).isInstanceOf(Reloads.Outcome.Unsaved.class);
        assertThat(((Reloads.Outcome.Unsaved) outcome).why())
                .startsWith("The change is in force, but not saved: ")
                .contains("was changed since it was read");
        assertThat(get("/")).isEqualTo("two");
        assertThat(file).hasContent(hand);
        assertThat(folder).isDirectoryNotContaining("glob:**.serval*");
    }

    private void write(String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void changeIsRefusedWhilePaused() throws Exception {
        Reloads reloads = started(CONFIG);
        reloads.pause("An upgrade.");
        write(CONFIG.replace("one", "two"));
        assertThat(reloads.reload()).isEqualTo(new Reloads.Outcome.Failed("An upgrade."));
        assertThat(reloads.change(setting("mount", TWO), false))
                .isEqualTo(new Reloads.Outcome.Failed("An upgrade."));
        assertThat(get("/")).isEqualTo("one");
        reloads.resume();
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(get("/")).isEqualTo("two");
    }

    /// Keeps what a client sees.
    private static final class Lines implements Commands.Answer {
        private final List<String> all = new ArrayList<>();

        @Override
        public void line(String text) {
            all.add(text);
        }

        @Override
        public void problem(String text) {
            all.add("problem: " + text);
        }
    }

    private static final String APP = "[[mount]]\nat = \"/app\"\napp = \"app\"\n";

    private void app(String descriptor) throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("app/WEB-INF")).resolve("web.xml"),
                descriptor);
        Files.writeString(folder.resolve("app/index.html"), "app");
    }

    @Test
    void applicationThatFailedAtTheStartIsTriedAgain() throws Exception {
        app("<web-app><x/></web-app>");
        Reloads reloads = started(CONFIG + APP);
        assertThat(status("/app/")).isEqualTo(404);
        Lines lines = new Lines();
        assertThat(reloads.reload(lines)).as("while it still fails").isZero();
        assertThat(lines.all)
                .hasSize(2)
                .anyMatch(line -> line.contains("app was not started: "))
                .contains("The configuration is in force.");
        write(CONFIG.replace("one", "two") + APP);
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(get("/")).as("the others").isEqualTo("two");
        app("<web-app/>");
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(get("/app/index.html")).isEqualTo("app");
    }

    @Test
    void undeployedApplicationIsNotTriedAgain() throws Exception {
        app("<web-app/>");
        Files.writeString(file, CONFIG + APP);
        RunOptions options = options();
        LiveSite site = site(options);
        Reloads reloads = new Reloads(site, options, rereading());
        assertThat(site.undeploy(Place.at("/app")).end()).isZero();
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(status("/app/index.html")).isEqualTo(404);
    }

    @Test
    void placeWithRulesOnlyTakesAnApplicationUnlessTheyRedirect() throws Exception {
        app("<web-app><x/></web-app>");
        Files.writeString(
                file,
                CONFIG
                        + APP
                        + "access = [\"deny 10.0.0.0/8\"]\n[[mount]]\nat = \"/gone\"\nredirect = \"/\"\n");
        LiveSite site = site(options());
        app("<web-app/>");
        assertThat(site.deploy(Mount.application(Place.at("/app"), folder.resolve("app"))).former())
                .isNull();
        assertThat(get("/app/index.html")).isEqualTo("app");
        Mount behind = Mount.application(Place.at("/gone"), folder.resolve("app"));
        assertThatThrownBy(() -> site.deploy(behind))
                .hasMessageContaining("Something else is served at /gone");
    }

    private static String listeningAt(String address) {
        return CONFIG.replace("{ address = \"0\" }", "{ address = \"" + address + "\" }");
    }

    @Test
    void addressWidensAndNarrowsWithoutAFailedRequest() throws Exception {
        int port = FreePort.find();
        Reloads reloads = started(listeningAt("127.0.0.1:" + port));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            clients.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!over.get()) {
                                    try {
                                        String text = RawClient.get(address, "/").text();
                                        if (!text.equals("one")) {
                                            failures.add(text);
                                        }
                                    } catch (RuntimeException | AssertionError e) {
                                        failures.add(e.toString());
                                    }
                                }
                            }));
        }
        String all = "0.0.0.0 [::] 0.0.0.0 [::] 127.0.0.1 [::] [::1] 127.0.0.1";
        for (String next : all.split(" ", -1)) {
            if (next.equals("[::1]")) { // clients of 127.0.0.1 are to be refused there
                over.set(true);
                for (Thread client : clients) {
                    client.join();
                }
            }
            write(listeningAt(next + ":" + port));
            Lines lines = new Lines();
            assertThat(reloads.reload(lines)).as(next + lines.all).isZero();
            assertThat(lines.all).as(next).noneMatch(line -> line.startsWith("problem"));
        }
        assertThat(failures).isEmpty();
        assertThat(Objects.requireNonNull(serval).addresses()).containsExactly(address);
        assertThat(RawClient.get(address, "/").text()).isEqualTo("one");
    }

    @Test
    void otherKindOfListenerKeepsItsSocket() throws Exception {
        Path socket = folder.resolve("s");
        Reloads reloads = started(listeningAt("unix:" + socket));
        Object key = Files.readAttributes(socket, BasicFileAttributes.class).fileKey();
        write(
                listeningAt("unix:" + socket)
                        .replace("\" }", "\", backlog = 9, limits.requests = 5 }"));
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(Files.readAttributes(socket, BasicFileAttributes.class).fileKey())
                .isEqualTo(key);
        assertThat(RawClient.get(UnixDomainSocketAddress.of(socket), "/").text()).isEqualTo("one");
        assertThat(Objects.requireNonNull(serval).addresses()).hasSize(1);
    }

    /// The first two are equal, and all are at the same place for the configuration.
    @Test
    void listenersAtAnyFreePortKeepTheirPorts() throws Exception {
        String equal = "{ address = \"0\" }";
        String other = "{ address = \"0\", backlog = 9 }";
        Reloads reloads = started(CONFIG.replace(equal, equal + ", " + equal + ", " + other));
        List<SocketAddress> three = addresses();
        assertThat(three).hasSize(3).doesNotHaveDuplicates();
        reload(reloads, equal + ", " + other);
        assertThat(addresses()).containsExactlyInAnyOrder(three.get(0), three.get(2));
        reload(reloads, other);
        assertThat(addresses()).containsExactly(three.get(2));
        reload(reloads, other + ", " + equal + ", " + equal);
        assertThat(addresses()).hasSize(3).doesNotHaveDuplicates().contains(three.get(2));
        for (SocketAddress each : addresses()) {
            assertThat(RawClient.get(each, "/").text()).isEqualTo("one");
        }
    }

    /// They are found by all of what they are, then by what a reload can change, then by their place.
    @Test
    void changedListenersAtAnyFreePortKeepTheirPorts() throws Exception {
        String[] all = {
            "{ address = \"0\", backlog = 7, limits.requests = 5 }",
            "{ address = \"0\", backlog = 8, limits.requests = 5 }",
            "{ address = \"0\", backlog = 8, limits.requests = 6 }"
        };
        Reloads reloads = started(CONFIG.replace("{ address = \"0\" }", String.join(", ", all)));
        List<SocketAddress> three = addresses();
        reload(reloads, all[0] + ", " + all[2]);
        assertThat(addresses()).containsExactlyInAnyOrder(three.get(0), three.get(2));
        reload(reloads, all[1]);
        assertThat(addresses()).containsExactly(three.get(2));
        reload(reloads, all[0]);
        assertThat(addresses()).containsExactly(three.get(2));
    }

    private void reload(Reloads reloads, String listeners) throws IOException {
        write(CONFIG.replace("{ address = \"0\" }", listeners));
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
    }

    private List<SocketAddress> addresses() {
        return Objects.requireNonNull(serval).addresses();
    }

    @Test
    void newListenerAcceptsOnlyIfTheChangeIsMade() throws Exception {
        int port = FreePort.find();
        Reloads reloads = started(CONFIG);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        app("<web-app><x/></web-app>");
        String both =
                CONFIG.replace(
                        "{ address = \"0\" }",
                        "{ address = \"0\" }, { address = \"" + port + "\" }");
        write(both + APP);
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Failed.class);
        assertThat(refuses(address)).isTrue();
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            write(both);
            assertThat(reloads.reload())
                    .as("while taken")
                    .isInstanceOf(Reloads.Outcome.Failed.class);
            assertThat(taken.isBound()).isTrue();
        }
        assertThat(Objects.requireNonNull(serval).addresses()).hasSize(1);
        assertThat(reloads.reload()).isInstanceOf(Reloads.Outcome.Applied.class);
        assertThat(RawClient.get(address, "/").text()).isEqualTo("one");
    }

    private static boolean refuses(InetSocketAddress address) {
        try (Socket _ = new Socket(address.getAddress(), address.getPort())) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /// The change is refused at its last step, when the address is bound already.
    @Test
    void listenerOfARefusedChangeNeverAccepts() throws Exception {
        Files.writeString(file, CONFIG);
        RunOptions before = options();
        LiveSite site = site(before);
        int port = FreePort.find();
        write(listeningAt("0\" }, { address = \"" + port));
        RunOptions after = options();
        site.close(); // so that the change is refused
        assertThatThrownBy(() -> site.apply(before, after)).hasMessageContaining("being stopped");
        try (ListenerChange change =
                site.listening().prepare(site.serval(), after.engine().listeners())) {
            assertThat(change.next()).hasSize(2);
            if (site.serval().transport().equals("epoll")) { // with java.nio, clients wait
                assertThat(refuses(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
                        .isTrue();
            }
        }
        assertThat(site.serval().addresses()).hasSize(1);
    }

    @Test
    void refusedRouteChangesNothing() throws Exception {
        Files.writeString(file, CONFIG);
        LiveSite site = site(options());
        List<String> effects = new ArrayList<>();
        LiveSite.Exchange odd =
                new LiveSite.Exchange() {
                    @Override
                    public Set<Place> of(Map<Place, Mounted> mounted) {
                        mounted.clear();
                        mounted.put(new Place("no host", "/"), new Mounted(x -> x.pass()));
                        return Set.of();
                    }

                    @Override
                    public void effects() {
                        effects.add("in force");
                    }
                };
        assertThatThrownBy(() -> site.change(Rules.none(new SiteLogs()), odd))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(effects).isEmpty();
        assertThat(get("/")).isEqualTo("one");
        app("<web-app/>");
        assertThat(site.deploy(Mount.application(Place.at("/app"), folder.resolve("app"))).former())
                .as("a later change")
                .isNull();
        assertThat(get("/")).isEqualTo("one");
        assertThat(get("/app/index.html")).isEqualTo("app");
    }
}
