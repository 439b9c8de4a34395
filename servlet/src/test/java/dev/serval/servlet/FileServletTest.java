package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that the default servlet sends itself, or hands to the engine behind a filter.
@EveryMode
@Timeout(120)
final class FileServletTest {
    private static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <welcome-file-list>
                <welcome-file>start.page</welcome-file>
              </welcome-file-list>
              <error-page><error-code>404</error-code><location>/missing</location></error-page>
              <error-page><error-code>403</error-code><location>/forbidden</location></error-page>
            </web-app>
            """;

    /// A filter that wraps both objects, so that the engine cannot answer.
    static final Filter WRAPPING =
            (request, response, chain) ->
                    chain.doFilter(
                            new HttpServletRequestWrapper((HttpServletRequest) request),
                            new HttpServletResponseWrapper((HttpServletResponse) response));

    @TempDir private Path folder;

    @BeforeEach
    void write() throws IOException {
        file("WEB-INF/web.xml", DESCRIPTOR);
        file("WEB-INF/x", "secret");
        file(".env", "secret");
        file(".git/config", "secret");
        file("a/.htpasswd", "secret");
        file("a/WEB-INF/x", "secret");
        file("a/part.tag", "secret");
        file("a/part.TAGX", "secret");
        file("a/part.tagf", "secret");
        file(".well-known/security.txt", "public");
        file("docs/index.html", "secret");
        file("static/css/a.css", "style");
        file("a b/ä;c/d.txt", "odd");
        file("a\u0308/e.txt", "decomposed");
        file("plain.txt", "plain");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("WEB-INF/x"));
    }

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private WebApp.Builder app(String contextPath) {
        return WebApp.of(contextPath, folder)
                .servlet(
                        "/missing",
                        new CodeServlet((request, response) ->
                                response.getWriter()
                                        .print("no file, " + request.getAttribute("filtered"))))
                .servlet(
                        "/forbidden",
                        new CodeServlet((_, response) -> response.getWriter().print("forbidden")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.env",
                "/.git/config",
                "/a/.htpasswd",
                "/a/part.tag",
                "/a/part.TAGX",
                "/a/part.tagf",
                "/link",
                "/WEB-INF/x",
                "/docs/"
            })
    void hiddenFilesAreNotServedInAnySpelling(String path) throws Exception {
        try (ServletServer plain = ServletServer.start(app("/app"));
                ServletServer wrapped = ServletServer.start(app("/app").filter("/*", WRAPPING))) {
            for (ServletServer server : new ServletServer[] {plain, wrapped}) {
                for (String end : new String[] {"", ";", ";x=1", ";jsessionid=00"}) {
                    isMissing(server.get("/app" + path + end));
                }
                try (RawClient client = server.client()) {
                    isMissing(
                            client.exchange(
                                    "GET /app"
                                            + path
                                            + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx"));
                }
            }
        }
    }

    /// A dispatch by name keeps the path that the client sent, and so does one back to that path.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/.env",
                "/.git/config",
                "/a/.htpasswd",
                "/a/WEB-INF/x",
                "/a/part.tag",
                "/link",
            })
    void dispatchThatKeepsTheClientsPathServesNoHiddenFile(String path) throws Exception {
        for (WebApp.Builder kind : keepingThePath()) {
            try (ServletServer server = ServletServer.start(kind)) {
                RawResponse response = server.get("/app" + path);
                assertThat(response.status()).isEqualTo(404);
                assertThat(response.text()).doesNotContain("secret");
                assertThat(server.get("/app/plain.txt").text()).isEqualTo("plain");
            }
        }
    }

    private List<WebApp.Builder> keepingThePath() {
        CodeServlet forward =
                new CodeServlet((request, response) -> named(request).forward(request, response));
        CodeServlet include =
                new CodeServlet((request, response) -> {
                    try {
                        named(request).include(request, response);
                    } catch (FileNotFoundException e) {
                        response.sendError(404);
                    }
                });
        Filter back = (request, _, _) -> request.startAsync().dispatch();
        return List.of(
                app("/app").servlet("/", forward),
                app("/app").servlet("/", include),
                app("/app").filter("/*", back));
    }

    private static RequestDispatcher named(HttpServletRequest request) {
        return Objects.requireNonNull(request.getServletContext().getNamedDispatcher("default"));
    }

    @Test
    void codeMayDispatchToPrivateFiles() throws Exception {
        CodeServlet forward =
                new CodeServlet((request, response) ->
                        request.getRequestDispatcher("/WEB-INF/x").forward(request, response));
        CodeServlet async =
                new CodeServlet((request, _) -> request.startAsync().dispatch("/WEB-INF/x"));
        try (ServletServer server =
                ServletServer.start(
                        app("/app").servlet("/forward", forward).servlet("/async", async))) {
            assertThat(server.get("/app/forward").text()).isEqualTo("secret");
            assertThat(server.get("/app/async").text()).isEqualTo("secret");
        }
    }

    /// Tomcat and Jetty redirect likewise: the links of the page are relative to the folder.
    @Test
    void forwardToAFolderWithoutItsSlashIsRedirected() throws Exception {
        CodeServlet forward =
                new CodeServlet((request, response) ->
                        request.getRequestDispatcher(request.getParameter("to"))
                                .forward(request, response));
        try (ServletServer server = ServletServer.start(app("/app").servlet("/forward", forward))) {
            RawResponse response = server.get("/app/forward?to=/static/css");
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location")).contains("/app/static/css/");
            isMissing(server.get("/app/forward?to=/WEB-INF"));
            isMissing(server.get("/app/forward?to=/static/none"));
        }
    }

    private static void isMissing(RawResponse response) {
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.text()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/.git", "/.git;x", "/WEB-INF;x", "/a/.git"})
    void hiddenFoldersAreNotRedirected(String path) throws Exception {
        try (ServletServer server = ServletServer.start(app("/app").filter("/*", WRAPPING))) {
            assertThat(server.get("/app" + path).status()).isEqualTo(404);
        }
    }

    @Test
    void wellKnownFilesAreServed() throws Exception {
        try (ServletServer server = ServletServer.start(app("/app").filter("/*", WRAPPING))) {
            for (String end : new String[] {"", ";x"}) {
                assertThat(server.get("/app/.well-known/security.txt" + end).text())
                        .isEqualTo("public");
            }
        }
    }

    /// Browsers take `//name` for a host, and what stands before `@` for its user.
    @ParameterizedTest
    @CsvSource({
        "//static;@evil.com/css, /static/css/",
        "/static;@evil.com/css, /static/css/",
        "/static/css;x?q=1, /static/css/?q=1",
        "/a%20b;x, /a%20b/",
        "/a%20b/%C3%A4%3Bc;x, /a%20b/%C3%A4%3Bc/",
        "/a%CC%88;x, /a%CC%88/", // as a Mac writes an a with two dots
    })
    void redirectsStayOnTheServer(String target, String location) throws Exception {
        try (ServletServer server = ServletServer.start(app(""))) {
            RawResponse response = server.get(target);
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location")).isEqualTo(ServletServer.origin() + location);
        }
    }

    /// A servlet may take the welcome file by its extension, though there is no such file (Servlet
    /// 6.1 §10.10).
    @ParameterizedTest
    @CsvSource({
        "/app/, /start.page",
        "/app/docs/, /docs/start.page",
        "/app/docs/;x, /docs/start.page",
        "/app/none/, /none/start.page",
    })
    void servletTakesTheWelcomeFileByItsExtension(String target, String path) throws Exception {
        WebApp.Builder faces =
                app("/app")
                        .servlet(
                                "*.page",
                                new CodeServlet((request, response) ->
                                        response.getWriter().print(request.getServletPath())));
        try (ServletServer server = ServletServer.start(faces)) {
            for (int i = 0; i < 2; i++) {
                assertThat(server.get(target).text()).isEqualTo(path);
            }
        }
    }

    @Test
    void missingFileIsAnsweredWithinItsRequest() throws Exception {
        AtomicInteger status = new AtomicInteger();
        AtomicInteger requests = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Filter filter =
                (request, response, chain) -> {
                    request.setAttribute("filtered", "yes");
                    ((HttpServletRequest) request).getSession();
                    chain.doFilter(request, response);
                    status.set(((HttpServletResponse) response).getStatus());
                };
        ServletRequestListener listener =
                new ServletRequestListener() {
                    @Override
                    public void requestInitialized(ServletRequestEvent event) {
                        requests.incrementAndGet();
                    }

                    @Override
                    public void requestDestroyed(ServletRequestEvent event) {
                        ended.incrementAndGet();
                    }
                };
        try (ServletServer server =
                ServletServer.start(app("/app").filter("/*", filter).listener(listener))) {
            int asked = 0;
            for (String path : new String[] {"/none", "/none/", "/a/", "/.env"}) {
                RawResponse response = server.get("/app" + path);
                assertThat(response.status()).isEqualTo(404);
                assertThat(response.text()).isEqualTo("no file, yes");
                assertThat(response.all("Set-Cookie")).hasSize(1);
                assertThat(status).hasValue(404);
                asked++;
                assertThat(requests).hasValue(asked);
            }
            Await.until("all have ended", () -> ended.get() == requests.get());
        }
    }

    @Test
    void filterMayAddAFieldAfterTheFile() throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    ((HttpServletResponse) response).setHeader("Server-Timing", "app;dur=1");
                };
        try (ServletServer server = ServletServer.start(app("/app").filter("/*", filter))) {
            RawResponse response = server.get("/app/plain.txt");
            assertThat(response.text()).isEqualTo("plain");
            assertThat(response.field("Server-Timing")).isEqualTo("app;dur=1");
        }
    }

    @ParameterizedTest
    @CsvSource({"403, forbidden", "410, "})
    void filterMayRefuseAfterTheFile(int status, String text) throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    ((HttpServletResponse) response).sendError(status);
                };
        try (ServletServer server = ServletServer.start(app("/app").filter("/*", filter))) {
            RawResponse response = server.get("/app/plain.txt");
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.text()).doesNotContain("plain.");
            if (text != null) {
                assertThat(response.text()).isEqualTo(text);
            }
        }
    }

    private static Filter redirect(boolean before, boolean wraps) {
        return (request, response, chain) -> {
            HttpServletResponse own = (HttpServletResponse) response;
            if (before) {
                own.sendRedirect("/login");
            }
            if (wraps) {
                WRAPPING.doFilter(request, response, chain);
            } else {
                chain.doFilter(request, response);
            }
            if (!before) {
                own.sendRedirect("/login");
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, /app/plain.txt",
        "true, false, /app/none",
        "true, true, /app/plain.txt",
        "true, true, /app/none",
        "false, false, /app/plain.txt",
        "false, true, /app/plain.txt",
    })
    void filterMayRedirectBeforeAndAfterTheFile(boolean before, boolean wraps, String target)
            throws Exception {
        try (ServletServer server =
                ServletServer.start(app("/app").filter("/*", redirect(before, wraps)))) {
            RawResponse response = server.get(target);
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location")).endsWith("/login");
            assertThat(response.text()).isEmpty();
            Await.until("it has ended", () -> server.app().requestsInProgress() == 0);
            assertThat(server.app().faults()).isZero();
        }
    }

    /// What code does after `chain.doFilter`, and what the client gets then.
    enum After {
        STATUS(202, "plain", "text/plain"),
        STATUS_AND_WRITER(202, "plain, end", "text/plain"),
        FLUSH(200, "plain", "text/plain"),
        STREAM(200, "plain, end", "text/plain"),
        WRITER(200, "plain, end", "text/plain"),
        INCLUDE(200, "plainpart", "text/plain"),
        REDIRECT(302, "", null),
        RESET(200, "other", "text/html"),
        RESET_BUFFER(200, "other", "text/html"),
        FORWARD(200, "part", null);

        private final int status;
        private final String text;
        private final @Nullable String type;

        After(int status, String text, @Nullable String type) {
            this.status = status;
            this.text = text;
            this.type = type;
        }

        private void run(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            RequestDispatcher part = request.getRequestDispatcher("/part");
            switch (this) {
                case STATUS -> response.setStatus(202);
                case STATUS_AND_WRITER -> {
                    response.setStatus(202);
                    response.getWriter().print(", end");
                }
                case REDIRECT -> response.sendRedirect("/login", 302, false);
                case FLUSH -> response.flushBuffer();
                case STREAM -> response.getOutputStream().print(", end");
                case WRITER -> response.getWriter().print(", end");
                case INCLUDE -> part.include(request, response);
                case FORWARD -> part.forward(request, response);
                case RESET, RESET_BUFFER -> {
                    if (this == RESET) {
                        response.reset();
                    } else {
                        response.resetBuffer();
                    }
                    response.setContentType("text/html");
                    response.getWriter().print("other");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(After.class)
    void filterMayContinueTheResponseAfterTheFile(After after) throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    after.run((HttpServletRequest) request, (HttpServletResponse) response);
                };
        CodeServlet part = new CodeServlet((_, response) -> response.getWriter().print("part"));
        try (ServletServer server =
                ServletServer.start(app("/app").filter("/*", filter).servlet("/part", part))) {
            RawResponse response = server.get("/app/plain.txt");
            assertThat(response.status()).isEqualTo(after.status);
            assertThat(response.text()).isEqualTo(after.text);
            if (after.type != null) {
                assertThat(response.field("Content-Type")).startsWith(after.type);
            }
        }
    }

    @Test
    void statusThatAFilterSetsBeforeTheFileStays() throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    ((HttpServletResponse) response).setStatus(202);
                    chain.doFilter(request, response);
                };
        try (ServletServer server = ServletServer.start(app("/app").filter("/*", filter))) {
            RawResponse response = server.get("/app/plain.txt");
            assertThat(response.status()).isEqualTo(202);
            assertThat(response.text()).isEqualTo("plain");
            assertThat(server.get("/app/none").status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void typeThatAFilterSetsStays(boolean before) throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    if (before) {
                        response.setContentType("text/x-own");
                    }
                    chain.doFilter(request, response);
                    response.setContentType("text/x-own");
                };
        try (ServletServer server = ServletServer.start(app("/app").filter("/*", filter))) {
            RawResponse response = server.get("/app/plain.txt", "Range: bytes=1-2");
            assertThat(response.status()).isEqualTo(206);
            assertThat(response.text()).isEqualTo("la");
            assertThat(response.all("Content-Type")).containsExactly("text/x-own");
            RawResponse failed = server.get("/app/plain.txt", "Range: bytes=20-");
            assertThat(failed.status()).isEqualTo(416);
            assertThat(failed.field("Content-Type")).isNotEqualTo("text/x-own");
        }
    }

    /// The engine has a compressed form of the file, which it would send with the coding of the filter.
    @ParameterizedTest
    @ValueSource(strings = {"before", "set", "add"})
    void codingThatAFilterSetsStays(String how) throws Exception {
        String coded = "coded ".repeat(1000);
        file("coded.css", coded);
        Filter filter =
                (request, response, chain) -> {
                    HttpServletResponse own = (HttpServletResponse) response;
                    if (request.getParameter("plain") != null) {
                        chain.doFilter(request, response);
                        return;
                    }
                    if (how.equals("before")) {
                        own.setHeader("Content-Encoding", "x-own");
                    }
                    chain.doFilter(request, response);
                    if (how.equals("set")) {
                        own.setHeader("Content-Encoding", "x-own");
                    } else if (how.equals("add")) {
                        own.addHeader("content-encoding", "x-own");
                    }
                };
        try (ServletServer server = ServletServer.start(app("/app").filter("/*", filter))) {
            String gzip = "Accept-Encoding: gzip";
            Await.until(
                    "the engine has compressed the file",
                    () ->
                            "gzip"
                                    .equals(
                                            server.get("/app/coded.css?plain=1", gzip)
                                                    .field("Content-Encoding")));
            RawResponse response = server.get("/app/coded.css", gzip);
            assertThat(response.all("Content-Encoding")).containsExactly("x-own");
            assertThat(response.text()).isEqualTo(coded);
            assertThat(response.field("Content-Type")).startsWith("text/css");
        }
    }
}
