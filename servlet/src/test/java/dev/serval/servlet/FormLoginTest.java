package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Login by form in a running server (Servlet 6.1 §13.6.3).
@EveryMode
@Timeout(120)
final class FormLoginTest {
    private static final UserStore USERS =
            UserStore.inMemory().user("ada", "s3cret", "staff").build();
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String RIGHT = "j_username=ada&j_password=s3cret";
    private static final String WRONG = "j_username=ada&j_password=guess";
    private static final String CONFIG =
            """
            <login-config><auth-method>FORM</auth-method><form-login-config>
              <form-login-page>/login.html</form-login-page>
              <form-error-page>/error.html</form-error-page>
            </form-login-config></login-config>
            <security-role><role-name>staff</role-name></security-role>
            """;
    private static final String STAFF =
            "<auth-constraint><role-name>staff</role-name></auth-constraint>";

    private static AppFolder files() {
        return new AppFolder()
                .file(
                        "WEB-INF/web.xml",
                        SecurityTest.webXml(SecurityTest.constraint("/*", STAFF) + CONFIG))
                .file("login.html", "the login page")
                .file("error.html", "the error page");
    }

    private static ServletServer serve(AppFolder folder) throws IOException {
        return ServletServer.start(app(folder), USERS);
    }

    private static WebApp.Builder app(AppFolder folder) throws IOException {
        return WebApp.of("/app", folder.root())
                .servlet(
                        "/echo",
                        new CodeServlet(
                                (request, response) -> response.getWriter().print(echo(request))))
                .servlet("/listen", new CodeServlet(FormLoginTest::listen))
                .servlet("/bye", new CodeServlet((request, _) -> request.logout()));
    }

    /// Reads the content by a ReadListener and answers with it.
    private static void listen(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        AsyncContext async = request.startAsync();
        ServletInputStream in = request.getInputStream();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        in.setReadListener(
                new ReadListener() {
                    @Override
                    public void onDataAvailable() throws IOException {
                        byte[] piece = new byte[3];
                        while (in.isReady() && !in.isFinished()) {
                            read.write(piece, 0, Math.max(0, in.read(piece)));
                        }
                    }

                    @Override
                    public void onAllDataRead() throws IOException {
                        response.getOutputStream().write(read.toByteArray());
                        async.complete();
                    }

                    @Override
                    public void onError(Throwable thrown) {
                        async.complete();
                    }
                });
    }

    private static String echo(HttpServletRequest request) throws IOException {
        String type = String.valueOf(request.getContentType());
        String content =
                type.startsWith("application/x-www-form")
                        ? "a=" + request.getParameter("a")
                        : new String(
                                request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return String.join(
                " ",
                request.getMethod(),
                request.getRequestURI(),
                String.valueOf(request.getQueryString()),
                type,
                String.valueOf(request.getHeader("X-Own")),
                content,
                request.getRemoteUser());
    }

    /// Returns the field Cookie for the session of a response.
    private static String cookie(RawResponse response) {
        String set = String.valueOf(response.field("Set-Cookie"));
        assertThat(set).startsWith("JSESSIONID=");
        return "Cookie: " + set.split(";", 2)[0];
    }

    @Test
    void serverHasAPageForAnApplicationWithoutOne() throws Exception {
        String config =
                "<login-config><auth-method>FORM</auth-method></login-config>"
                        + "<security-role><role-name>staff</role-name></security-role>";
        AppFolder folder =
                new AppFolder()
                        .file(
                                "WEB-INF/web.xml",
                                SecurityTest.webXml(SecurityTest.constraint("/*", STAFF) + config));
        try (ServletServer server = serve(folder)) {
            RawResponse asked = server.get("/app/echo");
            assertThat(asked.status()).isEqualTo(200);
            assertThat(asked.field("Content-Security-Policy")).contains("frame-ancestors 'none'");
            assertThat(asked.text())
                    .contains("action=\"/app/j_security_check", "name=\"j_password\"")
                    .doesNotContain("role=\"alert\"");
            String cookie = cookie(asked);
            assertThat(server.post("/app/j_security_check", WRONG, FORM, cookie).text())
                    .contains("<p role=\"alert\">The name or the password is wrong.</p>");
            RawResponse entered = server.post("/app/j_security_check", RIGHT, FORM, cookie);
            assertThat(entered.status()).isEqualTo(303);
            assertThat(entered.field("Location")).endsWith("/app/echo");
        }
    }

    /// The password would be sent in the clear.
    @Test
    void loginNeedsTheEncryptionThatItsConstraintDemands() throws IOException {
        String secure =
                "<user-data-constraint><transport-guarantee>CONFIDENTIAL</transport-guarantee>"
                        + "</user-data-constraint>";
        String descriptor =
                SecurityTest.webXml(
                        SecurityTest.constraint("/safe/*", STAFF + secure)
                                + SecurityTest.constraint("/open/*", STAFF)
                                + CONFIG);
        try (AppFolder folder = files().file("WEB-INF/web.xml", descriptor);
                ServletServer server = serve(folder)) {
            boolean encrypted = Mode.current().isTls();
            assertThat(server.post("/app/safe/j_security_check", WRONG, FORM).status())
                    .isEqualTo(encrypted ? 200 : 403);
            assertThat(server.post("/app/open/j_security_check", WRONG, FORM).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void getContinuesAfterTheLogin() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.get("/app/echo?q=1");
            assertThat(asked.status()).isEqualTo(200);
            assertThat(asked.text()).isEqualTo("the login page");
            assertThat(asked.field("Cache-Control")).isEqualTo("no-store");
            String before = cookie(asked);

            RawResponse wrong = server.post("/app/j_security_check", WRONG, before, FORM);
            assertThat(wrong.text()).isEqualTo("the error page");
            assertThat(server.get("/app/echo?q=1", before).text()).isEqualTo("the login page");

            RawResponse login = server.post("/app/j_security_check", RIGHT, before, FORM);
            assertThat(login.status()).isEqualTo(303);
            assertThat(login.field("Location")).isEqualTo(ServletServer.origin() + "/app/echo?q=1");
            String after = cookie(login);
            assertThat(after).isNotEqualTo(before); // session fixation

            assertThat(server.get("/app/echo?q=1", after).text())
                    .isEqualTo("GET /app/echo q=1 null null  ada");
            assertThat(server.get("/app/echo", before).text()).isEqualTo("the login page");
        }
    }

    /// The method, the fields and the content of a request come again, once.
    @Test
    void postContinuesAfterTheLogin() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked =
                    server.post(
                            "/app/echo?q=1", "some text", "X-Own: 7", "Content-Type: text/plain");
            assertThat(asked.text()).isEqualTo("the login page");
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            String after = cookie(login);
            assertThat(server.get("/app/echo?q=1", after).text())
                    .isEqualTo("POST /app/echo q=1 text/plain 7 some text ada");
            assertThat(server.get("/app/echo?q=1", after).text())
                    .isEqualTo("GET /app/echo q=1 null null  ada");
        }
    }

