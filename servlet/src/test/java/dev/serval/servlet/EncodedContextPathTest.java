package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Applications at a context path that a URI cannot have as it is, such as `/my app`. Whatever leaves
/// the application has the encoded path, or browsers do not find the way back.
@EveryMode
@Timeout(120)
final class EncodedContextPathTest {
    private static final UserStore USERS =
            UserStore.inMemory().user("ada", "s3cret", "staff").build();
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String RIGHT = "j_username=ada&j_password=s3cret";

    /// Starts an application whose paths below `/do` run the code.
    private static ServletServer serve(String contextPath, CodeServlet.Code code)
            throws IOException {
        return ServletServer.start(WebApp.at(contextPath).servlet("/do/*", new CodeServlet(code)));
    }

    private static String location(RawResponse response) {
        return String.valueOf(response.field("Location"));
    }

    /// Returns the field Cookie for the session of a response.
    private static String cookie(RawResponse response) {
        return "Cookie: " + String.valueOf(response.field("Set-Cookie")).split(";", 2)[0];
    }

    private static String attribute(HttpServletRequest request, String name) {
        return String.valueOf(request.getAttribute(name));
    }

    @ParameterizedTest
    @CsvSource({
        "/my app, /my%20app",
        "/café, /caf%C3%A9",
        "/€/😀, /%E2%82%AC/%F0%9F%98%80",
        "/a[1], /a%5B1%5D",
        "/a+b(c)~d, /a+b(c)~d",
        "'', ''"
    })
    void requestHasTheEncodedPathAndTheDecodedRest(String contextPath, String encoded)
            throws Exception {
        try (ServletServer server =
                serve(
                        contextPath,
                        (request, response) ->
                                response.getWriter()
                                        .print(
                                                String.join(
                                                        "|",
                                                        request.getContextPath(),
                                                        request.getServletContext()
                                                                .getContextPath(),
                                                        request.getRequestURI(),
                                                        request.getRequestURL(),
                                                        request.getServletPath(),
                                                        request.getPathInfo())))) {
            assertThat(server.get(encoded + "/do/a%20b?q").text())
                    .isEqualTo(
                            String.join(
                                    "|",
                                    encoded,
                                    encoded,
                                    encoded + "/do/a%20b",
                                    ServletServer.origin() + encoded + "/do/a%20b",
                                    "/do",
                                    "/a b"));
        }
    }

    @ParameterizedTest
    @CsvSource({"/my app, /my%20app", "/café, /caf%C3%A9", "/a[1], /a%5B1%5D"})
    void browserSendsTheSessionCookieBack(String contextPath, String encoded) throws Exception {
        try (ServletServer server =
                serve(
                        contextPath,
                        (request, response) -> {
                            HttpSession session = request.getSession();
                            Object before = session.getAttribute("count");
                            session.setAttribute("count", before == null ? 1 : 2);
                            response.getWriter().print(before);
                        })) {
            RawResponse first = server.get(encoded + "/do/x");
            assertThat(first.status()).isEqualTo(200);
            // Browsers compare the attribute with the path as they send it (RFC 6265 §5.1.4).
            assertThat(List.of(String.valueOf(first.field("Set-Cookie")).split("; ")))
                    .contains("Path=" + encoded);
            assertThat(server.get(encoded + "/do/x", cookie(first)).text()).isEqualTo("1");
        }
    }

    @Test
    void cookieOfTheApplicationMayHaveTheContextPath() throws Exception {
        try (ServletServer server =
                serve(
                        "/café",
                        (request, response) -> {
                            Cookie cookie = new Cookie("a", "b");
                            cookie.setPath(request.getContextPath());
                            response.addCookie(cookie);
                        })) {
            assertThat(server.get("/caf%C3%A9/do/x").field("Set-Cookie"))
                    .isEqualTo("a=b; Path=/caf%C3%A9");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/my%20app/do/x, true",
        "/my%20app, true",
        "/my%20appendix, false",
        "/%6Dy%20app/do/x, true",
        "/my%2520app/do/x, false",
        "/other/../my%20app/do/x, true",
        "/my%20app/../other, false",
        "/my%, false",
        "/other, false",
        "x, true",
        "../x, true",
        "../../x, false"
    })
    void urlsOfTheApplicationHaveTheSession(String url, boolean own) throws Exception {
        try (ServletServer server =
                serve(
                        "/my app",
                        (request, response) -> {
                            request.getSession();
                            response.getWriter().println(response.encodeURL(url));
                            response.getWriter().println(response.encodeRedirectURL(url));
                        })) {
            for (String target : List.of("/my%20app/do/x", "/%6dy%20app/do/x")) {
                for (String line : server.get(target).text().lines().toList()) {
                    assertThat(line.contains(";jsessionid="))
                            .as(target + " " + line)
                            .isEqualTo(own);
                }
            }
        }
    }

