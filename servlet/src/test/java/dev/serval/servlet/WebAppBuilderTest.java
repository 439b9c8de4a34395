package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What code adds to an application by the builder.
@EveryMode
@Timeout(60)
final class WebAppBuilderTest {
    private static final UserStore USERS =
            UserStore.inMemory().user("ada", "s3cret", "staff").build();

    @ServletSecurity(@HttpConstraint(rolesAllowed = "staff"))
    @MultipartConfig(maxFileSize = 7)
    private static final class Guarded extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().print(request.getPart("a").getSize());
        }
    }

    private static RawResponse upload(ServletServer server, String part, String field) {
        String content =
                "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a\"\r\n\r\n"
                        + part
                        + "\r\n--x--\r\n";
        return server.post(
                "/app/guarded", content, "Content-Type: multipart/form-data; boundary=x", field);
    }

    @Test
    void annotationsOfAServletCount() throws IOException {
        String login = "<login-config><auth-method>BASIC</auth-method></login-config>";
        try (AppFolder folder =
                        new AppFolder().file("WEB-INF/web.xml", SecurityTest.webXml(login));
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root()).servlet("/guarded", new Guarded()),
                                USERS)) {
            String ada = SecurityTest.basic("ada", "s3cret");
            assertThat(upload(server, "1234567", "X: y").status()).isEqualTo(401);
            assertThat(upload(server, "1234567", ada).text()).isEqualTo("7");
            assertThat(upload(server, "12345678", ada).status()).isEqualTo(413);
        }
    }

    @Test
    void withoutALoginAConstrainedServletIsRefused() throws IOException {
        try (ServletServer server =
                ServletServer.start(WebApp.at("/app").servlet("/guarded", new Guarded()), USERS)) {
            String ada = SecurityTest.basic("ada", "s3cret");
            assertThat(upload(server, "1", ada).status()).isEqualTo(403);
        }
    }

    private static Filter adding(String text) {
        return (request, response, chain) -> {
            response.getWriter().print(text);
            chain.doFilter(request, response);
        };
    }

    /// Both are objects of one class, the one of the lambda.
    @Test
    void filtersOfOneClassOnOnePatternAllRun() throws IOException {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .filter("/*", adding("a"))
                                .filter("/*", adding("b"))
                                .filter("/*", adding("c"))
                                .servlet("/s", new CodeServlet((_, _) -> {})))) {
            assertThat(server.get("/s").text()).isEqualTo("abc");
        }
    }

    @Test
    void servletsOfOneClassOnOnePatternAreRefused() throws IOException {
        WebApp.Builder app =
                WebApp.at("")
                        .servlet("/s", new CodeServlet((_, _) -> {}))
                        .servlet("/s", new CodeServlet((_, _) -> {}));
        try (ServletContainer container = ServletContainer.open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> app.deploy(container))
                    .withMessageContaining("/s belongs to the servlet");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "*", "*.", "hello/*", "*./a", "/a\n"})
    void patternsOfAnotherFormAreRefused(String pattern) {
        WebApp.Builder app = WebApp.at("");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> app.servlet(pattern, new CodeServlet((_, _) -> {})))
                .withMessageContaining("url-pattern");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> app.filter(pattern, adding("a")))
                .withMessageContaining("url-pattern");
    }
}
