package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The server refuses TRACE, and names the methods that the resource allows (RFC 9110 §9.3.8,
/// §15.5.6).
@EveryMode
@Timeout(60)
final class TraceTest {
    private static final String ALL = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

    /// As most servlets.
    private static class Reading extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.getWriter().print("read");
        }
    }

    /// Inherits one method.
    private static final class Writing extends Reading {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) {}

        @Override
        protected void doDelete(HttpServletRequest request, HttpServletResponse response) {}
    }

    /// As Spring's DispatcherServlet.
    private static final class Any extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            response.getWriter().print(request.getHeader("Cookie"));
        }
    }

    /// Knows nothing of methods.
    private static final class Plain extends GenericServlet {
        private static final long serialVersionUID = 1;

        @Override
        public void service(ServletRequest request, ServletResponse response) throws IOException {
            response.getWriter().print("plain");
        }
    }

    private static ServletServer server() throws Exception {
        WebApp.Builder app = WebApp.at("");
        for (Servlet each : List.of(new Reading(), new Writing(), new Any(), new Plain())) {
            app.servlet("/" + each.getClass().getSimpleName(), each);
        }
        return ServletServer.start(app);
    }

    private static RawResponse ask(ServletServer server, String method, String path) {
        try (RawClient client = server.client()) {
            return client.exchange(
                    method + " " + path + " HTTP/1.1\r\nHost: a\r\nCookie: secret=1\r\n\r\n");
        }
    }

    /// They are asked for by GET, whatever the request was.
    @Test
    void pagesOfErrorsAnswerTraceAsOtherMethods() throws Exception {
        String pages =
                """
                <error-page><error-code>404</error-code>
                  <location>/absent.html</location></error-page>
                <error-page><error-code>405</error-code>
                  <location>/page</location></error-page>
                """;
        try (AppFolder folder =
                        new AppFolder()
                                .file("WEB-INF/web.xml", SecurityTest.webXml(pages))
                                .file("absent.html", "the page of 404");
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("", folder.root())
                                        .servlet("/writing", new Writing())
                                        .servlet("/page", new Reading()))) {
            RawResponse absent = ask(server, "TRACE", "/nothing");
            assertThat(absent.status()).isEqualTo(404);
            assertThat(absent.text()).isEqualTo("the page of 404");
            RawResponse refused = ask(server, "TRACE", "/writing");
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Allow")).contains("DELETE");
            assertThat(refused.text()).isEqualTo("read");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/Reading | GET, HEAD, OPTIONS",
                "/Writing | GET, HEAD, POST, DELETE, OPTIONS",
                "/Any | " + ALL,
                "/Plain | " + ALL
            })
    void traceIsRefusedWithTheMethodsOfTheServlet(String path, String allowed) throws Exception {
        try (ServletServer server = server()) {
            RawResponse refused = ask(server, "TRACE", path);
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Allow")).isEqualTo(allowed);
            assertThat(refused.text()).doesNotContain("secret");
        }
    }

    @Test
    void traceOfAFileIsRefusedAndOfNothingIs404() throws Exception {
        try (AppFolder folder = new AppFolder().file("a.txt", "text");
                ServletServer server = ServletServer.start(WebApp.of("", folder.root()))) {
            assertThat(ask(server, "TRACE", "/a.txt").field("Allow"))
                    .isEqualTo("GET, HEAD, OPTIONS");
            assertThat(ask(server, "TRACE", "/absent").status()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/Reading | GET, HEAD, OPTIONS",
                "/Writing | GET, HEAD, POST, DELETE, OPTIONS"
            })
    void optionsDoesNotListTrace(String path, String allowed) throws Exception {
        try (ServletServer server = server()) {
            RawResponse options = ask(server, "OPTIONS", path);
            assertThat(options.status()).isEqualTo(200);
            assertThat(String.valueOf(options.field("Allow")).split(", "))
                    .containsExactlyInAnyOrder(allowed.split(", "));
        }
    }
}