    @Test
    void sessionOfAUrlIsFound() throws Exception {
        try (ServletServer server =
                serve(
                        "/my app",
                        (request, response) -> {
                            boolean known = request.isRequestedSessionIdValid();
                            request.getSession();
                            response.getWriter()
                                    .print(
                                            known
                                                    ? "known"
                                                    : response.encodeURL(
                                                            request.getContextPath() + "/do/y"));
                        })) {
            String url = server.get("/my%20app/do/x").text();
            assertThat(url).startsWith("/my%20app/do/y;jsessionid=");
            assertThat(server.get(url).text()).isEqualTo("known");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "y, /my%20app/do/y",
        "../z?q, /my%20app/z?q",
        "?q, /my%20app/do/x?q",
        "/other, /other"
    })
    void redirectIsRelativeToTheEncodedPath(String to, String location) throws Exception {
        try (ServletServer server = serve("/my app", (_, response) -> response.sendRedirect(to))) {
            assertThat(location(server.get("/my%20app/do/x")))
                    .isEqualTo(ServletServer.origin() + location);
        }
    }

    @Test
    void redirectMayBeginWithTheContextPath() throws Exception {
        try (ServletServer server =
                serve(
                        "/café",
                        (request, response) ->
                                response.sendRedirect(request.getContextPath() + "/do/y"))) {
            assertThat(location(server.get("/caf%C3%A9/do/x")))
                    .isEqualTo(ServletServer.origin() + "/caf%C3%A9/do/y");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/my app, /my%20app",
        "/café, /caf%C3%A9",
        "/€/😀, /%E2%82%AC/%F0%9F%98%80",
        "/app, /app"
    })
    void contextPathWithoutSlashIsRedirected(String contextPath, String encoded) throws Exception {
        try (ServletServer server = serve(contextPath, (_, _) -> {})) {
            RawResponse answer = server.get(encoded + "?q=1");
            assertThat(answer.status()).isEqualTo(302);
            assertThat(location(answer)).isEqualTo(encoded + "/?q=1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void foldersAreRedirectedAndWelcomeFilesServed(boolean wrapped) throws Exception {
        try (AppFolder folder =
                new AppFolder()
                        .file("WEB-INF/web.xml", SecurityTest.webXml(""))
                        .file("a b/index.html", "welcome")) {
            WebApp.Builder app = WebApp.of("/my café", folder.root());
            if (wrapped) {
                app.filter(
                        "/*",
                        (request, response, chain) ->
                                chain.doFilter(
                                        request,
                                        new HttpServletResponseWrapper(
                                                (HttpServletResponse) response)));
            }
            try (ServletServer server = ServletServer.start(app)) {
                String target = "/my%20caf%C3%A9/a%20b";
                assertThat(location(server.get(target))).endsWith(target + "/");
                assertThat(server.get(target + "/").text()).isEqualTo("welcome");
            }
        }
    }

    @Test
    void dispatchesShowTheEncodedPath() throws Exception {
        CodeServlet.Code code =
                (request, response) -> {
                    DispatcherType type = request.getDispatcherType();
                    if (type == DispatcherType.REQUEST) {
                        dispatch(request, response);
                        return;
                    }
                    String prefix =
                            type == DispatcherType.FORWARD
                                    ? "jakarta.servlet.forward."
                                    : type == DispatcherType.INCLUDE
                                            ? "jakarta.servlet.include."
                                            : "jakarta.servlet.async.";
                    response.getWriter()
                            .printf(
                                    "%s %s %s %s%n",
                                    request.getContextPath(),
                                    request.getRequestURI(),
                                    attribute(request, prefix + "context_path"),
                                    attribute(request, prefix + "request_uri"));
                };
        try (ServletServer server = serve("/my app", code)) {
            String first = "/my%20app /my%20app/do/";
            assertThat(server.get("/my%20app/do/forward").text())
                    .isEqualTo(first + "a%20b " + first + "forward\n");
            assertThat(server.get("/my%20app/do/include").text())
                    .isEqualTo(first + "include " + first + "a%20b\n");
            assertThat(server.get("/my%20app/do/async").text())
                    .isEqualTo(first + "a%20b " + first + "async\n");
            assertThat(server.get("/my%20app/do/again").text())
                    .isEqualTo(first + "again " + first + "again\n");
        }
    }

    private static void dispatch(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String to = "/do/a%20b";
        switch (request.getPathInfo()) {
            case "/forward" -> request.getRequestDispatcher(to).forward(request, response);
            case "/include" -> request.getRequestDispatcher(to).include(request, response);
            case "/async" -> request.startAsync().dispatch(to);
            case "/again" -> {
                AsyncContext async = request.startAsync(request, response);
                async.dispatch();
            }
            default -> throw new ServletException(request.getPathInfo());
        }
    }

    @Test
    void contextIsFoundByItsPathInBothForms() throws Exception {
        try (ServletServer server =
                serve(
                        "/my app",
                        (request, response) -> {
                            for (String path :
                                    List.of(
                                            request.getContextPath(),
                                            "/my%20app/do/x",
                                            "/my app/do/x",
                                            "/my app/100%",
                                            "/my%2520app",
                                            "/my%20",
                                            "/my%")) {
                                Object found = request.getServletContext().getContext(path);
                                response.getWriter()
                                        .print(request.getServletContext().equals(found) + " ");
                            }
                        })) {
            assertThat(server.get("/my%20app/do/x").text())
                    .isEqualTo("true true true true false false false ");
        }
    }

    @Test
    void errorPageIsReached() throws Exception {
        String pages =
                "<error-page><error-code>404</error-code><location>/do/no%20page</location>"
                        + "</error-page>";
        try (AppFolder folder =
                        new AppFolder().file("WEB-INF/web.xml", SecurityTest.webXml(pages));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/my app", folder.root())
                                        .servlet(
                                                "/do/*",
                                                new CodeServlet((request, response) ->
                                                        response.getWriter()
                                                                .print(
                                                                        request.getRequestURI()
                                                                                + " "
                                                                                + attribute(
                                                                                        request,
                                                                                        RequestDispatcher
                                                                                                .ERROR_REQUEST_URI)))))) {
            RawResponse answer = server.get("/my%20app/gone");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).isEqualTo("/my%20app/do/no%20page /my%20app/gone");
        }
    }

