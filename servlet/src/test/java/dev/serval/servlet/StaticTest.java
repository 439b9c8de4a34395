package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files of an application over sockets (Servlet 6.1 §10.10, §12.2).
@EveryMode
@Timeout(120)
final class StaticTest {
    private static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <welcome-file-list>
                <welcome-file>start</welcome-file>
                <welcome-file>index.html</welcome-file>
              </welcome-file-list>
              <mime-mapping>
                <extension>Shape</extension><mime-type>model/shape</mime-type>
              </mime-mapping>
              <mime-mapping>
                <extension>tar.gz</extension><mime-type>application/never</mime-type>
              </mime-mapping>
              <mime-mapping>
                <extension>odd</extension><mime-type>model/(shape)</mime-type>
              </mime-mapping>
            </web-app>
            """;

    /// Spellings of paths in the folders that are not served.
    private static final List<String> PROTECTED =
            List.of(
                    "/WEB-INF/x",
                    "/WEB-INF",
                    "/WEB-INF/",
                    "/WEB-INF/web.xml",
                    "/web-inf/x",
                    "/Web-Inf/x",
                    "/%57EB-INF/x",
                    "/%57%45%42%2D%49%4E%46/x",
                    "/WEB-INF;x/x",
                    "/WEB-INF;/x",
                    "/;x/WEB-INF/x",
                    "//WEB-INF/x",
                    "/./WEB-INF/x",
                    "/a/../WEB-INF/x",
                    "/a/..;x/WEB-INF/x",
                    "/a/%2e%2e/WEB-INF/x",
                    "/a/%2e%2e;x/WEB-INF/x",
                    "/WEB-INF/../WEB-INF/x",
                    "/WEB-INF%2Fx",
                    "/WEB-INF%5Cx",
                    "/WEB-INF\\x",
                    "/WEB-INF./x",
                    "/WEB-INF%20/x",
                    "/WEB-INF%00/x",
                    "/META-INF/x",
                    "/meta-inf/x",
                    "/META-INF;a=b/x",
                    "/go/..;/WEB-INF/x");

    @TempDir private Path folder;

    @BeforeEach
    void write() throws IOException {
        file("WEB-INF/web.xml", DESCRIPTOR);
        file("WEB-INF/x", "secret");
        file("META-INF/x", "secret");
        file("index.html", "root");
        file("plain.txt", "0123456789");
        file("sub/index.html", "sub");
        file("started/other.html", "other");
        file("a/b.txt", "b");
    }

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private WebApp.Builder app() {
        return WebApp.of("/app", folder)
                .servlet(
                        "/started/start",
                        new CodeServlet((request, response) ->
                                response.getWriter().print("servlet " + request.getServletPath())))
                .servlet(
                        "/go/*",
                        new CodeServlet((request, response) -> {
                            String path = request.getPathInfo();
                            response.getWriter().print("before ");
                            if (request.getParameter("include") == null) {
                                request.getRequestDispatcher(path).forward(request, response);
                            } else {
                                request.getRequestDispatcher(path).include(request, response);
                                response.getWriter().print(" after");
                            }
                        }))
                .servlet(
                        "/session",
                        new CodeServlet((request, response) -> {
                            request.getSession(true);
                            response.getWriter().print(request.getRequestURI());
                        }));
    }

    @ParameterizedTest
    @CsvSource({
        "/app/a/b.shape, model/shape",
        "/app/go/a/b.shape, model/shape",
        "/app/a/b.SHAPE, model/shape",
        "/app/a/b.odd, application/octet-stream",
        "/app/a/b.txt, text/plain; charset=utf-8"
    })
    void mediaTypesOfTheDescriptorCount(String target, String type) throws Exception {
        for (String name : List.of("b.shape", "b.SHAPE", "b.odd")) {
            file("a/" + name, "x");
        }
        WebApp.Builder app =
                app().servlet(
                                "/go/a/*",
                                new CodeServlet((request, response) ->
                                        request.getRequestDispatcher("/a" + request.getPathInfo())
                                                .forward(request, response)));
        try (ServletServer server = ServletServer.start(app)) {
            assertThat(server.get(target).field("Content-Type")).isEqualTo(type);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<welcome-file/>", "<welcome-file>/</welcome-file>"})
    void emptyWelcomeFileLeavesFoldersWithoutOne(String file) throws Exception {
        file(
                "WEB-INF/web.xml",
                SecurityTest.webXml("<welcome-file-list>" + file + "</welcome-file-list>"));
        try (ServletServer server = ServletServer.start(app())) {
            assertThat(server.get("/app/").status()).isEqualTo(404);
            assertThat(server.get("/app/sub/").status()).isEqualTo(404);
            assertThat(server.get("/app/sub/index.html").text()).isEqualTo("sub");
        }
    }

    /// As applications do whose own servlet takes all other paths.
    @ParameterizedTest
    @CsvSource({
        "/app/a/b.txt, 200, b",
        "/app/a/none, 404, ",
        "/app/a/, 404, ",
        "/app/sub/, 200, sub",
        "/app/sub/index.html, 200, sub",
        "/app/other, 200, own /other",
        "/app/, 200, own /",
    })
    void defaultServletServesThePatternsThatTheApplicationMapsToIt(
            String target, int status, String text) throws Exception {
        file(
                "WEB-INF/web.xml",
                SecurityTest.webXml(
                        """
                        <servlet-mapping>
                          <servlet-name>default</servlet-name>
                          <url-pattern>/a/*</url-pattern>
                          <url-pattern>/sub/*</url-pattern>
                        </servlet-mapping>
                        <welcome-file-list><welcome-file>index.html</welcome-file></welcome-file-list>
                        """));
        CodeServlet own =
                new CodeServlet((request, response) ->
                        response.getWriter().print("own " + request.getServletPath()));
        Filter all = (request, response, chain) -> chain.doFilter(request, response);
        try (ServletServer plain = ServletServer.start(app().servlet("/", own));
                ServletServer filtered =
                        ServletServer.start(app().servlet("/", own).filter("/*", all))) {
            for (ServletServer server : List.of(plain, filtered)) {
                RawResponse response = server.get(target);
                assertThat(response.status()).isEqualTo(status);
                if (text != null) {
                    assertThat(response.text()).isEqualTo(text);
                }
            }
        }
    }

    /// The order of the fragments leaves the jar out, but not its resources (Servlet 6.1 §4.6).
    @Test
    void resourcesOfAJarThatIsNoFragmentAreServed() throws Exception {
        try (AppFolder folder =
                        new AppFolder()
                                .file(
                                        "WEB-INF/web.xml",
                                        SecurityTest.webXml("<absolute-ordering/>"))
                                .jar("a.jar", "META-INF/resources/lib/a.js", "script");
                ServletServer server = ServletServer.start(WebApp.of("/app", folder.root()))) {
            assertThat(server.get("/app/lib/a.js").text()).isEqualTo("script");
        }
    }

    /// The welcome file is below the pattern of the default servlet.
    @Test
    void welcomeServletBelowAPatternOfTheDefaultServletIsFound() throws Exception {
        file(
                "WEB-INF/web.xml",
                SecurityTest.webXml(
                        """
                        <servlet-mapping>
                          <servlet-name>default</servlet-name>
                          <url-pattern>/a/*</url-pattern>
                        </servlet-mapping>
                        <welcome-file-list><welcome-file>home</welcome-file></welcome-file-list>
                        """));
        CodeServlet home =
                new CodeServlet((request, response) ->
                        response.getWriter().print("home " + request.getServletPath()));
        try (ServletServer server = ServletServer.start(app().servlet("/a/home", home))) {
            assertThat(server.get("/app/a/").text()).isEqualTo("home /a/home");
        }
    }

    @Test
    void conditionsAndRanges() throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            RawResponse whole = server.get("/app/plain.txt");
            assertThat(whole.text()).isEqualTo("0123456789");
            assertThat(whole.field("Content-Type")).startsWith("text/plain");
            String tag = Objects.requireNonNull(whole.field("ETag"));
            String date = Objects.requireNonNull(whole.field("Last-Modified"));
            assertThat(server.get("/app/plain.txt", "If-None-Match: " + tag).status())
                    .isEqualTo(304);
            assertThat(server.get("/app/plain.txt", "If-Modified-Since: " + date).status())
                    .isEqualTo(304);
            assertThat(server.get("/app/plain.txt", "If-Match: \"other\"").status()).isEqualTo(412);
            RawResponse range = server.get("/app/plain.txt", "Range: bytes=2-4");
            assertThat(range.status()).isEqualTo(206);
            assertThat(range.text()).isEqualTo("234");
            assertThat(server.get("/app/plain.txt", "Range: bytes=20-").status()).isEqualTo(416);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/app/, 200, root",
        "/app/sub/, 200, sub",
        "/app/started/, 200, servlet /started/start",
        "/app/a/, 404, ",
        "/app/none, 404, ",
        "/app/a/b.txt, 200, b",
        "/app/a/b.txt;v=1, 200, b",
        "/app/a;v=1/b.txt, 200, b",
        "/app/a/../plain.txt, 200, 0123456789",
        "/app/%61/b.txt, 200, b",
        "/app/sub/;jsessionid=abc, 200, sub",
        "/app/plain.txt;jsessionid=abc, 200, 0123456789",
    })
    void pathsOfFiles(String target, int status, String text) throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            RawResponse response = server.get(target);
            assertThat(response.status()).isEqualTo(status);
            if (text != null) {
                assertThat(response.text()).isEqualTo(text);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app/sub", "/app/sub?q=1", "/app/started"})
    void folderWithoutSlashIsRedirected(String target) throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            RawResponse response = server.get(target);
            assertThat(response.status()).isBetween(301, 308);
            assertThat(response.field("Location"))
                    .endsWith(target.contains("?") ? "/app/sub/?q=1" : target + "/");
        }
    }

    @Test
    void protectedFoldersAreNotServed() throws Exception {
        Filter all = (request, response, chain) -> chain.doFilter(request, response);
        try (ServletServer plain = ServletServer.start(app());
                ServletServer withFilter = ServletServer.start(app().filter("/*", all))) {
            for (ServletServer server : new ServletServer[] {plain, withFilter}) {
                for (int i = 0; i < 2; i++) { // before and after the servlets exist
                    for (String path : PROTECTED) {
                        RawResponse response = server.get("/app" + path);
                        assertThat(response.status()).as(path).isIn(400, 404);
                        assertThat(response.text()).as(path).doesNotContain("secret", "web-app");
                    }
                    assertThat(server.get("/app/plain.txt").status()).isEqualTo(200);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "OPTIONS, /app/plain.txt, 204",
        "OPTIONS, /app/none, 404",
        "POST, /app/plain.txt, 405",
        "PUT, /app/plain.txt, 405",
    })
    void methodsOfAFileAreTheSameBehindAWrappingFilter(String method, String target, int status)
            throws Exception {
        for (WebApp.Builder app : List.of(app(), wrapping())) {
            try (ServletServer server = ServletServer.start(app);
                    RawClient client = server.client()) {
                RawResponse response =
                        client.exchange(
                                method
                                        + " "
                                        + target
                                        + " HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
                assertThat(response.status()).isEqualTo(status);
                assertThat(response.has("Allow")).isEqualTo(status != 404);
                if (status != 404) {
                    assertThat(response.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
                }
            }
        }
    }

    @Test
    void contentOfAFilterStaysBeforeAFile() throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    response.getWriter().print("filter ");
                    chain.doFilter(request, response);
                };
        try (ServletServer server = ServletServer.start(app().filter("/*", filter))) {
            RawResponse response = server.get("/app/plain.txt");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo("filter 0123456789");
        }
    }

    @Test
    void filterAddsAFieldToAFile() throws Exception {
        AtomicInteger seen = new AtomicInteger();
        Filter filter =
                (request, response, chain) -> {
                    ((HttpServletResponse) response).setHeader("X-Filter", "yes");
                    chain.doFilter(request, response);
                    seen.set(((HttpServletResponse) response).getStatus());
                };
        try (ServletServer server = ServletServer.start(app().filter("/*", filter))) {
            RawResponse response = server.get("/app/plain.txt");
            assertThat(response.text()).isEqualTo("0123456789");
            assertThat(response.field("X-Filter")).isEqualTo("yes");
            assertThat(response.has("ETag")).isTrue();
            assertThat(seen.get()).isEqualTo(200);
            assertThat(server.get("/app/plain.txt", "Range: bytes=2-4").text()).isEqualTo("234");
            assertThat(server.get("/app/none").status()).isEqualTo(404);
        }
    }

    /// A filter that wraps both objects, as those for security do.
    private WebApp.Builder wrapping() {
        return app().filter(
                        "/*",
                        (Filter)
                                (request, response, chain) ->
                                        chain.doFilter(
                                                new HttpServletRequestWrapper(
                                                        (HttpServletRequest) request),
                                                new HttpServletResponseWrapper(
                                                        (HttpServletResponse) response)));
    }

    @Test
    void fileBehindAWrappingFilterAnswersConditions() throws Exception {
        try (ServletServer server = ServletServer.start(wrapping())) {
            RawResponse first = server.get("/app/plain.txt");
            assertThat(first.text()).isEqualTo("0123456789");
            assertThat(first.field("ETag")).startsWith("W/\"");
            String date = first.field("Last-Modified");
            assertThat(date).isNotNull();
            Await.until(
                    "the file is old enough for its tag to last",
                    () ->
                            server.get(
                                                    "/app/plain.txt",
                                                    "If-None-Match: "
                                                            + server.get("/app/plain.txt")
                                                                    .field("ETag"))
                                            .status()
                                    == 304);
            RawResponse unmodified = server.get("/app/plain.txt", "If-Modified-Since: " + date);
            assertThat(unmodified.status()).isEqualTo(304);
            assertThat(unmodified.text()).isEmpty();
            assertThat(unmodified.field("Last-Modified")).isEqualTo(date);
            assertThat(server.get("/app/plain.txt", "If-None-Match: \"other\"").text())
                    .isEqualTo("0123456789");
            assertThat(server.get("/app/plain.txt", "If-Match: \"other\"").status()).isEqualTo(412);
            file("plain.txt", "changed");
            RawResponse changed =
                    server.get("/app/plain.txt", "If-None-Match: " + first.field("ETag"));
            assertThat(changed.text()).isEqualTo("changed");
        }
    }

    @Test
    void filesAreForwardedToAndIncluded() throws Exception {
        try (ServletServer server = ServletServer.start(app());
                RawClient client = server.client()) {
            assertThat(server.get("/app/go/plain.txt").text()).isEqualTo("0123456789");
            assertThat(server.get("/app/go/plain.txt?include").text())
                    .isEqualTo("before 0123456789 after");
            assertThat(server.get("/app/go/none").status()).isEqualTo(404);
            assertThat(server.get("/app/go/none?include").status()).isEqualTo(500);
            RawResponse head =
                    client.exchange("HEAD /app/go/plain.txt HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.field("Content-Length")).isEqualTo("10");
            assertThat(client.exchange("GET /app/sub/ HTTP/1.1\r\nHost: a\r\n\r\n").text())
                    .isEqualTo("sub");
        }
    }

    @Test
    void parametersOfThePathReachTheServletOnly() throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            assertThat(server.get("/app/session;jsessionid=abc").text())
                    .isEqualTo("/app/session;jsessionid=abc");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE", "PATCH", "TRACE"})
    void filesAreNotChanged(String method) throws Exception {
        try (ServletServer server = ServletServer.start(app());
                RawClient client = server.client()) {
            RawResponse response =
                    client.exchange(
                            method
                                    + " /app/plain.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
            assertThat(response.status()).isIn(405, 501);
            assertThat(Files.readString(folder.resolve("plain.txt"))).isEqualTo("0123456789");
        }
    }

    @Test
    void requestForAWelcomeServletIsCountedForThatServlet() throws IOException {
        try (ServletServer server = ServletServer.start(app())) {
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/app/started/").text()).startsWith("servlet");
            }
            Await.until("all have ended", () -> ended(server) == 3);
            String welcoming =
                    server.app().times().keySet().stream()
                            .filter(name -> name.endsWith("@/started/start"))
                            .findFirst()
                            .orElseThrow();
            // The first one asks the disk which servlet it is.
            assertThat(Objects.requireNonNull(server.app().times().get(welcoming)).requests())
                    .isEqualTo(2);
        }
    }

    private static long ended(ServletServer server) {
        return server.app().times().values().stream().mapToLong(times -> times.requests()).sum();
    }

    /// A request for a folder looks as one for its welcome file (Servlet 6.1 §10.10).
    @ParameterizedTest
    @CsvSource({
        "*.html, /app/, /index.html, root",
        "*.html, /app/sub/, /sub/index.html, sub",
        "*.html, /app/sub/;x, /sub/index.html, sub",
        "/sub/index.html, /app/sub/, /sub/index.html, sub",
        "/sub/*, /app/sub/, /sub/index.html, sub",
    })
    void filtersOfAWelcomeFileRunForItsFolder(
            String pattern, String target, String seen, String text) throws Exception {
        Filter own =
                (request, response, chain) -> {
                    String path = ((HttpServletRequest) request).getServletPath();
                    ((HttpServletResponse) response).addHeader("X-Path", path);
                    chain.doFilter(request, response);
                };
        for (WebApp.Builder app : List.of(app(), wrapping())) {
            try (ServletServer server = ServletServer.start(app.filter(pattern, own))) {
                for (int i = 0; i < 2; i++) {
                    RawResponse response = server.get(target);
                    assertThat(response.all("X-Path")).containsExactly(seen);
                    assertThat(response.text()).isEqualTo(text);
                    assertThat(response.field("Content-Type")).startsWith("text/html");
                }
            }
        }
    }

    @Test
    void folderWithAFileTakesFewWorkers() throws IOException {
        WebApp.Builder withPages =
                app().servlet(
                                "*.html2",
                                new CodeServlet((_, response) -> {
                                    response.getWriter().print("unused");
                                }));
        file("WEB-INF/web.xml", DESCRIPTOR.replace("start", "index.html2"));
        try (ServletServer server = ServletServer.start(withPages)) {
            for (int i = 0; i < 50; i++) {
                assertThat(server.get("/app/").text()).isEqualTo("root");
            }
            // One Worker looks, and then another one in each second that the test may take.
            assertThat(ended(server)).isLessThan(25);
        }
    }
}
