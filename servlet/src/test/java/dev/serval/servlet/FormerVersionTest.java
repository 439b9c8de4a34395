package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.route.RouteTable;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.io.OutputStream;
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
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is left of a version of an application that another one has replaced.
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

    @Test
    void requestForAFileKeepsItsSessionAlive() throws Exception {
        try (AppFolder app =
                        new AppFolder()
                                .file("note.txt", "note")
                                .file("WEB-INF/web.xml", "<web-app/>");
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("", app.root())
                                        .servlet(
                                                "/used",
                                                new CodeServlet((request, response) -> {
                                                    long used =
                                                            request.getSession()
                                                                    .getLastAccessedTime();
                                                    response.getWriter().print(used);
                                                })))) {
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
}