    @Test
    void formLoginStaysInTheApplication() throws Exception {
        String login =
                SecurityTest.constraint(
                                "/do/*",
                                "<auth-constraint><role-name>staff</role-name></auth-constraint>")
                        + "<login-config><auth-method>FORM</auth-method></login-config>"
                        + "<security-role><role-name>staff</role-name></security-role>";
        try (AppFolder folder =
                        new AppFolder().file("WEB-INF/web.xml", SecurityTest.webXml(login));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/my app", folder.root())
                                        .servlet(
                                                "/do/*",
                                                new CodeServlet((request, response) ->
                                                        response.getWriter()
                                                                .print(request.getRemoteUser()))),
                                USERS)) {
            RawResponse asked = server.get("/my%20app/do/x");
            assertThat(asked.text()).contains("action=\"/my%20app/j_security_check");
            RawResponse done =
                    server.post("/my%20app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(location(done)).isEqualTo(ServletServer.origin() + "/my%20app/do/x");
            assertThat(server.get("/my%20app/do/x", cookie(done)).text()).isEqualTo("ada");

            RawResponse direct = server.post("/my%20app/j_security_check", RIGHT, FORM);
            assertThat(location(direct)).startsWith(ServletServer.origin() + "/my%20app/");
        }
    }

    /// A context path is written decoded, so each of these is a mistake.
    @ParameterizedTest
    @ValueSource(strings = {"/my%20app", "/a;b", "/a//b", "/a/../b", "/a?b", "my app", "/my app/"})
    void pathThatNoRequestHasIsRefused(String contextPath) {
        assertThatThrownBy(() -> WebApp.at(contextPath))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(contextPath);
    }
}
