package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.session.SessionFacade;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Logins and the sessions that keep them (Servlet 6.1 §13.10).
@EveryMode
@Timeout(120)
final class LoginSessionTest {
    private static final UserStore USERS =
            UserStore.inMemory()
                    .user("ada", "s3cret", "staff")
                    .user("bob", "s3cret", "staff")
                    .build();
    private static final String STAFF =
            "<auth-constraint><role-name>staff</role-name></auth-constraint>";
    private static final String ROLE =
            "<security-role><role-name>staff</role-name></security-role>";

    private static AppFolder files(String method, String constraints) {
        return new AppFolder()
                .file(
                        "WEB-INF/web.xml",
                        SecurityTest.webXml(
                                constraints
                                        + "<login-config><auth-method>"
                                        + method
                                        + "</auth-method></login-config>"
                                        + ROLE));
    }

    private static ServletServer serve(AppFolder folder) throws IOException {
        return ServletServer.start(
                WebApp.of("/app", folder.root())
                        .servlet(
                                "/session",
                                new CodeServlet((request, response) -> {
                                    request.getSession().setAttribute("cart", "full");
                                    response.getWriter().print(request.getSession().getId());
                                }))
                        .servlet(
                                "/who",
                                new CodeServlet((request, response) ->
                                        response.getWriter()
                                                .print(
                                                        request.getRemoteUser()
                                                                + " "
                                                                + request.getSession()
                                                                        .getAttribute("cart"))))
                        .servlet(
                                "/login",
                                new CodeServlet((request, response) -> {
                                    if (request.getParameter("late") != null) {
                                        response.flushBuffer();
                                    }
                                    login(request);
                                    response.getWriter().print(request.getRemoteUser());
                                }))
                        .servlet(
                                "/logout",
                                new CodeServlet((request, response) -> {
                                    request.logout();
                                    response.getWriter().print(request.getRemoteUser());
                                }))
                        .servlet(
                                "/method",
                                new CodeServlet((request, response) ->
                                        response.getWriter().print(request.getMethod())))
                        .servlet(
                                "/saved",
                                new CodeServlet((request, response) -> {
                                    SessionFacade session = (SessionFacade) request.getSession();
                                    Object held = session.held("saved");
                                    response.getWriter()
                                            .print(Arrays.toString((Object[]) held).length());
                                })),
                USERS);
    }

    private static void login(HttpServletRequest request) {
        try {
            request.login(request.getParameter("user"), "s3cret");
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String cookie(RawResponse response) {
        return "Cookie: " + String.valueOf(response.field("Set-Cookie")).split(";", 2)[0];
    }

    /// An attacker who has given the client the id of a session must not share its login.
    @Test
    void loginAfterTheResponseIsCommittedIsForItsRequest() throws IOException {
        try (AppFolder folder = files("BASIC", "");
                ServletServer server = serve(folder)) {
            String planted = "Cookie: JSESSIONID=" + server.get("/app/session").text();
            assertThat(server.get("/app/login?user=ada&late", planted).text()).isEqualTo("ada");
            assertThat(server.get("/app/who", planted).text()).isEqualTo("null full");
            // A session that has its user already keeps the id, and the login.
            RawResponse early = server.get("/app/login?user=ada", planted);
            assertThat(server.get("/app/who", cookie(early)).text()).isEqualTo("ada full");
            assertThat(server.get("/app/who", planted).text()).isEqualTo("null null");
        }
    }

    /// The scripts and images of the first page are requested at once, with the id of its session.
    @Test
    void sessionThatAUserCreatesKeepsItsId() throws IOException {
        try (AppFolder folder = files("BASIC", SecurityTest.constraint("/*", STAFF));
                ServletServer server = serve(folder)) {
            String ada = SecurityTest.basic("ada", "s3cret");
            String cookie = cookie(server.get("/app/session", ada));
            RawResponse next = server.get("/app/who", ada, cookie);
            assertThat(next.text()).isEqualTo("ada full");
            assertThat(next.has("Set-Cookie")).isFalse();
            RawResponse other = server.get("/app/who", SecurityTest.basic("bob", "s3cret"), cookie);
            assertThat(other.text()).isEqualTo("bob full");
            assertThat(cookie(other)).isNotEqualTo(cookie);
        }
    }

    @Test
    void sessionAfterALogoutHasNoUser() throws IOException {
        try (AppFolder folder = files("BASIC", SecurityTest.constraint("/left", STAFF));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .servlet(
                                                "/left",
                                                new CodeServlet((request, _) -> {
                                                    request.logout();
                                                    request.getSession();
                                                }))
                                        .servlet(
                                                "/login",
                                                new CodeServlet((request, _) -> login(request))),
                                USERS)) {
            String cookie = cookie(server.get("/app/left", SecurityTest.basic("ada", "s3cret")));
            RawResponse login = server.get("/app/login?user=ada", cookie);
            assertThat(login.has("Set-Cookie")).isTrue();
        }
    }

    @Test
    void sessionThatTheRequestHasCreatedKeepsALateLogin() throws IOException {
        try (AppFolder folder = files("BASIC", "");
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .servlet(
                                                "/new",
                                                new CodeServlet((request, response) -> {
                                                    request.getSession();
                                                    response.flushBuffer();
                                                    login(request);
                                                }))
                                        .servlet(
                                                "/who",
                                                new CodeServlet((request, response) ->
                                                        response.getWriter()
                                                                .print(request.getRemoteUser()))),
                                USERS)) {
            String cookie = cookie(server.get("/app/new?user=ada"));
            assertThat(server.get("/app/who", cookie).text()).isEqualTo("ada");
        }
    }

