package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What answers a folder, for clients and for dispatches (Servlet 6.1 §10.10).
@EveryMode
@Timeout(120)
final class FoldersTest {
    private static final String WELCOME =
            """
            <welcome-file-list>
              <welcome-file>index.html</welcome-file>
              <welcome-file>start.page</welcome-file>
            </welcome-file-list>
            <error-page><error-code>410</error-code><location>/gone/</location></error-page>
            """;

    private static AppFolder files(String more) {
        return new AppFolder()
                .file("WEB-INF/web.xml", SecurityTest.webXml(WELCOME + more))
                .file("index.txt", "text")
                .file("static/index.html", "static");
    }

    private static WebApp.Builder app(AppFolder folder) {
        return WebApp.of("/app", folder.root())
                .servlet("*.page", new CodeServlet(FoldersTest::page))
                .servlet("/go", new CodeServlet(FoldersTest::dispatch));
    }

    private static void page(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        boolean first = request.getDispatcherType() == DispatcherType.REQUEST;
        if (first && "again".equals(request.getQueryString())) {
            request.startAsync().dispatch();
            return;
        }
        @Nullable Object included = request.getAttribute("jakarta.servlet.include.servlet_path");
        response.getWriter()
                .print(
                        "page "
                                + (included == null ? request.getServletPath() : included)
                                + " "
                                + request.getDispatcherType());
    }

    private static void dispatch(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String to = Objects.requireNonNull(request.getParameter("to"));
        switch (Objects.requireNonNull(request.getParameter("how"))) {
            case "forward" -> request.getRequestDispatcher(to).forward(request, response);
            case "include" -> request.getRequestDispatcher(to).include(request, response);
            case "async" -> request.startAsync().dispatch(to);
            default -> response.sendError(HttpServletResponse.SC_GONE);
        }
    }

    /// As in applications whose dispatcher has `/`, and that have a page for their start.
    @ParameterizedTest
    @CsvSource({
        "/app/, page /start.page REQUEST",
        "/app/sub/, page /sub/start.page REQUEST",
        "/app/;a=b, page /start.page REQUEST",
        "/app/static/, own /static/",
        "/app/index.txt, own /index.txt",
        "/app/none, own /none",
    })
    void servletOfTheWelcomeFileAnswersBeforeOneThatTakesAllPaths(String target, String text)
            throws Exception {
        CodeServlet own =
                new CodeServlet((request, response) ->
                        response.getWriter().print("own " + request.getServletPath()));
        try (AppFolder folder = files("");
                ServletServer server = ServletServer.start(app(folder).servlet("/", own))) {
            assertThat(server.get(target).text()).isEqualTo(text);
        }
    }

    /// The page is reached by both paths.
    @Test
    void constraintOfTheWelcomeFileAppliesToAFolderOfAnOwnServlet() throws Exception {
        String constraint =
                SecurityTest.constraint("*.page", "<auth-constraint/>")
                        + SecurityTest.constraint("/static/index.html", "<auth-constraint/>");
        CodeServlet own = new CodeServlet((_, response) -> response.getWriter().print("own"));
        try (AppFolder folder = files(constraint);
                ServletServer server = ServletServer.start(app(folder).servlet("/", own))) {
            assertThat(server.get("/app/start.page").status()).isEqualTo(403);
            assertThat(server.get("/app/").status()).isEqualTo(403);
            assertThat(server.get("/app/none").text()).isEqualTo("own");
            assertThat(server.get("/app/static/").text()).isEqualTo("own"); // it sends no file
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/app/go?how=forward&to=/sub/, page /sub/start.page FORWARD",
        "/app/go?how=include&to=/sub/, page /sub/start.page INCLUDE",
        "/app/go?how=async&to=/sub/, page /sub/start.page ASYNC",
        "/app/go?how=error&to=-, page /gone/start.page ERROR",
        "/app/?again, page /start.page ASYNC",
        "/app/go?how=forward&to=/static/, static",
        "/app/go?how=include&to=/static/, static",
    })
    void dispatchToAFolderReachesWhatAnswersClients(String target, String text) throws Exception {
        try (AppFolder folder = files("");
                ServletServer server = ServletServer.start(app(folder))) {
            RawResponse answer = server.get(target);
            assertThat(answer.text()).isEqualTo(text);
        }
    }

    /// A welcome file is a partial path, which may have folders.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void welcomeFileMayBeInAFolderBelow(boolean filtered) throws Exception {
        String elements =
                """
                <welcome-file-list><welcome-file>start/a.html</welcome-file></welcome-file-list>
                """;
        try (AppFolder folder =
                new AppFolder()
                        .file("WEB-INF/web.xml", SecurityTest.webXml(elements))
                        .file("start/a.html", "root")
                        .file("sub/start/a.html", "sub")
                        .file("app/start/a.html", "app")) {
            WebApp.Builder app = WebApp.of("/app", folder.root());
            if (filtered) {
                app.filter("/*", (request, response, chain) -> chain.doFilter(request, response));
            }
            try (ServletServer server = ServletServer.start(app)) {
                assertThat(server.get("/app/").text()).isEqualTo("root");
                assertThat(server.get("/app/sub/").text()).isEqualTo("sub");
                assertThat(server.get("/app/app/").text()).isEqualTo("app");
                assertThat(server.get("/app/sub/start/a.html").text()).isEqualTo("sub");
                assertThat(server.get("/app/start/").status()).isEqualTo(404);
            }
        }
    }
}
