package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The client sees the end of a response only after the sessions of its request are stored. A database
/// that goes down while the request runs shows the order: a response that ended before is complete.
@EveryMode
@Timeout(60)
final class StoredBeforeEndTest {
    @TempDir private Path folder;

    private final JdbcDataSource real = new JdbcDataSource();
    private volatile boolean down;

    @BeforeEach
    void open() {
        real.setURL("jdbc:h2:mem:stored-before-end;DB_CLOSE_DELAY=-1");
    }

    @AfterEach
    void close() throws SQLException {
        try (Connection connection = real.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("shutdown");
        }
    }

    private DataSource source() {
        return (DataSource)
                Proxy.newProxyInstance(
                        StoredBeforeEndTest.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (_, method, _) -> {
                            if (!method.getName().equals("getConnection")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            if (down) {
                                throw new SQLException("down for the test");
                            }
                            return real.getConnection();
                        });
    }

    private ServletServer serve(CodeServlet.Code code, Filter... filters) throws IOException {
        WebApp.Builder app =
                WebApp.of("", folder)
                        .sessions(SessionOptions.jdbc(source()))
                        .servlet("/s", new CodeServlet(code))
                        .servlet("/end", new CodeServlet((_, r) -> r.getWriter().print("end")))
                        .servlet(
                                "/value",
                                new CodeServlet((request, response) -> {
                                    HttpSession session = request.getSession(false);
                                    response.getWriter()
                                            .print(
                                                    session == null
                                                            ? null
                                                            : session.getAttribute("late"));
                                }));
        for (Filter filter : List.of(filters)) {
            app.filter("/s", filter);
        }
        return ServletServer.start(app);
    }

    private void changeSessionAndLoseIt(HttpServletRequest request) {
        request.getSession().setAttribute("user", "ada");
        down = true;
    }

    private static void end(String how, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        switch (how) {
            case "redirect" -> response.sendRedirect("/there");
            case "writer" -> {
                try (PrintWriter writer = response.getWriter()) {
                    writer.print("hello");
                }
            }
            case "stream" -> {
                response.getOutputStream().print("hello");
                response.getOutputStream().close();
            }
            case "length" -> {
                response.setContentLength(5);
                response.getOutputStream().print("hello");
            }
            case "forward" -> request.getRequestDispatcher("/end").forward(request, response);
            default -> throw new IllegalArgumentException(how);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redirect", "writer", "stream", "length", "forward"})
    void failureToStoreIsAnswered(String how) throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    changeSessionAndLoseIt(request);
                    try {
                        end(how, request, response);
                    } catch (Exception e) {
                        throw new AssertionError("The application learns of nothing", e);
                    }
                };
        try (ServletServer server = serve(code)) {
            RawResponse response = server.get("/s");
            down = false;
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.has("Location")).isFalse();
            assertThat(response.text()).doesNotContain("hello");
        }
    }

