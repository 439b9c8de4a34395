package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Relative URLs of a response refer to the URL that the client asked for, because the client resolves
/// them in this way (RFC 3986 §5.1.3), whatever the request was dispatched to.
@EveryMode
@Timeout(60)
final class ClientUrlTest {
    private static final Pattern ID = Pattern.compile(";jsessionid=[^?|]+");
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";

    /// Starts an application whose paths below `/go` lead to its private folder in one of the ways of
    /// a dispatch, where the code runs.
    private static ServletServer serve(AppFolder folder, CodeServlet.Code code) throws IOException {
        return ServletServer.start(
                WebApp.of("/app", folder.root())
                        .servlet(
                                "/go/*",
                                new CodeServlet((request, response) -> {
                                    String to = "/WEB-INF/views/page?own";
                                    switch (request.getPathInfo()) {
                                        case "/forward" ->
                                                request.getRequestDispatcher(to)
                                                        .forward(request, response);
                                        case "/async" -> request.startAsync().dispatch(to);
                                        default -> response.sendError(418);
                                    }
                                }))
                        .servlet("/WEB-INF/views/page", new CodeServlet(code)));
    }

    private static AppFolder files() {
        return new AppFolder()
                .file(
                        "WEB-INF/web.xml",
                        SecurityTest.webXml(
                                "<error-page><error-code>418</error-code>"
                                        + "<location>/WEB-INF/views/page</location></error-page>"));
    }

    @ParameterizedTest
    @CsvSource({
        "?page=2, /app/go/%s;jsessionid=ID?page=2",
        "'', /app/go/%s;jsessionid=ID?q=1",
        "list, list;jsessionid=ID",
        "../list, ../list;jsessionid=ID",
        "../../list, ../../list",
    })
    void encodedUrlLeadsToTheClientsPath(String url, String expected) throws Exception {
        try (AppFolder folder = files();
                ServletServer server =
                        serve(
                                folder,
                                (request, response) -> {
                                    request.getSession();
                                    response.getWriter().print(response.encodeURL(url));
                                })) {
            for (String how : new String[] {"forward", "async", "error"}) {
                String text = server.get("/app/go/" + how + "?q=1").text();
                assertThat(ID.matcher(text).replaceAll(";jsessionid=ID"))
                        .isEqualTo(expected.formatted(how));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "async", "error"})
    void relativeRedirectLeadsToTheFolderOfTheClientsPath(String how) throws Exception {
        try (AppFolder folder = files();
                ServletServer server =
                        serve(folder, (_, response) -> response.sendRedirect("a?b"))) {
            RawResponse response = server.get("/app/go/" + how + "?q=1");
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.field("Location"))
                    .isEqualTo(ServletServer.origin() + "/app/go/a?b");
        }
    }

    private static void authenticate(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (request.authenticate(response)) {
            response.getWriter().print(request.getRemoteUser());
        }
    }

    @Test
    void loginInTheTargetOfAForwardLeadsBackToTheClientsPath() throws Exception {
        String config =
                "<login-config><auth-method>FORM</auth-method></login-config>"
                        + "<security-role><role-name>staff</role-name></security-role>";
        try (AppFolder folder =
                        new AppFolder().file("WEB-INF/web.xml", SecurityTest.webXml(config));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root())
                                        .servlet(
                                                "/go",
                                                new CodeServlet((request, response) ->
                                                        request.getRequestDispatcher(
                                                                        "/WEB-INF/x?own")
                                                                .forward(request, response)))
                                        .servlet(
                                                "/WEB-INF/x",
                                                new CodeServlet(ClientUrlTest::authenticate)),
                                UserStore.inMemory().user("ada", "s3cret", "staff").build())) {
            RawResponse asked = server.get("/app/go?q=1");
            Matcher id =
                    Pattern.compile("JSESSIONID=[^;]+")
                            .matcher(String.valueOf(asked.field("Set-Cookie")));
            assertThat(id.find()).isTrue();
            RawResponse login =
                    server.post(
                            "/app/j_security_check",
                            "j_username=ada&j_password=s3cret",
                            "Cookie: " + id.group(),
                            FORM);
            assertThat(login.field("Location")).isEqualTo(ServletServer.origin() + "/app/go?q=1");
        }
    }
}
