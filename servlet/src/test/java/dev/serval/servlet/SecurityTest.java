package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.mode.InMode;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Constraints and BASIC in a running server (Servlet 6.1 §13, RFC 7617).
@EveryMode
@Timeout(120)
final class SecurityTest {
    private static final UserStore USERS =
            UserStore.inMemory()
                    .user("ada", "s3cret", "staff")
                    .user("bob", "pässword:x", "guest")
                    .build();

    static String webXml(String elements) {
        return """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
        """
                + elements
                + "</web-app>";
    }

    static String constraint(String pattern, String roles) {
        return "<security-constraint><web-resource-collection><web-resource-name>a"
                + "</web-resource-name><url-pattern>"
                + pattern
                + "</url-pattern></web-resource-collection>"
                + roles
                + "</security-constraint>";
    }

    private static final String STAFF =
            "<auth-constraint><role-name>staff</role-name></auth-constraint>";
    private static final String BASIC =
            "<login-config><auth-method>BASIC</auth-method><realm-name>the \"realm\""
                    + "</realm-name></login-config>"
                    + "<security-role><role-name>staff</role-name></security-role>";

    private static AppFolder files(String constraints) {
        return new AppFolder()
                .file("WEB-INF/web.xml", webXml(constraints + BASIC))
                .file("open.txt", "open")
                .file("secret/a.txt", "hidden")
                .file("secret/index.html", "hidden index")
                .file("docs/index.html", "hidden docs");
    }

    private static WebApp.Builder app(AppFolder folder) {
        return WebApp.of("/app", folder.root())
                .servlet(
                        "/who/*",
                        new CodeServlet(
                                (request, response) -> response.getWriter().print(who(request))))
                .servlet(
                        "/secret/who",
                        new CodeServlet(
                                (request, response) -> response.getWriter().print(who(request))))
                .servlet(
                        "/forward",
                        new CodeServlet((request, response) ->
                                request.getRequestDispatcher("/secret/who")
                                        .forward(request, response)));
    }

    private static String who(HttpServletRequest request) {
        @Nullable Object principal = request.getUserPrincipal();
        return request.getAuthType()
                + " "
                + request.getRemoteUser()
                + " "
                + principal
                + " "
                + request.isUserInRole("staff")
                + " "
                + request.isUserInRole("**")
                + " "
                + request.isUserInRole("*");
    }

