package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.Filter;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests and applications that do what they should not, over sockets.
@EveryMode
@Timeout(120)
final class HostileTest {
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String MULTIPART = "Content-Type: multipart/form-data; boundary=b";
    private static final String PARTS =
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n";

    @TempDir private Path folder;

    @BeforeEach
    void write() throws IOException {
        file("WEB-INF/private.txt", "private");
        file("WEB-INF/gone.html", "page of 410");
        file(
                "WEB-INF/web.xml",
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <error-page>
                    <error-code>410</error-code><location>/WEB-INF/gone.html</location>
                  </error-page>
                </web-app>
                """);
        file("plain.txt", "0123456789");
        file("sub/index.html", "sub");
    }

    private void file(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private static ServletServer serve(CodeServlet.Code code) throws IOException {
        return ServletServer.start(WebApp.at("").servlet("/s", new CodeServlet(code)));
    }

    private static void showPath(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getWriter().print("servlet " + request.getServletPath());
    }

    // Paths

    @ParameterizedTest
    @CsvSource({
        "/app/x.do, 200",
        "/app/;v=1/x.do, 200",
        "/app/;v=1/../appx.do, 400",
        "/app/;v=1/../app/x.do, 200",
        "/app/;v=1/../x.do, 400",
        "/app/;v=1/../ab, 400",
    })
    void pathThatParametersMoveOutOfTheApplicationIsRefused(String target, int status)
            throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("/app")
                                .servlet("*.do", new CodeServlet(HostileTest::showPath)))) {
            RawResponse response = server.get(target);
            assertThat(response.status()).isEqualTo(status);
            if (status == 200) {
                assertThat(response.text()).isEqualTo("servlet /x.do");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/WEB-INF/x.do",
                "/web-inf/x.do",
                "/%57EB-INF/x.do",
                "/WEB-INF;v=1/x.do",
                "//WEB-INF/x.do",
                "/WEB-INF./x.do",
                "/META-INF/x.do",
                "/meta-inf%20/x.do",
                "/a/../META-INF/x.do",
            })
    void privateFoldersReachNoServlet(String path) throws Exception {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("/app")
                                .servlet("*.do", new CodeServlet(HostileTest::showPath))
                                .servlet("/all/*", new CodeServlet(HostileTest::showPath)))) {
            assertThat(server.get("/app" + path).status()).isEqualTo(404);
            assertThat(server.get("/app/all" + path).status()).isEqualTo(200);
        }
    }

    @Test
    void dispatcherReachesFilesInPrivateFolders() throws Exception {
        CodeServlet forward =
                new CodeServlet((request, response) ->
                        request.getRequestDispatcher("/WEB-INF/private.txt")
                                .forward(request, response));
        CodeServlet gone = new CodeServlet((_, response) -> response.sendError(410));
        try (ServletServer server =
                ServletServer.start(
                        WebApp.of("/app", folder)
                                .servlet("/forward", forward)
                                .servlet("/gone", gone))) {
            assertThat(server.get("/app/forward").text()).isEqualTo("private");
            RawResponse page = server.get("/app/gone");
            assertThat(page.status()).isEqualTo(410);
            assertThat(page.text()).isEqualTo("page of 410");
            assertThat(server.get("/app/WEB-INF/private.txt").status()).isEqualTo(404);
        }
    }

    // Files with content in the request

    private static final Filter NOTHING =
            (request, response, chain) -> chain.doFilter(request, response);

    private static final Filter WRAPS =
            (request, response, chain) ->
                    chain.doFilter(
                            new HttpServletRequestWrapper((HttpServletRequest) request),
                            new HttpServletResponseWrapper((HttpServletResponse) response));

    @ParameterizedTest
    @CsvSource({
        "GET, plain.txt, 200",
        "POST, plain.txt, 405",
        "PUT, plain.txt, 405",
        "POST, none.txt, 404",
        "GET, none.txt, 404",
        "GET, WEB-INF/private.txt, 404",
    })
    void contentForAFileBehindAFilterIsNotAServerFault(String method, String path, int status)
            throws Exception {
        for (Filter filter : new Filter[] {NOTHING, WRAPS}) {
            try (ServletServer server =
                            ServletServer.start(WebApp.of("/app", folder).filter("/*", filter));
                    RawClient client = server.client()) {
                String head = method + " /app/" + path + " HTTP/1.1\r\nHost: a\r\n";
                RawResponse response = client.exchange(head + "Content-Length: 3\r\n\r\nabc");
                assertThat(response.status()).isEqualTo(status);
                assertThat(response.text()).doesNotContain("private");
                assertThat(client.exchange("GET /app/plain.txt HTTP/1.1\r\nHost: a\r\n\r\n").text())
                        .isEqualTo("0123456789");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"sub, sub/", "sub;v=1, sub/", "sub?q=1, sub/?q=1"})
    void folderIsRedirectedBehindAWrapper(String path, String location) throws Exception {
        try (ServletServer server =
                ServletServer.start(WebApp.of("/app", folder).filter("/*", WRAPS))) {
            RawResponse response = server.get("/app/" + path);
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location")).endsWith("/app/" + location);
            assertThat(server.get("/app/" + location).text()).isEqualTo("sub");
        }
    }

    // Content

    private static ServletServer multipart(CodeServlet.Code code) throws IOException {
        ServletContextListener adds =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        var added =
                                event.getServletContext().addServlet("s", new CodeServlet(code));
                        added.addMapping("/s");
                        added.setMultipartConfig(new MultipartConfigElement(""));
                    }
                };
        return ServletServer.start(WebApp.at("").listener(adds));
    }

    @Test
    void partIsOneParameterWhateverIsReadFirst() throws Exception {
        try (ServletServer server =
                multipart((request, response) -> {
                    if ("parts".equals(request.getQueryString())) {
                        assertThat(request.getParts()).hasSize(1);
                    }
                    String first = Arrays.toString(request.getParameterValues("a"));
                    assertThat(request.getParts()).hasSize(1);
                    response.getWriter()
                            .print(first + Arrays.toString(request.getParameterValues("a")));
                })) {
            assertThat(server.post("/s", PARTS, MULTIPART).text()).isEqualTo("[1][1]");
            assertThat(server.post("/s?parts", PARTS, MULTIPART).text()).isEqualTo("[1][1]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"nope", "UTF-7", "'utf-8'"})
    void unknownCharsetOfTheClientIsItsFault(String charset) throws Exception {
        try (ServletServer server =
                multipart((request, response) ->
                        response.getWriter().print(request.getParameter("a")))) {
            String named = ";charset=" + charset;
            assertThat(server.post("/s", "a=1", FORM + named).status()).isEqualTo(415);
            assertThat(server.post("/s", PARTS, MULTIPART + named).status()).isEqualTo(415);
        }
    }

    // Status and fields

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 42, 99, 600, 999, 1000})
    void statusOutsideOfHttpIsRefusedAtTheCall(int status) throws Exception {
        try (ServletServer server =
                serve((_, response) -> {
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> response.setStatus(status));
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> response.sendError(status));
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> response.sendRedirect("/x", status));
                    response.getWriter().print("went on");
                })) {
            assertThat(server.get("/s").text()).isEqualTo("went on");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 102, 103, 199})
    void responseDoesNotEndWithAnInterimStatus(int status) throws Exception {
        try (ServletServer server =
                serve((request, response) -> {
                    if (request.getQueryString() == null) {
                        response.setStatus(status);
                    } else {
                        response.sendError(status);
                    }
                })) {
            assertThat(server.get("/s").status()).isEqualTo(500);
            assertThat(server.get("/s?error").status()).isEqualTo(500);
        }
    }

    // Files and classes that are missing

    @Test
    void workFolderThatCannotBeCreatedIsNamed() {
        Path work = folder.resolve("plain.txt").resolve("work");
        assertThatIOException()
                .isThrownBy(() -> ServletContainer.open(work))
                .withMessageContaining("The work folder " + work + " cannot be created");
    }

    private static String refusal(AppFolder app) {
        return String.valueOf(
                Assertions.catchThrowableOfType(
                                WebAppException.class,
                                () -> ServletServer.start(WebApp.of("/app", app.root())).close())
                        .getMessage());
    }

    @Test
    void missingClassIsNamedWithItsRemedy() throws Exception {
        String servlet =
                """
                package a;
                @jakarta.servlet.annotation.WebServlet("/a")
                public class A extends b.B implements jakarta.servlet.Servlet {
                    public void init(jakarta.servlet.ServletConfig c) {}
                    public jakarta.servlet.ServletConfig getServletConfig() { return null; }
                    public void service(
                            jakarta.servlet.ServletRequest q, jakarta.servlet.ServletResponse r) {}
                    public String getServletInfo() { return ""; }
                    public void destroy() {}
                }
                """;
        try (AppFolder app = new AppFolder()) {
            app.source("a.A", servlet).source("b.B", "package b; public class B {}").compile();
            Files.delete(app.root().resolve("WEB-INF/classes/b/B.class"));
            assertThat(refusal(app))
                    .contains("The class a.A cannot be linked: b.B is not in the application")
                    .endsWith("Add the jar that has it to WEB-INF/lib.");
        }
    }

    @Test
    void applicationOfJavaEeIsToldToMigrate() throws Exception {
        try (AppFolder app = new AppFolder()) {
            app.source("a.A", "package a; public class A extends javax.servlet.http.Old {}")
                    .source(
                            "javax.servlet.http.Old",
                            "package javax.servlet.http; public class Old {}")
                    .file(
                            "WEB-INF/web.xml",
                            """
                            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="4.0">
                              <servlet>
                                <servlet-name>a</servlet-name><servlet-class>a.A</servlet-class>
                              </servlet>
                            </web-app>
                            """)
                    .compile();
            Files.delete(app.root().resolve("WEB-INF/classes/javax/servlet/http/Old.class"));
            assertThat(refusal(app))
                    .contains(
                            "The class a.A cannot be linked: javax.servlet.http.Old belongs to Java EE")
                    .endsWith("with the package jakarta.servlet.http.");
        }
    }

    @Test
    void classForALaterJavaIsNamedAsSuch() throws Exception {
        try (AppFolder app = new AppFolder()) {
            app.source(
                            "a.A",
                            """
                            package a;
                            @jakarta.servlet.annotation.WebServlet("/a")
                            public class A extends jakarta.servlet.http.HttpServlet {}
                            """)
                    .compile();
            Path file = app.root().resolve("WEB-INF/classes/a/A.class");
            byte[] bytes = Files.readAllBytes(file);
            bytes[7] = 44 + 55; // the major version
            Files.write(file, bytes);
            assertThat(refusal(app)).contains("It is compiled for Java 55, and this is Java ");
        }
    }

    // Objects and exceptions of an application

    @Test
    void responseThatWasKeptEncodesNoUrl() throws Exception {
        AtomicReference<HttpServletResponse> kept = new AtomicReference<>();
        try (ServletServer server =
                serve((request, response) -> {
                    assertThat(request.getRequestedSessionId()).isNull(); // so it is known
                    kept.set(response);
                })) {
            server.get("/s");
            assertThatIllegalStateException().isThrownBy(() -> kept.get().encodeURL("/x"));
        }
    }

    /// An exception that cannot be shown.
    private static final class Unspeakable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new AssertionError("no message");
        }
    }

    @Test
    void requestEndsEvenIfItsExceptionCannotBeShown() throws Exception {
        AtomicReference<HttpServletRequest> kept = new AtomicReference<>();
        Trace trace = new Trace();
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .listener(trace)
                                .servlet(
                                        "/s",
                                        new CodeServlet((request, _) -> {
                                            kept.set(request);
                                            throw new Unspeakable();
                                        })))) {
            assertThat(server.get("/s").status()).isEqualTo(500);
            assertThat(trace.heard()).containsExactly("destroyed");
            assertThatIllegalStateException().isThrownBy(() -> kept.get().getMethod());
        }
    }

    @Test
    void sessionsEndEvenIfTheExceptionOfAListenerCannotBeShown() throws Exception {
        CountDownLatch ended = new CountDownLatch(2);
        HttpSessionListener throwing =
                new HttpSessionListener() {
                    @Override
                    public void sessionDestroyed(HttpSessionEvent event) {
                        ended.countDown();
                        throw new Unspeakable();
                    }
                };
        CodeServlet code =
                new CodeServlet((request, _) -> request.getSession().setMaxInactiveInterval(1));
        try (ServletServer server =
                ServletServer.start(WebApp.at("").listener(throwing).servlet("/s", code))) {
            server.get("/s");
            Await.until("the first session has ended", () -> ended.getCount() == 1);
            server.get("/s");
            Await.open("the second session has ended", ended);
        }
    }

    @Test
    void requestEndsEvenIfTheExceptionOfItsListenerCannotBeShown() throws Exception {
        Trace trace = new Trace();
        ServletRequestListener throwing =
                new ServletRequestListener() {
                    @Override
                    public void requestInitialized(ServletRequestEvent event) {
                        throw new Unspeakable();
                    }
                };
        try (ServletServer server =
                ServletServer.start(WebApp.of("", folder).listener(throwing).listener(trace))) {
            assertThat(server.get("/WEB-INF/private.txt").status()).isEqualTo(500);
            assertThat(trace.heard()).containsExactly("destroyed");
        }
    }
}