    /// Other servers still accept the session. The application may ask for the next one at once.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void logoutThatTheDatabaseDoesNotHearOfIsAnswered(boolean asksAgain) throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    HttpSession session = request.getSession();
                    if (!session.isNew()) {
                        down = true;
                        session.invalidate();
                        if (asksAgain) {
                            assertThat(request.getSession(false)).isNull();
                        }
                        response.getWriter().print("bye");
                    }
                };
        try (ServletServer server = serve(code)) {
            String set = String.valueOf(server.get("/s").field("Set-Cookie"));
            String cookie = "Cookie: " + set.split(";", 2)[0];
            RawResponse response = server.get("/s", cookie);
            down = false;
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.text()).doesNotContain("bye");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"redirect", "writer", "stream", "length"})
    void failureToStoreIsAnsweredInAsynchronousMode(String how) throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        changeSessionAndLoseIt(request);
                        try {
                            end(how, request, response);
                        } catch (Exception e) {
                            throw new AssertionError("The application learns of nothing", e);
                        } finally {
                            async.complete();
                        }
                    });
                };
        try (ServletServer server = serve(code)) {
            RawResponse response = server.get("/s");
            down = false;
            assertThat(response.status()).isEqualTo(503);
            assertThat(response.has("Location")).isFalse();
            assertThat(response.text()).doesNotContain("hello");
        }
    }

    @Test
    void committedResponseWhoseSessionIsNotStoredIsIncomplete() throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    HttpSession session = request.getSession();
                    response.getWriter().print("half");
                    response.flushBuffer();
                    session.setAttribute("user", "ada");
                    down = true;
                    try {
                        response.getWriter().close();
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessageContaining("session");
                    }
                };
        try (ServletServer server = serve(code);
                RawClient client = server.client()) {
            client.send("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
            String all = new String(client.rest(), StandardCharsets.ISO_8859_1);
            down = false;
            assertThat(all).contains("half").doesNotEndWith("0\r\n\r\n");
        }
    }

    @Test
    void redirectWaitsForTheFilters() throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    assertThat(response.isCommitted()).isTrue();
                    changeSessionAndLoseIt((HttpServletRequest) request);
                };
        CodeServlet.Code code =
                (request, response) -> {
                    request.getSession();
                    response.sendRedirect("/there");
                };
        try (ServletServer server = serve(code, filter)) {
            assertThat(server.get("/s").status()).isEqualTo(503);
            down = false;
        }
    }

    @Test
    void otherServerSeesWhatAFilterChangedAfterTheRedirect() throws Exception {
        Filter filter =
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    ((HttpServletRequest) request).getSession().setAttribute("late", "yes");
                };
        CodeServlet.Code code =
                (request, response) -> {
                    request.getSession();
                    response.sendRedirect("/there");
                };
        try (ServletServer one = serve(code, filter);
                ServletServer two = serve(code, filter)) {
            RawResponse response = one.get("/s");
            assertThat(response.status()).isEqualTo(302);
            String cookie = String.valueOf(response.field("Set-Cookie")).split(";", 2)[0];
            assertThat(two.get("/value", "Cookie: " + cookie).text()).isEqualTo("yes");
        }
    }

    /// A page has many files. Their requests belong to its session, but need nothing of it.
    @Test
    void filesOfAPageDoNotAskTheDatabase() throws Exception {
        Files.writeString(folder.resolve("image"), "pixels");
        try (ServletServer server = serve((request, _) -> request.getSession())) {
            RawResponse page = server.get("/s");
            String cookie = String.valueOf(page.field("Set-Cookie")).split(";", 2)[0];
            down = true;
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/image", "Cookie: " + cookie).text()).isEqualTo("pixels");
            }
            assertThat(server.get("/value", "Cookie: " + cookie).status()).isEqualTo(503);
            down = false;
            assertThat(server.get("/value", "Cookie: " + cookie).text()).isEqualTo("null");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "forward"})
    void redirectDecidesTheResponse(String how) throws Exception {
        CountDownLatch checked = new CountDownLatch(1);
        CodeServlet.Code code =
                (request, response) -> {
                    if (how.equals("forward") && request.getParameter("again") == null) {
                        request.getRequestDispatcher("/s?again=1").forward(request, response);
                        return;
                    }
                    response.getWriter().print("dropped");
                    response.sendRedirect("/there");
                };
        Filter filter =
                (request, response, chain) -> {
                    chain.doFilter(request, response);
                    HttpServletResponse http = (HttpServletResponse) response;
                    assertThat(http.isCommitted()).isTrue();
                    for (Call call :
                            List.<Call>of(
                                    () -> http.sendRedirect("/x"),
                                    () -> http.sendError(500),
                                    http::reset,
                                    http::resetBuffer)) {
                        assertThat(refused(call)).isTrue();
                    }
                    http.setStatus(200);
                    http.setHeader("X-Late", "1");
                    http.getWriter().print("late");
                    http.flushBuffer();
                    http.getWriter().close();
                    checked.countDown();
                };
        try (ServletServer server = serve(code, filter)) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location")).isEqualTo(ServletServer.origin() + "/there");
            assertThat(response.has("X-Late")).isFalse();
            assertThat(response.text()).isEmpty();
            assertThat(checked.getCount()).isZero();
        }
    }

    private interface Call {
        void run() throws IOException;
    }

    private static boolean refused(Call call) throws IOException {
        try {
            call.run();
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Test
    void exceptionAfterARedirectChangesNothing() throws Exception {
        CodeServlet.Code code =
                (_, response) -> {
                    response.sendRedirect("/there");
                    throw new IllegalStateException("wanted");
                };
        try (ServletServer server = serve(code);
                RawClient client = server.client()) {
            for (int i = 0; i < 2; i++) {
                RawResponse response = client.exchange("GET /s HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(response.status()).isEqualTo(302);
            }
        }
    }

    @Test
    void includedServletCannotRedirect() throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    if (request.getParameter("again") == null) {
                        request.getRequestDispatcher("/s?again=1").include(request, response);
                        response.getWriter().print("answer");
                    } else {
                        response.sendRedirect("/there");
                    }
                };
        try (ServletServer server = serve(code)) {
            RawResponse response = server.get("/s");
            assertThat(response.status()).isEqualTo(200);
            assertThat(response.text()).isEqualTo("answer");
        }
    }
}