    static String basic(String name, String password) {
        String both = name + ":" + password;
        return "Authorization: Basic "
                + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void accessLogNamesTheUser(@TempDir Path work) throws IOException {
        List<String> users = new CopyOnWriteArrayList<>();
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletContainer container =
                        ServletContainer.builder()
                                .users(USERS)
                                .workFolder(work.resolve("work"))
                                .open()) {
            WebApp app = app(folder).deploy(container);
            try (Serval server =
                    InMode.startPlain(
                            Serval.listen(0)
                                    .accessLog(x -> users.add(String.valueOf(x.user())))
                                    .mount(app.prefix(), app.handlers()))) {
                try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
                    String get = "GET /app/secret/who HTTP/1.1\r\nHost: a\r\n";
                    client.exchange(get + basic("ada", "s3cret") + "\r\n\r\n");
                    client.exchange(get + "\r\n");
                }
                Await.until("both records", () -> users.size() == 2);
            }
        }
        assertThat(users).containsExactly("ada", "null");
    }

    @Test
    void asksForBasicCredentials() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            RawResponse asked = server.get("/app/secret/who");
            assertThat(asked.status()).isEqualTo(401);
            assertThat(asked.field("WWW-Authenticate"))
                    .isEqualTo("Basic realm=\"the \\\"realm\\\"\", charset=\"UTF-8\"");
            assertThat(server.get("/app/secret/who", basic("ada", "s3cret")).text())
                    .isEqualTo("BASIC ada ada true true false");
            assertThat(server.get("/app/secret/who", basic("ada", "wrong")).status())
                    .isEqualTo(401);
            assertThat(server.get("/app/secret/who", basic("eve", "s3cret")).status())
                    .isEqualTo(401);
            // The password has a colon and a letter outside of ASCII; the role is missing.
            assertThat(server.get("/app/secret/who", basic("bob", "pässword:x")).status())
                    .isEqualTo(403);
            assertThat(server.get("/app/who/x", basic("ada", "s3cret")).text())
                    .isEqualTo("null null null false false false"); // nothing has asked
        }
    }

    @Test
    void forwardIsNotChecked() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            assertThat(server.get("/app/forward").text())
                    .isEqualTo("null null null false false false");
        }
    }

    /// Other spellings of the path have the same constraints.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/app/secret/a.txt",
                "/app//secret/a.txt",
                "//app/secret/a.txt",
                "/app/secret//a.txt",
                "/app/./secret/a.txt",
                "/app/x/../secret/a.txt",
                "/app/%73ecret/a.txt",
                "/app/secret%2fa.txt",
                "/app/secret%2Fa.txt",
                "/app/secret%5ca.txt",
                "/app/secret/%61.txt",
                "/app/%2e/secret/a.txt",
                "/app/x/%2e%2e/secret/a.txt",
                "/app/secret;x/a.txt",
                "/app/secret/a.txt;x=y",
                "/app/;x/secret/a.txt",
                "/app;x/secret/a.txt",
                "/app/x;y/../secret/a.txt",
                "/app/secret/./a.txt",
                "/app/secret/b/../a.txt",
                "/app/secret",
                "/app/secret/",
                "/app/secret/index.html",
                "/app/secret/;x",
                "/app/secret/a.txt?x",
                "/app/Secret/a.txt",
                "/app/%c0%ae/secret/a.txt",
                "http://test/app/secret/a.txt",
            })
    void noSpellingBypassesAConstraint(String target) throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            for (String method : new String[] {"GET", "HEAD", "POST", "get", "FOO", "OPTIONS"}) {
                try (RawClient client = server.client()) {
                    client.send(method + " " + target + " HTTP/1.1\r\nHost: test\r\n\r\n");
                    RawResponse answer = client.answer(method);
                    assertThat(answer.status()).as(method).isIn(400, 401, 404, 405, 501);
                    assertThat(answer.text()).doesNotContain("hidden");
                }
            }
        }
    }

    @Test
    void constrainedFilesAreServedToUsers() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            assertThat(server.get("/app/open.txt").text()).isEqualTo("open");
            String ada = basic("ada", "s3cret");
            RawResponse file = server.get("/app/secret/a.txt", ada);
            assertThat(file.text()).isEqualTo("hidden");
            assertThat(file.field("Cache-Control")).isEqualTo("private");
            assertThat(server.get("/app/open.txt").has("Cache-Control")).isFalse();
            assertThat(server.get("/app/secret/", ada).text()).isEqualTo("hidden index");
            assertThat(server.get("/app/secret/;x", ada).text()).isEqualTo("hidden index");
            RawResponse part = server.get("/app/secret/a.txt", ada, "Range: bytes=0-2");
            assertThat(part.status()).isEqualTo(206); // by the engine's file handler
        }
    }

    /// A welcome file is reached by the path of its folder too.
    @ParameterizedTest
    @ValueSource(strings = {"/docs/index.html", "*.html", "/docs/*", "/"})
    void constraintOfAWelcomeFileAppliesToItsFolder(String pattern) throws IOException {
        try (AppFolder folder = files(constraint(pattern, STAFF));
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            assertThat(server.get("/app/docs/").status()).isEqualTo(401);
            assertThat(server.get("/app/docs/index.html").status()).isEqualTo(401);
            assertThat(server.get("/app/docs/", basic("ada", "s3cret")).text())
                    .isEqualTo("hidden docs");
        }
    }

    @Test
    void constraintWithoutRolesDeniesAll() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", "<auth-constraint/>"));
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            assertThat(server.get("/app/secret/a.txt").status()).isEqualTo(403);
            assertThat(server.get("/app/secret/a.txt", basic("ada", "s3cret")).status())
                    .isEqualTo(403);
        }
    }

    @Test
    void transportGuaranteeRefusesOrRedirects() throws IOException {
        String secure =
                "<user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee>"
                        + "</user-data-constraint>";
        try (AppFolder folder = files(constraint("/secret/*", secure))) {
            try (ServletServer server = ServletServer.start(app(folder), USERS)) {
                assertThat(server.get("/app/secret/a.txt").status()).isEqualTo(403);
            }
            try (ServletServer server =
                    ServletServer.start(
                            app(folder),
                            Limits.DEFAULT,
                            ServletContainer.builder().httpsPort(8443))) {
                RawResponse redirect = server.get("/app/secret/a.txt?q=1");
                assertThat(redirect.status()).isEqualTo(302);
                assertThat(redirect.field("Location"))
                        .isEqualTo("https://test:8443/app/secret/a.txt?q=1");
                assertThat(server.post("/app/secret/a.txt", "x").status()).isEqualTo(403);
            }
        }
    }

    /// The user is known before the first filter runs, and an unknown user reaches none.
    @Test
    void authenticationComesBeforeFilters() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server =
                        ServletServer.start(
                                app(folder)
                                        .filter(
                                                "/*",
                                                (request, response, chain) -> {
                                                    response.getWriter()
                                                            .print(
                                                                    "filter "
                                                                            + ((HttpServletRequest)
                                                                                            request)
                                                                                    .getRemoteUser()
                                                                            + ", ");
                                                    chain.doFilter(request, response);
                                                }),
                                USERS)) {
            assertThat(server.get("/app/secret/who", basic("ada", "s3cret")).text())
                    .isEqualTo("filter ada, BASIC ada ada true true false");
            assertThat(server.get("/app/secret/who").text()).doesNotContain("filter");
        }
    }

    @Test
    void withoutUsersProtectedPathsAreRefused() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server = ServletServer.start(app(folder))) {
            assertThat(server.get("/app/open.txt").status()).isEqualTo(200);
            assertThat(server.get("/app/secret/a.txt", basic("ada", "s3cret")).status())
                    .isEqualTo(403);
        }
    }

    @Test
    void hugeOrMalformedCredentialsAreRefused() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            for (String field :
                    new String[] {
                        "Basic",
                        "Basic ",
                        "Basic !!!!",
                        "Basic YWRh", // no colon
                        "Basic /////w==", // not UTF-8
                        "Basic YWRhOnMzY3JldAA=", // a NUL
                        "Bearer YWRhOnMzY3JldA==",
                        "Basic " + "A".repeat(20_000),
                    }) {
                assertThat(server.get("/app/secret/a.txt", "Authorization: " + field).status())
                        .as(field)
                        .isEqualTo(401);
            }
            String long257 = basic("n".repeat(257), "x");
            assertThat(server.get("/app/secret/a.txt", long257).status()).isEqualTo(401);
        }
    }

    /// A client that brings its own session id gets another one when its user is known.
    @Test
    void sessionIdChangesWhenTheUserBecomesKnown() throws IOException {
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server =
                        ServletServer.start(
                                app(folder)
                                        .servlet(
                                                "/session",
                                                new CodeServlet((request, response) ->
                                                        response.getWriter()
                                                                .print(
                                                                        request.getSession()
                                                                                .getId()))),
                                USERS)) {
            String id = server.get("/app/session").text();
            String cookie = "Cookie: JSESSIONID=" + id;
            String ada = basic("ada", "s3cret");
            RawResponse first = server.get("/app/secret/who", cookie, ada);
            assertThat(first.field("Set-Cookie")).startsWith("JSESSIONID=").doesNotContain(id);
            String next = String.valueOf(first.field("Set-Cookie")).split("[=;]", 3)[1];
            assertThat(server.get("/app/session", cookie).text()).isNotIn(id, next);
            String own = "Cookie: JSESSIONID=" + next;
            assertThat(server.get("/app/session", own).text()).isEqualTo(next);
            assertThat(server.get("/app/secret/who", own, ada).has("Set-Cookie")).isFalse();
        }
    }

    @Test
    void loginAndLogoutByCode() throws IOException {
        try (AppFolder folder = files("");
                ServletServer server =
                        ServletServer.start(
                                app(folder)
                                        .servlet(
                                                "/login",
                                                new CodeServlet((request, response) -> {
                                                    try {
                                                        request.login(
                                                                "ada", request.getParameter("p"));
                                                    } catch (ServletException e) {
                                                        response.getWriter().print(e.getMessage());
                                                    }
                                                    response.getWriter().print(who(request));
                                                }))
                                        .servlet(
                                                "/logout",
                                                new CodeServlet((request, response) -> {
                                                    request.logout();
                                                    response.getWriter().print(who(request));
                                                })),
                                USERS)) {
            assertThat(server.get("/app/login?p=wrong").text())
                    .startsWith("The name or the password is wrong")
                    .endsWith("null null null false false false");
            assertThat(server.get("/app/login").text()) // login("ada", null)
                    .startsWith("The name or the password is wrong");
            RawResponse login = server.get("/app/login?p=s3cret");
            assertThat(login.text()).isEqualTo("BASIC ada ada true true false");
            String id = String.valueOf(login.field("Set-Cookie")).split(";", 2)[0];
            assertThat(server.get("/app/who/x", "Cookie: " + id).text())
                    .isEqualTo("BASIC ada ada true true false");
            assertThat(server.get("/app/login?p=s3cret", "Cookie: " + id).text())
                    .startsWith("A user has logged in already");
            assertThat(server.get("/app/logout", "Cookie: " + id).text())
                    .isEqualTo("null null null false false false");
            assertThat(server.get("/app/who/x", "Cookie: " + id).text())
                    .isEqualTo("null null null false false false");
        }
    }

    @Test
    void authenticateAsksTheClient() throws IOException {
        try (AppFolder folder = files("");
                ServletServer server =
                        ServletServer.start(
                                app(folder)
                                        .servlet(
                                                "/ask",
                                                new CodeServlet((request, response) -> {
                                                    boolean known = request.authenticate(response);
                                                    if (known) {
                                                        response.getWriter().print(who(request));
                                                    }
                                                })),
                                USERS)) {
            RawResponse asked = server.get("/app/ask");
            assertThat(asked.status()).isEqualTo(401);
            assertThat(asked.field("WWW-Authenticate")).startsWith("Basic ");
            assertThat(server.get("/app/ask", basic("ada", "s3cret")).text())
                    .isEqualTo("BASIC ada ada true true false");
        }
    }

    /// Guesses are slowed, and the right password of another user is not.
    @Test
    void guessesAreSlowedAndThenRefused() throws IOException {
        AtomicInteger checked = new AtomicInteger();
        UserStore counting =
                name -> {
                    checked.incrementAndGet();
                    return USERS.find(name);
                };
        try (AppFolder folder = files(constraint("/secret/*", STAFF));
                ServletServer server = ServletServer.start(app(folder), counting)) {
            for (int i = 0; i < 4; i++) {
                assertThat(server.get("/app/secret/who", basic("ada", "guess" + i)).status())
                        .isEqualTo(401);
            }
            // Now each guess waits, and only four may wait at a time: of many at once, most get
            // 429.
            List<Integer> answers = new CopyOnWriteArrayList<>();
            List<Thread> guesses = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                String guess = basic("ada", "parallel" + i);
                guesses.add(
                        Thread.ofVirtual()
                                .start(() ->
                                        answers.add(
                                                server.get("/app/secret/who", guess).status())));
            }
            for (Thread guess : guesses) {
                guess.join();
            }
            assertThat(answers).hasSize(24).contains(401, 429).containsOnly(401, 429);
            assertThat(checked.get()).isLessThan(28);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// A constraint of GET alone leaves other methods open, unless uncovered methods are denied.
    @ParameterizedTest
    @CsvSource({
        "false, GET, 401", "false, HEAD, 200", "false, POST, 200", "false, FOO, 200",
        "true, GET, 401", "true, HEAD, 403", "true, POST, 403", "true, FOO, 403",
        "true, get, 403", "true, OPTIONS, 403",
    })
    void uncoveredMethods(boolean deny, String method, int status) throws IOException {
        String onlyGet =
                "<security-constraint><web-resource-collection><web-resource-name>a"
                        + "</web-resource-name><url-pattern>/secret/*</url-pattern>"
                        + "<http-method>GET</http-method></web-resource-collection>"
                        + STAFF
                        + "</security-constraint>"
                        + (deny ? "<deny-uncovered-http-methods/>" : "");
        try (AppFolder folder = files(onlyGet);
                ServletServer server = ServletServer.start(app(folder), USERS);
                RawClient client = server.client()) {
            client.send(method + " /app/secret/who HTTP/1.1\r\nHost: test\r\n\r\n");
            assertThat(client.answer(method).status()).isEqualTo(status);
        }
    }

    /// What the annotation and the code of a servlet declare is enforced as web.xml is.
    @Test
    void annotationsAndCodeDeclareConstraints() throws IOException {
        try (AppFolder folder =
                        new AppFolder()
                                .file("WEB-INF/web.xml", webXml(BASIC))
                                .source(
                                        "app.Guarded",
                                        """
                                        package app;
                                        import jakarta.servlet.annotation.*;
                                        import jakarta.servlet.http.*;
                                        @WebServlet("/guarded")
                                        @ServletSecurity(@HttpConstraint(rolesAllowed = "staff"))
                                        public class Guarded extends HttpServlet {
                                            protected void doGet(
                                                    HttpServletRequest q, HttpServletResponse r) {}
                                        }
                                        """)
                                .source(
                                        "app.Start",
                                        """
                                        package app;
                                        import jakarta.servlet.*;
                                        import jakarta.servlet.annotation.*;
                                        import jakarta.servlet.annotation.ServletSecurity.*;
                                        @WebListener
                                        public class Start implements ServletContextListener {
                                            public void contextInitialized(ServletContextEvent e) {
                                                var added = e.getServletContext()
                                                        .addServlet("added", Guarded.class);
                                                added.addMapping("/added");
                                                added.setServletSecurity(new ServletSecurityElement(
                                                        new HttpConstraintElement(
                                                                EmptyRoleSemantic.DENY)));
                                            }
                                        }
                                        """)
                                .compile();
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            assertThat(server.get("/app/guarded").status()).isEqualTo(401);
            assertThat(server.get("/app/guarded", basic("ada", "s3cret")).status()).isEqualTo(200);
            assertThat(server.get("/app/added", basic("ada", "s3cret")).status()).isEqualTo(403);
        }
    }

    /// A servlet inherits the constraints of its superclass, however it is declared (§13.4.1).
    @Test
    void superclassDeclaresConstraints() throws IOException {
        String bare =
                "<servlet><servlet-name>bare</servlet-name><servlet-class>app.Bare</servlet-class>"
                        + "</servlet><servlet-mapping><servlet-name>bare</servlet-name>"
                        + "<url-pattern>/bare</url-pattern></servlet-mapping>";
        try (AppFolder folder =
                        new AppFolder()
                                .file("WEB-INF/web.xml", webXml(bare + BASIC))
                                .source(
                                        "app.Staff",
                                        """
                                        package app;
                                        import jakarta.servlet.annotation.*;
                                        import jakarta.servlet.http.*;
                                        @ServletSecurity(@HttpConstraint(rolesAllowed = "staff"))
                                        public abstract class Staff extends HttpServlet {
                                            protected void doGet(
                                                    HttpServletRequest q, HttpServletResponse r) {}
                                        }
                                        """)
                                .source(
                                        "app.Users",
                                        """
                                        package app;
                                        @jakarta.servlet.annotation.WebServlet("/users")
                                        public class Users extends Staff {}
                                        """)
                                .source(
                                        "app.Bare",
                                        "package app; public class Bare extends Staff {}")
                                .compile();
                ServletServer server = ServletServer.start(app(folder), USERS)) {
            for (String path : List.of("/app/users", "/app/bare")) {
                assertThat(server.get(path).status()).isEqualTo(401);
                assertThat(server.get(path, basic("ada", "s3cret")).status()).isEqualTo(200);
            }
        }
    }
}
