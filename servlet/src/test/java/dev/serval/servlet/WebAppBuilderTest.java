package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
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
}
