package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.Serval;
import dev.serval.WorkerKind;
import dev.serval.file.CacheRule;
import dev.serval.file.FileOptions;
import dev.serval.mode.InMode;
import dev.serval.route.RouteTable;
import dev.serval.servlet.app.AppSpec;
import dev.serval.servlet.app.Deployment;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is left of a version of an application that another one has replaced.
@EveryMode
@Timeout(60)
final class FormerVersionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir private Path folder;

    private static void route(ServletServer server, WebApp app) {
        server.server().routes(RouteTable.builder().mount(app.prefix(), app.handlers()).build());
    }

    @Test
    void endsOnlyAfterItsLastRequest() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        WebApp.Builder first =
                WebApp.at("")
                        .servlet(
                                "/a",
                                new CodeServlet((_, response) -> {
                                    entered.countDown();
                                    Await.open("the request may end", leave);
                                    response.getWriter().print(ended.getCount());
                                }))
                        .listener(
                                new ServletContextListener() {
                                    @Override
                                    public void contextDestroyed(ServletContextEvent event) {
                                        ended.countDown();
                                    }
                                });
        try (ServletServer server = ServletServer.start(first);
                RawClient client = server.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request has begun", entered);
            WebApp next = WebApp.at("").replacing(server.app()).deploy(server.container());
            route(server, next);
            Thread closing = Thread.ofPlatform().start(() -> server.app().close(PATIENCE));
            Await.until(
                    "the former version waits or has ended",
                    () ->
                            closing.getState() == Thread.State.TIMED_WAITING
                                    || closing.getState() == Thread.State.TERMINATED);
            leave.countDown();
            assertThat(client.answer().text()).as("listeners to be called").isEqualTo("1");
            closing.join();
            assertThat(ended.getCount()).isZero();
        } finally {
            leave.countDown();
        }
    }

    /// A connection, for example, may have the first version for long. It gets to the newest one.
    @Test
    void keepsNoLaterVersionButTheNewest() throws Exception {
        try (ServletServer server = ServletServer.start(WebApp.at("").servlet("/a", version(1)))) {
            AtomicReference<WebApp> newest = new AtomicReference<>(server.app());
            List<WeakReference<CodeServlet>> replaced = new ArrayList<>();
            for (int i = 2; i <= 4; i++) {
                replaced.add(replace(server, newest, i));
            }
            WeakReference<CodeServlet> last = replaced.removeLast();
            Await.until(
                    "the versions between are collected",
                    () -> {
                        System.gc();
                        return replaced.stream().allMatch(servlet -> servlet.refersTo(null));
                    });
            assertThat(server.get("/a").text()).isEqualTo("4");
            assertThat(last.refersTo(null)).isFalse();
        }
    }

    private static CodeServlet version(int number) {
        return new CodeServlet((_, response) -> response.getWriter().print(number));
    }

    /// Replaces the newest version, without a new route.
    private static WeakReference<CodeServlet> replace(
            ServletServer server, AtomicReference<WebApp> newest, int number) throws Exception {
        CodeServlet servlet = version(number);
        WebApp former = newest.get();
        WebApp next =
                WebApp.at("").servlet("/a", servlet).replacing(former).deploy(server.container());
        newest.set(next);
        former.close(PATIENCE);
        return new WeakReference<>(servlet);
    }

    /// Such a request was let in by the loop just before the end, and goes on to the next version.
    @Test
    void doesNotWaitForARequestThatComesTooLate() throws Exception {
        AppSpec spec =
                new AppSpec(
                        "",
                        "",
                        null,
                        FormerVersionTest.class.getClassLoader(),
                        0,
                        null,
                        FileOptions.DEFAULT,
                        _ -> {});
        try (ServletContainer container = ServletContainer.open(folder.resolve("work"))) {
            Deployment former = Deployment.start(container.apps(), spec);
            former.close();
            assertThat(former.enter()).isFalse();
            assertThat(former.requestsInProgress()).isZero();
        }
    }

    @Test
    void passesFilesOnAsTheNextVersionServesThem() throws Exception {
        Path app = folder.resolve("app");
        Files.createDirectories(app.resolve("WEB-INF"));
        Files.writeString(app.resolve("a.txt"), "a");
        String request = "GET /a.txt HTTP/1.1\r\nHost: test\r\n\r\n";
        try (ServletServer server =
                        ServletServer.start(WebApp.of("", app).files(caching("first")));
                RawClient client = server.client()) {
            assertThat(client.exchange(request).field("Cache-Control")).isEqualTo("first");
            WebApp next = WebApp.of("", app).replacing(server.app()).deploy(server.container());
            next.serveFiles(caching("second"));
            server.app().close();
            RawResponse answer = client.exchange(request);
            assertThat(answer.text()).isEqualTo("a");
            assertThat(answer.field("Cache-Control")).isEqualTo("second");
        }
    }

    private static FileOptions caching(String control) {
        return FileOptions.DEFAULT.with(
                draft -> draft.cacheRules = List.of(CacheRule.ofPaths(List.of("/**"), control)));
    }

    /// A stream of events never ends by itself.
    @ParameterizedTest(name = "committed: {0}")
    @ValueSource(booleans = {true, false})
    void endsRequestsThatWaitForEver(boolean committed) throws Exception {
        Trace trace = new Trace();
        CountDownLatch waits = new CountDownLatch(1);
        WebApp.Builder app =
                WebApp.at("")
                        .servlet(
                                "/events",
                                new CodeServlet((request, response) -> {
                                    AsyncContext async = request.startAsync();
                                    async.setTimeout(0);
                                    async.addListener(trace.listener());
                                    if (committed) {
                                        response.getWriter().print("data: 1");
                                        response.flushBuffer();
                                    }
                                    waits.countDown();
                                }))
                        .listener(trace);
        try (ServletServer server = ServletServer.start(app);
                RawClient client = server.client()) {
            client.send("GET /events HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request has begun", waits);
            server.app().close(Duration.ofMillis(200));
            RawResponse response = client.answer();
            assertThat(response.status()).isEqualTo(committed ? 200 : 503);
            assertThat(response.text())
                    .contains(committed ? "data: 1" : "is being stopped or replaced");
            assertThat(trace.heard()).containsExactly("timeout", "complete", "destroyed");
            assertThat(server.app().requestsInProgress()).isZero();
            assertThat(server.app().requestsThatWaited()).isZero();
        }
    }

    /// Its listener dispatches it at each timeout, to a servlet that starts again.
    @Test
    void abortsRequestsThatNeverEnd() throws Exception {
        Trace trace = new Trace();
        CountDownLatch waits = new CountDownLatch(1);
        AsyncListener again =
                trace.listener(
                        "",
                        (event, details) -> {
                            if (event.equals("timeout")) {
                                details.getAsyncContext().dispatch("/a");
                            }
                        });
        WebApp.Builder app =
                WebApp.at("")
                        .servlet(
                                "/a",
                                new CodeServlet((request, _) -> {
                                    AsyncContext async = request.startAsync();
                                    async.setTimeout(0);
                                    async.addListener(again);
                                    waits.countDown();
                                }));
        try (ServletServer server = ServletServer.start(app);
                RawClient client = server.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request has begun", waits);
            server.app().close(Duration.ofMillis(200));
            assertThat(client.answer().status()).isEqualTo(503);
            assertThat(trace.heard()).endsWith("error", "complete");
            assertThat(server.app().requestsInProgress()).isZero();
        }
    }

    @Test
    void endsARequestThatBeginsToWaitAfterTheEnd() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        WebApp.Builder app =
                WebApp.at("")
                        .servlet(
                                "/a",
                                new CodeServlet((request, _) -> {
                                    entered.countDown();
                                    Await.open("the application has stopped", leave);
                                    request.startAsync().setTimeout(0);
                                }));
        try (ServletServer server = ServletServer.start(app);
                RawClient client = server.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request has begun", entered);
            server.app().close(Duration.ofMillis(200));
            leave.countDown();
            assertThat(client.answer().status()).isEqualTo(503);
            Await.until("none is left", () -> server.app().requestsInProgress() == 0);
        } finally {
            leave.countDown();
        }
    }

    /// Such a request is as one that was not asynchronous.
    @Test
    void doesNotAbortARequestThatRunsAfterItHasWaited() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AsyncListener onward =
                new Trace()
                        .listener(
                                "",
                                (event, details) -> {
                                    if (event.equals("timeout")) {
                                        details.getAsyncContext().dispatch("/b");
                                    }
                                });
        WebApp.Builder app =
                WebApp.at("")
                        .servlet(
                                "/a",
                                new CodeServlet((request, _) -> {
                                    AsyncContext async = request.startAsync();
                                    async.setTimeout(20);
                                    async.addListener(onward);
                                }))
                        .servlet(
                                "/b",
                                new CodeServlet((_, response) -> {
                                    runs.countDown();
                                    Await.open("the application has stopped", leave);
                                    response.getWriter().print("whole");
                                }));
        try (ServletServer server = ServletServer.start(app);
                RawClient client = server.client()) {
            client.send("GET /a HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request runs", runs);
            server.app().close(Duration.ofMillis(200));
            leave.countDown();
            assertThat(client.answer().text()).isEqualTo("whole");
        } finally {
            leave.countDown();
        }
    }

    @Test
    void keepsNoDescriptorOfItsLibraries() throws Exception {
        assumeThat(Path.of("/proc/self/fd")).as("needs /proc").exists();
        try (AppFolder one = application();
                AppFolder two = application();
                ServletServer server = ServletServer.start(WebApp.of("/app", one.root()))) {
            assertThat(server.get("/app/note").text()).isEqualTo("note");
            assertThat(openFiles()).anyMatch(path -> path.startsWith(one.root().toString()));
            WebApp next =
                    WebApp.of("/app", two.root())
                            .replacing(server.app())
                            .deploy(server.container());
            route(server, next);
            server.app().close(PATIENCE);
            assertThat(server.get("/app/note").text()).isEqualTo("note");
            assertThat(openFiles()).noneMatch(path -> path.startsWith(one.root().toString()));
            next.close();
        }
    }

    private AppFolder application() throws IOException {
        AppFolder app =
                new AppFolder()
                        .source(
                                "Note",
                                """
                                @jakarta.servlet.annotation.WebServlet("/note")
                                public class Note extends jakarta.servlet.http.HttpServlet {
                                    protected void doGet(
                                            jakarta.servlet.http.HttpServletRequest request,
                                            jakarta.servlet.http.HttpServletResponse response)
                                            throws java.io.IOException {
                                        try (java.io.InputStream in =
                                                Note.class.getResource("/note.txt").openStream()) {
                                            response.getOutputStream().write(in.readAllBytes());
                                        }
                                    }
                                }
                                """)
                        .compile();
        Path jar = Files.createDirectories(app.root().resolve("WEB-INF/lib")).resolve("note.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("note.txt"));
            zip.write("note".getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        return app;
    }

    private static List<String> openFiles() throws IOException {
        List<String> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path each : all) {
                try {
                    files.add(Files.readSymbolicLink(each).toString());
                } catch (NoSuchFileException e) {
                    // It was closed meanwhile.
                }
            }
        }
        return files;
    }

    /// Only the unpacked files are shared.
    @Test
    void oneArchiveAtTwoPathsHasTwoTemporaryFolders() throws Exception {
        Path war = folder.resolve("one.war");
        try (OutputStream file = Files.newOutputStream(war);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            zip.write("<web-app/>".getBytes(StandardCharsets.UTF_8));
            zip.closeEntry();
        }
        List<Object> folders = new ArrayList<>();
        try (ServletContainer container = ServletContainer.open(folder.resolve("work"))) {
            for (String path : List.of("/a", "/b")) {
                WebApp _ =
                        WebApp.of(path, war)
                                .listener(
                                        new ServletContextListener() {
                                            @Override
                                            public void contextInitialized(
                                                    ServletContextEvent event) {
                                                folders.add(
                                                        event.getServletContext()
                                                                .getAttribute(
                                                                        ServletContext.TEMPDIR));
                                            }
                                        })
                                .deploy(container);
            }
            assertThat(folders).hasSize(2).doesNotHaveDuplicates().doesNotContainNull();
        }
    }

    /// Threads of the pool serve other applications afterwards.
    @Test
    void threadOfThePoolForgetsTheLoader() throws Exception {
        ClassLoader own = new URLClassLoader(new URL[0], FormerVersionTest.class.getClassLoader());
        AtomicReference<Thread> used = new AtomicReference<>();
        AtomicReference<ClassLoader> seen = new AtomicReference<>();
        WebApp.Builder builder =
                WebApp.at("")
                        .loader(own)
                        .servlet(
                                "/a",
                                new CodeServlet((_, _) -> {
                                    Thread thread = Thread.currentThread();
                                    used.set(thread);
                                    seen.set(thread.getContextClassLoader());
                                }));
        try (ServletContainer container = ServletContainer.open(folder.resolve("work"));
                WebApp app = builder.deploy(container);
                Serval server =
                        InMode.startPlain(
                                Serval.listen(0)
                                        .loops(1)
                                        .workers(WorkerKind.PLATFORM)
                                        .mount(app.prefix(), app.handlers()))) {
            assertThat(RawClient.get(server.addresses().getFirst(), "/a").status()).isEqualTo(200);
            Await.until("the request has left its thread", () -> server.workers() == 0);
            assertThat(seen.get()).isSameAs(own);
            assertThat(used.get().isVirtual()).as("ends with its request").isFalse();
            assertThat(used.get().getContextClassLoader()).isNotSameAs(own);
        }
    }

    /// The loop answers a plain request for a file. With a filter, a Worker does.
    @ParameterizedTest(name = "filtered: {0}")
    @ValueSource(booleans = {false, true})
    void requestForAFileKeepsItsSessionAlive(boolean filtered) throws Exception {
        try (AppFolder app =
                        new AppFolder()
                                .file("note.txt", "note")
                                .file("WEB-INF/web.xml", "<web-app/>");
                ServletServer server = ServletServer.start(showsLastUse(app, filtered))) {
            RawResponse created = server.get("/used");
            String field = Objects.requireNonNull(created.field("Set-Cookie"));
            String cookie = "Cookie: " + field.substring(0, field.indexOf(';'));
            server.get("/used", cookie);
            long before = System.currentTimeMillis();
            Await.until("the clock has moved", () -> System.currentTimeMillis() > before);
            assertThat(server.get("/note.txt", cookie).text()).isEqualTo("note");
            assertThat(Long.parseLong(server.get("/used", cookie).text())).isGreaterThan(before);
        }
    }

    private static WebApp.Builder showsLastUse(AppFolder app, boolean filtered) {
        WebApp.Builder builder =
                WebApp.of("", app.root())
                        .servlet(
                                "/used",
                                new CodeServlet((request, response) -> {
                                    long used = request.getSession().getLastAccessedTime();
                                    response.getWriter().print(used);
                                }));
        return filtered
                ? builder.filter(
                        "*.txt", (request, response, chain) -> chain.doFilter(request, response))
                : builder;
    }
}
