package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Exceptions and error pages over sockets (Servlet 6.1 §10.9).
@EveryMode
@Timeout(120)
final class ErrorTest {
    private static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
              <error-page><error-code>404</error-code><location>/page/404</location></error-page>
              <error-page><error-code>409</error-code><location>/page/fails</location></error-page>
              <error-page><error-code>405</error-code><location>/controller</location></error-page>
              <error-page><error-code>410</error-code><location>/page/absent</location></error-page>
              <error-page>
                <exception-type>java.io.IOException</exception-type>
                <location>/page/io</location>
              </error-page>
              <error-page>
                <exception-type>java.lang.IllegalArgumentException</exception-type>
                <location>/page/argument</location>
              </error-page>
              <error-page>
                <exception-type>dev.serval.servlet.ErrorTest$Special</exception-type>
                <location>/page/special</location>
              </error-page>
            </web-app>
            """;

    private static final String PARTS =
            """
            --x\r
            Content-Disposition: form-data; name="a"; filename="a"\r
            \r
            more than the servlet takes\r
            --x--\r
            """;

    /// An exception that has its own page and a root cause with another page.
    static final class Special extends ServletException {
        private static final long serialVersionUID = 1;

        Special(Throwable cause) {
            super("special", cause);
        }
    }

    @TempDir private Path folder;
    private final Trace trace = new Trace();

    private static void fail(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.setHeader("X-Kept", "yes");
        response.setContentLength(3);
        response.getWriter().print("dropped");
        switch (String.valueOf(request.getPathInfo())) {
            case "/io" -> throw new IOException("message");
            case "/file" -> throw new FileNotFoundException("message");
            case "/thread" -> throw new IllegalThreadStateException("message");
            case "/root" ->
                    throw new ServletException(new ServletException(new IOException("message")));
            case "/special" -> throw new Special(new IOException("message"));
            case "/state" -> throw new IllegalStateException("secret");
            case "/error" -> throw new AssertionError("secret");
            case "/stack" -> endless(1);
            case "/404" -> response.sendError(404, "message");
            case "/409" -> response.sendError(409, "message");
            case "/410" -> response.sendError(410, "message");
            case "/418" -> response.sendError(418, "message");
            case "/gone" -> throw new UnavailableException("gone");
            default -> throw new IllegalArgumentException(request.getPathInfo());
        }
    }

    private static int endless(int depth) {
        return depth == 0 ? 0 : endless(depth + 1) + 1;
    }

    private static void page(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String page = String.valueOf(request.getPathInfo());
        if (page.equals("/fails")) {
            throw new ServletException("the page fails");
        }
        if (page.equals("/absent")) {
            response.sendError(404);
            return;
        }
        @Nullable Throwable thrown =
                (Throwable) request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        PrintWriter out = response.getWriter();
        out.print(page + " " + request.getMethod() + " " + request.getDispatcherType());
        out.print(" " + request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE));
        out.print(" " + request.getAttribute(RequestDispatcher.ERROR_MESSAGE));
        out.print(" " + (thrown == null ? null : thrown.getClass().getSimpleName()));
        out.print(" " + request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI));
        out.print(" " + request.getAttribute(RequestDispatcher.ERROR_METHOD));
        out.print(" " + request.getAttribute(RequestDispatcher.ERROR_QUERY_STRING));
    }

    private WebApp.Builder app() throws IOException {
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(folder.resolve("WEB-INF/web.xml"), DESCRIPTOR);
        return WebApp.of("", folder)
                .servlet("/fail/*", new CodeServlet(ErrorTest::fail))
                .servlet("/page/*", new CodeServlet(ErrorTest::page))
                .listener(trace);
    }

    /// As of a download, which must not make clients store the page.
    private static final List<String> OF_CONTENT =
            List.of(
                    "Content-Disposition",
                    "Content-Language",
                    "Content-Location",
                    "Content-Encoding",
                    "Content-Range",
                    "Content-Digest",
                    "Repr-Digest",
                    "Digest",
                    "Content-MD5",
                    "Accept-Ranges",
                    "ETag",
                    "Last-Modified",
                    "Expires",
                    "Cache-Control");

    private static final List<String> KEPT =
            List.of("Set-Cookie", "WWW-Authenticate", "Retry-After", "Vary", "X-Frame-Options");

    private static void download(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        OF_CONTENT.forEach(name -> response.setHeader(name, "of the content"));
        KEPT.forEach(name -> response.setHeader(name, "kept"));
        response.setContentType("application/pdf");
        switch (String.valueOf(request.getParameter("how"))) {
            case "throw" -> throw new IllegalStateException("wanted");
            case "no-store", "no-cache" -> {
                response.setHeader(
                        "Cache-Control",
                        "Private, " + request.getParameter("how").toUpperCase(Locale.ROOT));
                throw new IllegalStateException("wanted");
            }
            case "416" -> response.sendError(416);
            default -> response.sendError(403);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "throw, 500, ",
        "403, 403, ",
        "416, 416, Content-Range",
        "no-store, 500, Cache-Control",
        "no-cache, 500, Cache-Control"
    })
    void pageOfTheContainerKeepsNoFieldsOfTheContent(String how, int status, String stays)
            throws Exception {
        for (boolean development : new boolean[] {false, true}) {
            ServletContainer.Builder settings = ServletContainer.builder();
            WebApp.Builder app =
                    WebApp.at("").servlet("/download", new CodeServlet(ErrorTest::download));
            try (ServletServer server =
                    ServletServer.start(
                            app, Limits.DEFAULT, development ? settings.development() : settings)) {
                RawResponse response = server.get("/download?how=" + how);
                assertThat(response.status()).isEqualTo(status);
                assertThat(response.field("Content-Type")).startsWith("text/");
                for (String name : OF_CONTENT) {
                    assertThat(response.has(name)).as(name).isEqualTo(name.equals(stays));
                }
                for (String name : KEPT) {
                    assertThat(response.all(name)).as(name).contains("kept");
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/io, 500, /io GET ERROR 500 message IOException",
        "/file, 500, /io GET ERROR 500 message FileNotFoundException",
        "/thread, 500, /argument GET ERROR 500 message IllegalThreadStateException",
        "/root, 500, /io GET ERROR 500 message IOException",
        "/special, 500, /special GET ERROR 500 special Special",
        "/404, 404, /404 GET ERROR 404 message null",
    })
    void pageShowsTheError(String path, int status, String shown) throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            RawResponse response = server.post("/fail" + path + "?q=1", "content");
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.text()).isEqualTo(shown + " /fail" + path + " POST q=1");
            assertThat(response.field("X-Kept")).isEqualTo("yes");
            assertThat(trace.heard()).containsExactly("destroyed");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/state, 500, ",
        "/error, 500, ",
        "/stack, 500, ",
        "/409, 409, ",
        "/410, 404, ",
        "/418, 418, message",
        "/gone, 404, /404 GET",
    })
    void answerWithoutPageIsTheServers(String path, int status, @Nullable String text)
            throws Exception {
        try (ServletServer server = ServletServer.start(app());
                RawClient client = server.client()) {
            RawResponse response =
                    client.exchange("GET /fail" + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.text())
                    .contains(text == null ? "" : text)
                    .doesNotContain("dropped", "secret");
            RawResponse next = client.exchange("GET /page/next HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(next.text()).startsWith("/next GET REQUEST");
            assertThat(trace.heard()).containsExactly("destroyed", "destroyed");
        }
    }

    @Test
    void unknownPathGetsThePageOf404() throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            RawResponse response = server.get("/none");
            assertThat(response.status()).isEqualTo(404);
            assertThat(response.text()).startsWith("/404 GET ERROR 404");
            assertThat(server.get("/WEB-INF/web.xml").text()).startsWith("/404 GET ERROR 404");
        }
    }

    /// The file exists, so the page of 404 would be wrong.
    @Test
    void methodThatNobodyKnowsIsRefusedForAFile() throws Exception {
        try (AppFolder folder =
                        new AppFolder()
                                .file("a.txt", "text")
                                .file(
                                        "WEB-INF/web.xml",
                                        SecurityTest.webXml(
                                                "<error-page><error-code>404</error-code>"
                                                        + "<location>/a.txt</location></error-page>"));
                ServletServer server = ServletServer.start(WebApp.of("/app", folder.root()));
                RawClient client = server.client()) {
            assertThat(client.exchange("FOO /app/a.txt HTTP/1.1\r\nHost: test\r\n\r\n").status())
                    .isEqualTo(501);
            assertThat(server.get("/app/none").status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void methodThatAFileDoesNotTakeGetsThePageOf405(boolean filtered) throws Exception {
        try (AppFolder folder =
                new AppFolder()
                        .file("a.txt", "text")
                        .file(
                                "WEB-INF/web.xml",
                                SecurityTest.webXml(
                                        "<error-page><error-code>405</error-code>"
                                                + "<location>/refused</location></error-page>"))) {
            WebApp.Builder app =
                    WebApp.of("/app", folder.root())
                            .servlet(
                                    "/refused",
                                    new CodeServlet(
                                            (_, response) -> response.getWriter().print("own")));
            if (filtered) {
                app.filter("/*", (request, response, chain) -> chain.doFilter(request, response));
            }
            try (ServletServer server = ServletServer.start(app)) {
                RawResponse response = server.post("/app/a.txt", "");
                assertThat(response.status()).isEqualTo(405);
                assertThat(response.text()).isEqualTo("own");
                assertThat(response.field("Allow")).isEqualTo("GET, HEAD, OPTIONS");
                assertThat(server.post("/app/none", "").status()).isEqualTo(404);
            }
        }
    }

    /// Servlet 6.1 §10.9.1: a page that forwards to a JSP would be refused there otherwise.
    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "PUT", "GET"})
    void pageIsAskedForByGetWhereverItDispatches(String method) throws Exception {
        WebApp.Builder app =
                app().servlet("/refuses", new CodeServlet((_, r) -> r.sendError(405)))
                        .servlet(
                                "/controller",
                                new CodeServlet((request, response) ->
                                        request.getRequestDispatcher("/view")
                                                .forward(request, response)))
                        .servlet(
                                "/view",
                                new CodeServlet((request, response) -> {
                                    response.getWriter().print("view " + request.getMethod());
                                    request.getRequestDispatcher("/part")
                                            .include(request, response);
                                    response.getWriter()
                                            .print(
                                                    " of "
                                                            + request.getAttribute(
                                                                    RequestDispatcher
                                                                            .ERROR_METHOD));
                                }))
                        .servlet(
                                "/part",
                                new CodeServlet((request, response) ->
                                        response.getWriter()
                                                .print(" part " + request.getMethod())));
        try (ServletServer server = ServletServer.start(app);
                RawClient client = server.client()) {
            RawResponse response =
                    client.exchange(method + " /refuses HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(response.status()).isEqualTo(405);
            assertThat(response.text()).isEqualTo("view GET part GET of " + method);
        }
    }

    @MultipartConfig(maxFileSize = 4)
    private static final class Reading extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            switch (String.valueOf(request.getPathInfo())) {
                case "/parameter" -> request.getParameter("a");
                case "/parts" -> request.getParts();
                default -> response.sendError(409);
            }
        }
    }

    /// It may be about the parameters, and gets those that could be read.
    @ParameterizedTest
    @CsvSource({
        "/parameter?q=1, a=%ff, 400, 1 null 1",
        "/parameter?q=%ff, a=1, 400, null null 0",
        "/parameter?q=1, a=12345678, 413, 1 null 1",
        "/parameter?q=1, parts, 413, 1 null 1",
        "/parts?q=1, parts, 413, 1 null 1",
        "/refused?q=%ff, a=1, 409, null null 0",
        "/refused?q=1, a=1, 409, 1 1 2",
    })
    void pageMayAskForParametersThatAreWrong(
            String target, String content, int status, String shown) throws Exception {
        Files.createDirectories(folder.resolve("WEB-INF"));
        Files.writeString(
                folder.resolve("WEB-INF/web.xml"),
                SecurityTest.webXml("<error-page><location>/asks</location></error-page>"));
        CodeServlet asks =
                new CodeServlet((request, response) ->
                        response.getWriter()
                                .print(
                                        request.getParameter("q")
                                                + " "
                                                + request.getParameter("a")
                                                + " "
                                                + request.getParameterMap().size()));
        boolean parts = content.equals("parts");
        try (ServletServer server =
                ServletServer.start(
                        WebApp.of("", folder)
                                .servlet("/reads/*", new Reading())
                                .servlet("/asks", asks),
                        Limits.DEFAULT,
                        ServletContainer.builder().formMaxBytes(8))) {
            RawResponse response =
                    server.post(
                            "/reads" + target,
                            parts ? PARTS : content,
                            parts
                                    ? "Content-Type: multipart/form-data; boundary=x"
                                    : "Content-Type: application/x-www-form-urlencoded");
            assertThat(response.status()).isEqualTo(status);
            assertThat(response.text()).isEqualTo(shown);
        }
    }

    @Test
    void pageHasItsOwnType() throws Exception {
        WebApp.Builder app =
                app().servlet(
                                "/typed",
                                new CodeServlet((_, response) -> {
                                    response.setContentType("application/pdf");
                                    response.setCharacterEncoding("UTF-8");
                                    response.sendError(404);
                                }))
                        .servlet(
                                "/other",
                                new CodeServlet((_, response) -> {
                                    response.setContentType("application/pdf");
                                    response.getWriter();
                                    response.sendError(405);
                                }))
                        .servlet(
                                "/controller",
                                new CodeServlet((_, response) -> {
                                    response.setContentType("text/html;charset=UTF-8");
                                    response.getWriter().print("page");
                                }));
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse without = server.get("/typed");
            assertThat(without.text()).startsWith("/404 GET");
            assertThat(without.has("Content-Type")).isFalse();
            RawResponse typed = server.get("/other");
            assertThat(typed.text()).isEqualTo("page");
            assertThat(typed.field("Content-Type")).isEqualTo("text/html;charset=UTF-8");
        }
    }

    @Test
    void headOfAnErrorHasNoContent() throws Exception {
        try (ServletServer server = ServletServer.start(app());
                RawClient client = server.client()) {
            RawResponse response = client.exchange("HEAD /fail/io HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(response.status()).isEqualTo(500);
            assertThat(client.exchange("GET /page/x HTTP/1.1\r\nHost: a\r\n\r\n").status())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include"})
    void errorsOfADispatchTarget(String how) throws Exception {
        WebApp.Builder app =
                app().servlet(
                                "/via/*",
                                new CodeServlet((request, response) -> {
                                    response.getWriter().print("before ");
                                    RequestDispatcher target =
                                            request.getRequestDispatcher(
                                                    "/fail" + request.getPathInfo());
                                    if (how.equals("forward")) {
                                        target.forward(request, response);
                                    } else {
                                        target.include(request, response);
                                        response.getWriter().print(" after");
                                    }
                                }));
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse refused = server.get("/via/404");
            if (how.equals("forward")) {
                assertThat(refused.status()).isEqualTo(404);
                assertThat(refused.text()).startsWith("/404 GET ERROR 404 message");
            } else {
                assertThat(refused.status()).isEqualTo(200); // an include cannot decide (§9.3)
                assertThat(refused.text()).isEqualTo("before dropped after");
            }
            RawResponse thrown = server.get("/via/io");
            assertThat(thrown.status()).isEqualTo(500);
            assertThat(thrown.text()).startsWith("/io GET ERROR 500 message IOException");
            assertThat(trace.heard()).containsExactly("destroyed", "destroyed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 10", "X: 1"})
    void exceptionAfterCommitShowsTheClientAnIncompleteResponse(String field) throws Exception {
        int colon = field.indexOf(':');
        CodeServlet servlet =
                new CodeServlet((_, response) -> {
                    response.setHeader(field.substring(0, colon), field.substring(colon + 2));
                    response.getWriter().print("half");
                    response.flushBuffer();
                    throw new IllegalStateException("wanted");
                });
        try (ServletServer server =
                        ServletServer.start(WebApp.at("").servlet("/s", servlet).listener(trace));
                RawClient client = server.client()) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\nGET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            String all = new String(client.rest(), StandardCharsets.ISO_8859_1);
            assertThat(all).contains("half").doesNotEndWith("0\r\n\r\n");
            assertThat(all.split("HTTP/1.1 ", -1)).hasSize(2);
            assertThat(trace.heard()).containsExactly("destroyed");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"initialized", "destroyed"})
    void exceptionOfARequestListenerEndsTheRequestOnce(String when) throws Exception {
        ServletRequestListener fails =
                new ServletRequestListener() {
                    @Override
                    public void requestInitialized(ServletRequestEvent event) {
                        if (when.equals("initialized")) {
                            throw new IllegalStateException("wanted");
                        }
                    }

                    @Override
                    public void requestDestroyed(ServletRequestEvent event) {
                        if (when.equals("destroyed")) {
                            throw new IllegalStateException("wanted");
                        }
                    }
                };
        CodeServlet servlet =
                new CodeServlet((_, response) -> response.getWriter().print("answer"));
        WebApp.Builder app = WebApp.at("").listener(fails).listener(trace).servlet("/s", servlet);
        try (ServletServer server = ServletServer.start(app)) {
            for (int i = 1; i < 4; i++) {
                int status = server.get("/s").status();
                assertThat(status).isEqualTo(when.equals("initialized") ? 500 : 200);
                assertThat(trace.heard()).hasSize(i);
            }
        }
    }

    @Test
    void temporaryUnavailabilityNamesItsEnd() throws Exception {
        CodeServlet servlet =
                new CodeServlet((_, _) -> {
                    throw new UnavailableException("later", 600);
                });
        try (ServletServer server = ServletServer.start(WebApp.at("").servlet("/s", servlet))) {
            for (int i = 0; i < 2; i++) {
                RawResponse response = server.get("/s");
                assertThat(response.status()).isEqualTo(503);
                assertThat(Integer.parseInt(String.valueOf(response.field("Retry-After"))))
                        .isBetween(1, 600);
            }
        }
    }

    @Test
    void firstSendErrorDecides() throws Exception {
        Map<String, CodeServlet.Code> codes =
                Map.of(
                        "/twice",
                        (_, response) -> {
                            response.sendError(404);
                            response.sendError(409);
                        },
                        "/thrown",
                        (_, response) -> {
                            response.sendError(404);
                            throw new IllegalStateException("wanted");
                        });
        WebApp.Builder app = WebApp.at("");
        codes.forEach((path, code) -> app.servlet(path, new CodeServlet(code)));
        try (ServletServer server = ServletServer.start(app);
                RawClient client = server.client()) {
            for (String path : codes.keySet()) {
                RawResponse response =
                        client.exchange("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(response.status()).as(path).isEqualTo(404);
            }
        }
    }
}