    /// The saved request belongs to the user who has logged in, not to the next one.
    @Test
    void savedRequestDoesNotContinueAfterALogout() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leaving = new CountDownLatch(1);
        try (AppFolder folder =
                        files().file(
                                        "WEB-INF/web.xml",
                                        SecurityTest.webXml(
                                                SecurityTest.constraint("/echo", STAFF) + CONFIG));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .servlet(
                                                "/echo",
                                                new CodeServlet((request, response) ->
                                                        response.getWriter().print(echo(request))))
                                        .servlet(
                                                "/bye",
                                                new CodeServlet((request, _) -> {
                                                    assertThat(request.getSession(false))
                                                            .isNotNull();
                                                    entered.countDown();
                                                    await(leaving);
                                                    request.logout();
                                                })),
                                USERS);
                RawClient slow = server.client()) {
            RawResponse asked = server.post("/app/echo", "text", "Content-Type: text/plain");
            String before = cookie(asked);
            slow.send("GET /app/bye HTTP/1.1\r\nHost: test\r\n" + before + "\r\n\r\n");
            entered.await();
            String first = cookie(server.post("/app/j_security_check", RIGHT, before, FORM));
            leaving.countDown();
            assertThat(slow.answer().status()).isEqualTo(200);
            RawResponse again = server.get("/app/echo", first);
            assertThat(again.text()).isEqualTo("the login page");
            String second = cookie(server.post("/app/j_security_check", RIGHT, first, FORM));
            assertThat(server.get("/app/echo", second).text())
                    .isEqualTo("GET /app/echo null null null  ada");
        }
    }

    private static void await(CountDownLatch latch) throws ServletException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new ServletException(e);
        }
    }

    @Test
    void listenerReadsTheContentThatContinues() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.post("/app/listen", "0123456789");
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(server.get("/app/listen", cookie(login)).text()).isEqualTo("0123456789");
        }
    }

    @Test
    void parametersAndUnknownMethodsContinue() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.post("/app/echo", "a=b", FORM);
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(server.get("/app/echo", cookie(login)).text())
                    .startsWith("POST /app/echo null application/x-www-form-urlencoded null a=b ");
            RawResponse odd;
            try (RawClient client = server.client()) {
                odd = client.exchange("ODD /app/echo HTTP/1.1\r\nHost: test\r\n\r\n");
            }
            assertThat(odd.text()).isEqualTo("the login page");
            login = server.post("/app/j_security_check", RIGHT, cookie(odd), FORM);
            assertThat(server.get("/app/echo", cookie(login)).text()).startsWith("ODD /app/echo ");
        }
    }

    /// Otherwise it would continue without its parameters.
    @Test
    void contentThatAListenerHasReadContinuesAsGet() throws IOException {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (AppFolder folder = files();
                ServletServer server =
                        ServletServer.start(
                                app(folder)
                                        .listener(
                                                new ServletRequestListener() {
                                                    @Override
                                                    public void requestInitialized(
                                                            ServletRequestEvent event) {
                                                        seen.add(
                                                                String.valueOf(
                                                                        event.getServletRequest()
                                                                                .getParameter(
                                                                                        "a")));
                                                    }
                                                }),
                                USERS)) {
            RawResponse asked = server.post("/app/echo", "a=b", FORM);
            assertThat(asked.text()).isEqualTo("the login page");
            assertThat(seen).containsExactly("b");
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(server.get("/app/echo", cookie(login)).text()).startsWith("GET /app/echo ");
            asked = server.post("/app/echo", "some text", "Content-Type: text/plain");
            login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(server.get("/app/echo", cookie(login)).text())
                    .as("what the listener did not touch")
                    .contains("some text");
        }
    }

    /// Content at the limit comes again; one byte more does not.
    @Test
    void longContentContinuesAsGet() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            for (int extra : new int[] {0, 1}) {
                String content = "x".repeat((64 << 10) + extra);
                RawResponse asked = server.post("/app/echo", content, "Content-Type: text/plain");
                assertThat(asked.text()).isEqualTo("the login page");
                RawResponse login =
                        server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
                String answer = server.get("/app/echo", cookie(login)).text();
                if (extra == 0) {
                    assertThat(answer).startsWith("POST /app/echo").contains(content);
                } else {
                    assertThat(answer).startsWith("GET /app/echo null null");
                }
            }
        }
    }

    @Test
    void longChunkedContentContinuesAsGet() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder);
                RawClient client = server.client()) {
            String content = "x".repeat((64 << 10) + 1);
            client.send(
                    "POST /app/echo HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + Integer.toHexString(content.length())
                            + "\r\n"
                            + content
                            + "\r\n0\r\n\r\n");
            RawResponse asked = client.answer("POST");
            assertThat(asked.text()).isEqualTo("the login page");
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(server.get("/app/echo", cookie(login)).text()).startsWith("GET /app/echo ");
        }
    }

    /// Another site must not have a request sent in the name of the user who logs in next. Without
    /// TLS, browsers tell of it by Origin only.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-Fetch-Site: cross-site",
                "Sec-Fetch-Site: same-site",
                "Origin: null",
                "Origin: http://evil.example",
                "Origin: http://test.evil.example",
                "Origin: http://test:8080",
                "Origin: http://",
                "Origin: ",
            })
    void contentFromAnotherSiteDoesNotContinue(String field) throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.post("/app/echo", "a=b", FORM, field);
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(server.get("/app/echo", cookie(login)).text()).startsWith("GET /app/echo ");
        }
    }

    /// A proxy may have ended the encryption.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sec-Fetch-Site: same-origin",
                "Sec-Fetch-Site: none",
                "Origin: http://test",
                "Origin: http://TEST:80",
                "Origin: https://test",
                "Origin: https://test:443",
            })
    void contentFromTheSameSiteContinues(String field) throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.post("/app/echo", "a=b", FORM, field);
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(server.get("/app/echo", cookie(login)).text()).startsWith("POST /app/echo ");
        }
    }

    /// An attacker may save a request and give the session's id to a user by a link.
    @Test
    void contentOfASessionInTheUrlDoesNotContinue() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            String id = cookie(server.post("/app/echo", "a=b", FORM)).split("=", 2)[1];
            RawResponse login = server.post("/app/j_security_check;jsessionid=" + id, RIGHT, FORM);
            String location = String.valueOf(login.field("Location"));
            assertThat(location)
                    .startsWith(ServletServer.origin() + "/app/echo;jsessionid=")
                    .doesNotContain(id);
            assertThat(server.get("/app/echo", cookie(login)).text()).startsWith("GET /app/echo ");
            assertThat(server.get(location.substring(ServletServer.origin().length())).text())
                    .startsWith("GET /app/echo");
        }
    }

    /// The redirect leads to the path without the id that has ended, and the content continues.
    @Test
    void targetIsSavedWithoutTheIdOfASession() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.post("/app/echo;jsessionid=gone?q=1", "a=b", FORM);
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(login.field("Location")).isEqualTo(ServletServer.origin() + "/app/echo?q=1");
            assertThat(server.get("/app/echo?q=1", cookie(login)).text())
                    .startsWith("POST /app/echo q=1 ");
        }
    }

    /// It must not wait until some link leads to its path.
    @Test
    void contentContinuesOnlyByTheFirstRequestAfterTheLogin() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.post("/app/echo", "a=b", FORM);
            String user = cookie(server.post("/app/j_security_check", RIGHT, cookie(asked), FORM));
            assertThat(server.get("/app/echo?other", user).text())
                    .startsWith("GET /app/echo other");
            assertThat(server.get("/app/echo", user).text()).startsWith("GET /app/echo null");
        }
    }

    @Test
    void imagesOfTheLoginPageDoNotReplaceTheSavedRequest() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            String before = cookie(server.get("/app/echo?q=1"));
            server.get("/app/logo.png", before, "Sec-Fetch-Mode: no-cors");
            assertThat(server.post("/app/j_security_check", RIGHT, before, FORM).field("Location"))
                    .isEqualTo(ServletServer.origin() + "/app/echo?q=1");
        }
    }

    /// The client may have stored the protected page, but it is asked to log in.
    @Test
    void loginPageIsNoAnswerToACondition() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            for (String condition :
                    new String[] {
                        "If-None-Match: *", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT",
                    }) {
                RawResponse asked = server.get("/app/echo", condition);
                assertThat(asked.status()).as(condition).isEqualTo(200);
                assertThat(asked.text()).isEqualTo("the login page");
                assertThat(asked.has("ETag")).isFalse();
                assertThat(asked.has("Last-Modified")).isFalse();
            }
        }
    }

    /// The redirect after the login never leaves the server.
    @ParameterizedTest
    @ValueSource(strings = {"//evil.example/..//app/echo", "//app/echo", "///app/echo"})
    void loginDoesNotRedirectToAnotherServer(String target) throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.get(target);
            if (asked.status() != 200) {
                assertThat(asked.status()).isIn(400, 404);
                return;
            }
            RawResponse login = server.post("/app/j_security_check", RIGHT, cookie(asked), FORM);
            assertThat(login.field("Location")).matches(ServletServer.origin() + "/[^/].*");
        }
    }

    @Test
    void loginWithoutSavedRequestLeadsToTheRoot() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse login = server.post("/app/j_security_check", RIGHT, FORM);
            assertThat(login.status()).isEqualTo(303);
            assertThat(login.field("Location")).startsWith(ServletServer.origin() + "/app/");
        }
    }

    @Test
    void onlyPostLogsIn() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            RawResponse asked = server.get("/app/j_security_check?" + RIGHT);
            assertThat(asked.text()).isEqualTo("the login page");
        }
    }

    @Test
    void sessionIdInTheUrlWorksWithoutCookies() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            String id = cookie(server.get("/app/echo")).split("=", 2)[1];
            RawResponse login = server.post("/app/j_security_check;jsessionid=" + id, RIGHT, FORM);
            String location = String.valueOf(login.field("Location"));
            assertThat(location)
                    .startsWith(ServletServer.origin() + "/app/echo;jsessionid=")
                    .doesNotContain(id);
            assertThat(server.get(location.substring(ServletServer.origin().length())).text())
                    .endsWith(" ada");
        }
    }

    @Test
    void logoutEndsTheLogin() throws IOException {
        try (AppFolder folder = files();
                ServletServer server = serve(folder)) {
            String user = cookie(server.post("/app/j_security_check", RIGHT, FORM));
            assertThat(server.get("/app/echo", user).text()).endsWith(" ada");
            assertThat(server.get("/app/bye", user).status()).isEqualTo(200);
            assertThat(server.get("/app/echo", user).text()).isEqualTo("the login page");
        }
    }

    /// What the container keeps in the session is not an attribute for the application.
    @Test
    void applicationSeesNoValuesOfTheContainer() throws IOException {
        List<String> heard = new CopyOnWriteArrayList<>();
        HttpSessionAttributeListener listener =
                new HttpSessionAttributeListener() {
                    @Override
                    public void attributeAdded(HttpSessionBindingEvent event) {
                        heard.add(event.getName());
                    }

                    @Override
                    public void attributeRemoved(HttpSessionBindingEvent event) {
                        heard.add(event.getName());
                    }
                };
        try (AppFolder folder = files();
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .listener(listener)
                                        .servlet(
                                                "/end",
                                                new CodeServlet((request, response) -> {
                                                    HttpSession session = request.getSession();
                                                    session.setAttribute("own", 1);
                                                    response.getWriter()
                                                            .print(
                                                                    Collections.list(
                                                                            session
                                                                                    .getAttributeNames()));
                                                    session.invalidate();
                                                })),
                                USERS)) {
            String user = cookie(server.post("/app/j_security_check", RIGHT, FORM));
            assertThat(server.get("/app/end", user).text()).isEqualTo("[own]");
            assertThat(heard).containsExactly("own", "own");
            assertThat(server.get("/app/end", user).text()).isEqualTo("the login page");
        }
    }
}
