package dev.serval.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.accesslog.SiteLogs;
import dev.serval.backend.Backends;
import dev.serval.backend.Mounted;
import dev.serval.control.Commands;
import dev.serval.settings.AppChoice;
import dev.serval.settings.LrwpChoice;
import dev.serval.settings.Mount;
import dev.serval.settings.Place;
import dev.serval.settings.RunOptions;
import dev.serval.settings.SessionChoice;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Changes to a running server, in this process.
@Timeout(120)
final class LiveSiteTest {
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet(value = "/hello", loadOnStartup = 1)
            public class Hello extends jakarta.servlet.http.HttpServlet {
                public void init() {
                    mark("FOLDER/VERSION-starting");
                    java.nio.file.Path hold = java.nio.file.Path.of("FOLDER/hold");
                    try (var changes = hold.getFileSystem().newWatchService()) {
                        hold.getParent().register(
                                changes, java.nio.file.StandardWatchEventKinds.ENTRY_DELETE);
                        while (java.nio.file.Files.exists(hold)) {
                            changes.take().reset();
                        }
                    } catch (java.io.IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    response.getWriter().print("VERSION");
                }
                public void destroy() {
                    mark("FOLDER/VERSION-ended");
                }
                private static void mark(String name) {
                    try {
                        java.nio.file.Files.writeString(java.nio.file.Path.of(name), "");
                    } catch (java.io.IOException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
            """;

    @TempDir Path folder;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private @Nullable Serval serval;
    private @Nullable Applications applications;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("builds"));
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

    private Path archive(String version) throws IOException {
        return archive(version, version);
    }

    /// Writes an archive in place of that of another version.
    private Path archive(String place, String version) throws IOException {
        return write(place, SERVLET.replace("VERSION", version));
    }

    private Path archiveThatWaitsFor(String hold, String version) throws IOException {
        String source = SERVLET.replace("FOLDER/hold", "FOLDER/" + hold);
        return write(version, source.replace("VERSION", version));
    }

    private Path write(String place, String source) throws IOException {
        return TestArchive.write(
                Files.createDirectories(folder.resolve("builds").resolve(place)),
                "shop.war",
                "<web-app/>",
                source.replace("FOLDER", folder.toString()));
    }

    private LiveSite site(boolean dev, Mount... mounts) throws IOException {
        AppChoice options =
                new AppChoice(
                        dev,
                        /* precompile */ false,
                        /* logs */ null,
                        Duration.ZERO,
                        /* users */ null,
                        List.of(),
                        SessionChoice.STANDARD,
                        StandardCharsets.UTF_8,
                        AppChoice.Forms.STANDARD);
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        Applications started = new Applications(out, out, options);
        applications = started;
        Map<Place, Mounted> mounted = new LinkedHashMap<>();
        for (Mount mount : started.start(List.of(mounts))) {
            mounted.put(mount.place(), new Mounted(started.handlers(mount)));
        }
        @Nullable AppDirectory directory = dev ? new AppDirectory() : null;
        if (mounted.isEmpty()) {
            mounted.put(Place.at("/"), new Mounted(WelcomePage.read(false)));
        }
        Serval.Builder builder = Serval.listen(0).loops(1);
        mounted.forEach((place, each) -> builder.mount(place.prefix(), each.handlers()));
        Serval running = builder.start();
        serval = running;
        Backends backends = new Backends(LrwpChoice.NONE, List.of());
        return new LiveSite(
                new LiveSite.Running(
                        running, started, backends, new Listening(List.of()), new SiteLogs()),
                mounted,
                Rules.none(new SiteLogs()),
                directory);
    }

    private static RawResponse get(LiveSite site, String path) {
        return RawClient.get(site.serval().addresses().getFirst(), path);
    }

    private static Mount root(Path app) {
        return Mount.application(Place.at("/"), app);
    }

    /// Fails as the connection of a client that was ended does.
    private static final class GoneClient implements Commands.Answer {
        @Override
        public void line(String text) throws IOException {
            throw new IOException("Broken pipe");
        }

        @Override
        public void problem(String text) throws IOException {
            throw new IOException("Broken pipe");
        }
    }

    private void assertEnded(String version) {
        assertThat(folder.resolve(version + "-ended")).exists();
    }

    @Test
    void failureThatNoOneExpectedRefusesOnlyItsApplication() throws Exception {
        Mount broken =
                Mount.application(
                        Place.at("/broken"), failingPath(new IllegalStateException("unforeseen")));
        Mount unlinked =
                Mount.application(
                        Place.at("/unlinked"), failingPath(new NoClassDefFoundError("gone")));
        LiveSite site =
                site(false, broken, unlinked, Mount.application(Place.at("/good"), archive("one")));
        assertThat(get(site, "/good/hello").text()).isEqualTo("one");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains(
                        "broken path was not started: java.lang.IllegalStateException: unforeseen")
                .contains("broken path was not started: java.lang.NoClassDefFoundError: gone");
    }

    /// Returns a path that cannot be used.
    private static Path failingPath(Throwable failure) {
        return (Path)
                Proxy.newProxyInstance(
                        LiveSiteTest.class.getClassLoader(),
                        new Class<?>[] {Path.class},
                        (self, method, arguments) ->
                                switch (method.getName()) {
                                    case "toString" -> "broken path";
                                    case "hashCode" -> 1;
                                    case "equals" -> arguments[0].toString().equals("broken path");
                                    default -> throw failure;
                                });
    }

    private static SiteCommands commands(LiveSite site) {
        return new SiteCommands(
                site,
                new StatusScreen(site, new Readiness(), 0),
                new Reloads(site, RunOptions.STANDARD, (_, _) -> null),
                new Readiness(),
                Duration.ZERO,
                () -> {});
    }

    @Test
    void formerVersionEndsEvenIfTheClientHasGone() throws Exception {
        LiveSite site = site(false, root(archive("one")));
        SiteCommands commands = commands(site);
        List<String> deploy = List.of("deploy", "", archive("two").toString());
        assertThatIOException().isThrownBy(() -> commands.carryOut(deploy, new GoneClient()));
        assertEnded("one");
        assertThat(get(site, "/hello").text()).isEqualTo("two");
        assertThatIOException()
                .isThrownBy(() -> commands.carryOut(List.of("undeploy", "/"), new GoneClient()));
        assertEnded("two");
        assertThat(get(site, "/hello").status()).isEqualTo(404);
    }

    @Test
    void watchDoesNotRestartWhatTheUserHasEndedOrReplaced() throws Exception {
        Mount one = root(archive("one"));
        LiveSite site = site(false, one);
        LiveSite.Change replaced = site.deploy(root(archive("two")));
        assertThat(replaced.end()).isZero();
        assertThat(site.redeploy(one)).isNull();
        assertThat(get(site, "/hello").text()).isEqualTo("two");
        assertThat(site.undeploy(Place.at("/")).end()).isZero();
        assertThat(site.redeploy(root(archive("two")))).isNull();
        assertThat(site.applications().running()).isEmpty();
    }

    @Test
    void redeployReplacesWhatRuns() throws Exception {
        Mount one = root(archive("one"));
        LiveSite site = site(false, one);
        LiveSite.Change change = Objects.requireNonNull(site.redeploy(one));
        assertThat(change.end()).isZero();
        assertEnded("one");
        assertThat(get(site, "/hello").text()).isEqualTo("one");
    }

    @Test
    void sessionsLiveThroughADeploy() throws Exception {
        LiveSite site = site(false, root(write("one", remembering("one"))));
        RawResponse first = get(site, "/hello");
        assertThat(first.text()).isEqualTo("null");
        String cookie = String.valueOf(first.field("Set-Cookie")).split(";", 2)[0];
        assertThat(site.deploy(root(write("two", remembering("two")))).end()).isZero();
        try (RawClient client = RawClient.connect(site.serval().addresses().getFirst())) {
            String request = "GET /hello HTTP/1.1\r\nHost: a\r\nCookie: " + cookie + "\r\n\r\n";
            assertThat(client.exchange(request).text()).isEqualTo("one");
            assertThat(client.exchange(request).text()).isEqualTo("two");
        }
    }

    /// Returns the source of a servlet that prints which version has served the session last.
    private static String remembering(String version) {
        return SERVLET.replace(
                        "response.getWriter().print(\"VERSION\");",
                        "Object last = request.getSession().getAttribute(\"last\");"
                                + " request.getSession().setAttribute(\"last\", \"VERSION\");"
                                + " response.getWriter().print(last);")
                .replace("VERSION", version);
    }

    @Test
    void listReturnsWhenTheApplicationAtTheRootEnds() throws Exception {
        LiveSite site = site(true, root(archive("one")));
        assertThat(site.deploy(Mount.application(Place.at("/other"), archive("two"))).end())
                .isZero();
        assertThat(get(site, "/hello").text()).isEqualTo("one");
        assertThat(site.undeploy(Place.at("/")).end()).isZero();
        assertThat(get(site, "/").text()).contains("/other/");
        assertThat(site.undeploy(Place.at("/other")).end()).isZero();
        assertThat(get(site, "/").text())
                .contains("This development server has")
                .doesNotContain("/other");
        assertThat(site.deploy(root(archive("three"))).former()).isNull();
        assertThat(get(site, "/hello").text()).isEqualTo("three");
    }

    @Test
    void listReplacesTheWelcomePageInDevelopment() throws Exception {
        LiveSite site = site(true);
        assertThat(site.deploy(Mount.application(Place.at("/shop"), archive("one"))).former())
                .isNull();
        assertThat(get(site, "/").text()).contains("/shop/");
    }

    @Test
    void secondChangeAtOnceIsRefused() throws Exception {
        LiveSite site = site(false, root(archive("one")));
        Path hold = Files.createFile(folder.resolve("hold"));
        Path two = archive("two");
        FutureTask<Integer> first = inThread(() -> site.deploy(root(two)).end());
        awaitStart("two");
        assertThatIOException()
                .isThrownBy(() -> site.deploy(root(two)))
                .withMessageContaining("Another version is being deployed at /: try again");
        assertThatIOException()
                .isThrownBy(() -> site.undeploy(Place.at("/")))
                .withMessageContaining("being deployed at /");
        Files.delete(hold);
        assertThat(first.get()).isZero();
        assertThat(get(site, "/hello").text()).isEqualTo("two");
    }

    @Test
    void startThatHangsDelaysNoOtherApplication() throws Exception {
        Mount one = root(archive("one"));
        LiveSite site = site(true, one);
        Path hold = Files.createFile(folder.resolve("hold"));
        archive("one", "two");
        DevWatch watch = new DevWatch(site, new PrintStream(printed, true, StandardCharsets.UTF_8));
        watch.restart(one);
        awaitStart("two");
        assertThat(watch.isDue(one)).as("while it starts").isFalse();
        Path other = folder.resolve("other.war");
        Files.move(archiveThatWaitsFor("nothing", "other"), other);
        Mount beside = Mount.application(Place.at("/other"), other);
        assertThat(site.deploy(beside).former()).isNull();
        assertThat(get(site, "/other/hello").text()).isEqualTo("other");
        Files.move(
                archiveThatWaitsFor("nothing", "newer"),
                other,
                StandardCopyOption.REPLACE_EXISTING);
        watch.restart(beside);
        Await.until(
                "the other application is restarted",
                () -> get(site, "/other/hello").text().equals("newer"));
        assertThat(get(site, "/hello").text()).isEqualTo("one");
        Files.delete(hold);
        Await.until("the start ends", () -> get(site, "/hello").text().equals("two"));
    }

    @Test
    void stopWaitsForADeployInProgress() throws Exception {
        LiveSite site = site(false, root(archive("one")));
        Path hold = Files.createFile(folder.resolve("hold"));
        Path two = archive("two");
        FutureTask<Integer> deployment = inThread(() -> site.deploy(root(two)).end());
        awaitStart("two");
        FutureTask<Void> stop = new FutureTask<>(site::close, null);
        Thread stopping = Thread.ofPlatform().daemon().start(stop);
        Await.until(
                "the stop waits or is over",
                () -> stopping.getState() == Thread.State.TIMED_WAITING || stop.isDone());
        assertThat(stop.isDone()).as("the stop, while the new version starts").isFalse();
        Files.delete(hold);
        stop.get();
        assertEnded("two");
        assertThatThrownBy(deployment::get).hasMessageContaining("being stopped");
    }

    @Test
    void versionThatHasStartedAfterTheStopEnds() throws Exception {
        LiveSite site = site(false, root(archive("one")));
        Path hold = Files.createFile(folder.resolve("hold"));
        Path two = archive("two");
        FutureTask<Integer> deployment = inThread(() -> site.deploy(root(two)).end());
        awaitStart("two");
        Thread.currentThread().interrupt(); // so that the stop does not wait
        site.close();
        assertThat(Thread.interrupted()).isTrue();
        Files.delete(hold);
        assertThatThrownBy(deployment::get).hasMessageContaining("being stopped");
        assertEnded("two");
        assertThat(get(site, "/hello").text()).isEqualTo("one");
    }

    @Test
    void changeDuringTheStartIsNoticed() throws Exception {
        Path war = archive("one");
        Path hold = Files.createFile(folder.resolve("hold"));
        FutureTask<LiveSite> starting = inThread(() -> site(true, root(war)));
        awaitStart("one");
        archive("one", "two");
        Files.delete(hold);
        LiveSite site = starting.get();
        DevWatch watch = new DevWatch(site, new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(watch.isDue(root(war))).as("a build may still write").isFalse();
        assertThat(watch.isDue(root(war))).isTrue();
    }

    @Test
    void changeThatTheUserHasDeployedIsNotDeployedAgain() throws Exception {
        Mount one = root(archive("one"));
        LiveSite site = site(true, one);
        DevWatch watch = new DevWatch(site, new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(watch.isDue(one)).isFalse();
        archive("one", "two");
        assertThat(site.deploy(one).end()).isZero();
        assertThat(get(site, "/hello").text()).isEqualTo("two");
        assertThat(watch.isDue(one)).isFalse();
        assertThat(watch.isDue(one)).isFalse();
        assertThat(watch.isDue(one)).isFalse();
    }

    private static <T> FutureTask<T> inThread(Callable<T> code) {
        FutureTask<T> task = new FutureTask<>(code);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private void awaitStart(String version) {
        Await.until(version + " starts", () -> Files.exists(folder.resolve(version + "-starting")));
    }

    @Test
    void changeAfterTheStopIsRefused() throws Exception {
        Mount one = root(archive("one"));
        LiveSite site = site(false, one);
        site.close();
        assertThatIOException()
                .isThrownBy(() -> site.deploy(one))
                .withMessageContaining("being stopped");
        assertThatIOException()
                .isThrownBy(() -> site.undeploy(Place.at("/")))
                .withMessageContaining("being stopped");
        assertThatIOException()
                .isThrownBy(() -> site.redeploy(one))
                .withMessageContaining("being stopped");
        assertThat(site.applications().running()).containsOnlyKeys(one);
    }
}