    /// The login ends, and the session stays (Javadoc of logout). The next user gets a new id.
    @Test
    void logoutKeepsTheSession() throws IOException {
        try (AppFolder folder = files("BASIC", "");
                ServletServer server = serve(folder)) {
            String first = "Cookie: JSESSIONID=" + server.get("/app/session").text();
            String ada = cookie(server.get("/app/login?user=ada", first));
            RawResponse logout = server.get("/app/logout", ada);
            assertThat(logout.text()).isEqualTo("null");
            assertThat(logout.has("Set-Cookie")).isFalse();
            assertThat(server.get("/app/who", ada).text()).isEqualTo("null full");
            String again = cookie(server.get("/app/login?user=ada", ada));
            assertThat(again).isNotEqualTo(ada); // a client that knew the id has no part in it
            assertThat(server.get("/app/logout", again).text()).isEqualTo("null");
            String bob = cookie(server.get("/app/login?user=bob", again));
            assertThat(bob).isNotEqualTo(again);
            assertThat(server.get("/app/who", bob).text()).isEqualTo("bob full");
            assertThat(server.get("/app/who", ada).text()).isEqualTo("null null");
        }
    }

    /// The application that received the request decides who its user is.
    @Test
    void targetInAnotherApplicationSeesTheUser() throws IOException {
        try (AppFolder folder = files("FORM", SecurityTest.constraint("/who", STAFF));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .servlet(
                                                "/portal",
                                                new CodeServlet((request, response) -> {
                                                    request.getServletContext()
                                                            .getContext("/other")
                                                            .getRequestDispatcher(
                                                                    request.getParameter("to"))
                                                            .include(request, response);
                                                    response.getWriter()
                                                            .print(request.getRemoteUser());
                                                }))
                                        .servlet(
                                                "/new",
                                                new CodeServlet(
                                                        (request, _) -> request.getSession())),
                                USERS)) {
            WebApp _ =
                    WebApp.at("/other")
                            .servlet(
                                    "/login",
                                    new CodeServlet((request, _) -> {
                                        request.getSession().setAttribute("own", "a");
                                        login(request);
                                    }))
                            .servlet(
                                    "/head",
                                    new CodeServlet((request, response) ->
                                            response.getWriter()
                                                    .print(request.getRemoteUser() + " ")))
                            .deploy(server.container());
            String first = cookie(server.get("/app/new"));
            RawResponse login = server.get("/app/portal?to=/login&user=ada", first);
            assertThat(login.text()).isEqualTo("ada");
            assertThat(cookie(login)).isNotEqualTo(first);
            assertThat(server.get("/app/portal?to=/head", cookie(login)).text())
                    .isEqualTo("ada ada");
            assertThat(server.get("/app/portal?to=/head", first).text()).isEqualTo("null null");
        }
    }

    @Test
    void resetKeepsTheCookieOfANewId() throws IOException {
        try (AppFolder folder = files("BASIC", "");
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .servlet("/new", resetting(HttpServletRequest::getSession))
                                        .servlet("/login", resetting(LoginSessionTest::login))
                                        .servlet(
                                                "/ended",
                                                resetting(request ->
                                                        request.getSession().invalidate()))
                                        .servlet(
                                                "/who",
                                                new CodeServlet((request, response) ->
                                                        response.getWriter()
                                                                .print(request.getRemoteUser()))),
                                USERS)) {
            RawResponse first = server.get("/app/new");
            assertThat(first.has("X-Before")).isFalse();
            RawResponse login = server.get("/app/login?user=ada", cookie(first));
            assertThat(login.all("Set-Cookie")).hasSize(1);
            assertThat(cookie(login)).isNotEqualTo(cookie(first));
            assertThat(server.get("/app/who", cookie(login)).text()).isEqualTo("ada");
            assertThat(server.get("/app/new", cookie(login)).has("Set-Cookie")).isFalse();
            assertThat(server.get("/app/ended").has("Set-Cookie")).isFalse();
        }
    }

    private static CodeServlet resetting(Consumer<HttpServletRequest> code) {
        return new CodeServlet((request, response) -> {
            response.setHeader("X-Before", "a");
            code.accept(request);
            response.reset();
        });
    }

    @Test
    void loginsAreCounted() throws IOException {
        try (AppFolder folder = files("BASIC", SecurityTest.constraint("/*", STAFF));
                ServletServer server = serve(folder)) {
            assertThat(server.get("/app/who", SecurityTest.basic("ada", "no")).status())
                    .isEqualTo(401);
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/app/who", SecurityTest.basic("ada", "s3cret")).status())
                        .isEqualTo(200);
            }
            assertThat(server.container().loginFigures())
                    .isEqualTo(new LoginFigures(1, 2, 1, 0, 0, 0));
        }
        try (AppFolder folder = files("BASIC", "");
                ServletServer server = ServletServer.start(WebApp.of("/app", folder.root()))) {
            assertThat(server.container().loginFigures()).isNull();
        }
    }

    /// Sessions outnumber the saved requests, so they keep no long targets.
    @Test
    void longTargetContinuesWithoutBeingKeptInTheSession() throws IOException {
        try (AppFolder folder = files("FORM", SecurityTest.constraint("/who", STAFF));
                ServletServer server = serve(folder)) {
            for (int length : new int[] {10, 1_000, 6_000}) {
                String target = "/app/who?q=" + "x".repeat(length);
                RawResponse asked = server.get(target);
                int kept = Integer.parseInt(server.get("/app/saved", cookie(asked)).text());
                assertThat(kept).isBetween(length > 1_000 ? 20 : length, 1_100);
                RawResponse login =
                        server.post(
                                "/app/j_security_check",
                                "j_username=ada&j_password=s3cret",
                                cookie(asked),
                                "Content-Type: application/x-www-form-urlencoded");
                assertThat(login.status()).isEqualTo(303);
                assertThat(login.field("Location")).isEqualTo(ServletServer.origin() + target);
                assertThat(server.get(target, cookie(login)).text()).isEqualTo("ada null");
            }
        }
    }

    /// A login by code lets the saved request continue, but not that of a session in the URL.
    @Test
    void loginByCodeContinuesNoRequestOfASessionInTheUrl() throws IOException {
        try (AppFolder folder = files("FORM", SecurityTest.constraint("/method", STAFF));
                ServletServer server = serve(folder)) {
            String own = cookie(server.post("/app/method", "a=b"));
            String user = cookie(server.get("/app/login?user=ada", own));
            assertThat(server.get("/app/method", user).text()).isEqualTo("POST");

            String planted = cookie(server.post("/app/method", "a=b")).split("=", 2)[1];
            RawResponse login = server.get("/app/login;jsessionid=" + planted + "?user=ada");
            assertThat(login.text()).isEqualTo("ada");
            assertThat(server.get("/app/method", cookie(login)).text()).isEqualTo("GET");
        }
    }
}
