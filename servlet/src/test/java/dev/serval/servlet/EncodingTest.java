package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The charset of requests and responses for which the client names none (Servlet 6.1 §3.12, §5.6).
@EveryMode
@Timeout(60)
final class EncodingTest {
    private static final String FORM = "Content-Type: application/x-www-form-urlencoded";
    private static final String DESCRIPTOR =
            "<request-character-encoding>KOI8-R</request-character-encoding>"
                    + "<response-character-encoding>KOI8-R</response-character-encoding>";

    private static final CodeServlet.Code NAMES =
            (request, response) ->
                    response.getOutputStream()
                            .print(
                                    request.getServletContext().getRequestCharacterEncoding()
                                            + " "
                                            + request.getServletContext()
                                                    .getResponseCharacterEncoding()
                                            + " "
                                            + request.getCharacterEncoding()
                                            + " "
                                            + response.getCharacterEncoding());

    private static final CodeServlet.Code JAPANESE =
            (_, response) -> {
                response.setLocale(Locale.JAPAN);
                response.setContentType("text/html");
                response.getWriter().print("x");
            };

    private static WebApp.Builder app(CodeServlet.Code code) {
        return WebApp.at("").servlet("/s", new CodeServlet(code));
    }

    private static ServletServer specified(WebApp.Builder app) throws IOException {
        return ServletServer.start(app, Limits.DEFAULT, ServletContainer.builder().encoding(null));
    }

    @Test
    void requestsAndResponsesAreUtf8() throws Exception {
        try (ServletServer server = ServletServer.start(app(NAMES))) {
            assertThat(server.get("/s").text()).isEqualTo("UTF-8 UTF-8 UTF-8 UTF-8");
        }
    }

    @Test
    void noDefaultIsThatOfTheSpecification() throws Exception {
        try (ServletServer server = specified(app(NAMES))) {
            assertThat(server.get("/s").text()).isEqualTo("null null null ISO-8859-1");
        }
    }

    @Test
    void containerMayHaveAnotherDefault() throws Exception {
        ServletContainer.Builder other =
                ServletContainer.builder().encoding(StandardCharsets.UTF_16BE);
        try (ServletServer server = ServletServer.start(app(NAMES), Limits.DEFAULT, other)) {
            assertThat(server.get("/s").text()).isEqualTo("UTF-16BE UTF-16BE UTF-16BE UTF-16BE");
        }
    }

    @Test
    void descriptorOfTheApplicationWins() throws Exception {
        try (AppFolder folder =
                        new AppFolder()
                                .file("WEB-INF/web.xml", "<web-app>" + DESCRIPTOR + "</web-app>");
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("", folder.root())
                                        .servlet("/s", new CodeServlet(NAMES)))) {
            assertThat(server.get("/s").text()).isEqualTo("KOI8-R KOI8-R KOI8-R KOI8-R");
        }
    }

    @Test
    void settersOfTheContextWin() throws Exception {
        WebApp.Builder app =
                app(NAMES)
                        .listener(
                                new ServletContextListener() {
                                    @Override
                                    public void contextInitialized(ServletContextEvent event) {
                                        ServletContext context = event.getServletContext();
                                        context.setRequestCharacterEncoding("KOI8-R");
                                        context.setResponseCharacterEncoding("Shift_JIS");
                                    }
                                });
        try (ServletServer server = ServletServer.start(app)) {
            assertThat(server.get("/s").text()).isEqualTo("KOI8-R Shift_JIS KOI8-R Shift_JIS");
        }
    }

    @ParameterizedTest
    @CsvSource({
        // bytes of the content as ISO-8859-1, its type, what getReader reads
        "q=\u00c3\u00a4, text/plain, q=\u00e4",
        "q=\u00e4, text/plain; charset=iso-8859-1, q=\u00e4"
    })
    void readerUsesTheCharsetOfTheClientOrUtf8(String content, String type, String text)
            throws Exception {
        WebApp.Builder app =
                app((request, response) ->
                        response.getWriter().print(request.getReader().readLine()));
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse answer = server.post("/s", content, "Content-Type: " + type);
            assertThat(text(answer, StandardCharsets.UTF_8)).isEqualTo(text);
        }
    }

    @Test
    void formIsReadAsUtf8UnlessTheRequestSaysOtherwise() throws Exception {
        WebApp.Builder app =
                app((request, response) -> {
                    if (request.getQueryString() != null) {
                        request.setCharacterEncoding("ISO-8859-1");
                    }
                    response.getWriter().print(request.getParameter("name"));
                });
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse utf8 = server.post("/s", "name=%C3%A4", FORM);
            assertThat(text(utf8, StandardCharsets.UTF_8)).isEqualTo("\u00e4");
            RawResponse latin = server.post("/s?l", "name=%E4", FORM);
            assertThat(text(latin, StandardCharsets.UTF_8)).isEqualTo("\u00e4");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "text/html, true, text/html;charset=UTF-8",
        "application/json, true, application/json;charset=UTF-8",
        "text/html, false, text/html",
        "application/json, false, application/json",
        "image/png, false, image/png"
    })
    void onlyAWriterAddsTheCharset(String type, boolean writes, String field) throws Exception {
        WebApp.Builder app =
                app((_, response) -> {
                    response.setContentType(type);
                    if (writes) {
                        response.getWriter().print("\u20ac");
                    } else {
                        response.getOutputStream().print("x");
                    }
                });
        try (ServletServer server = ServletServer.start(app)) {
            RawResponse answer = server.get("/s");
            assertThat(answer.field("Content-Type")).isEqualTo(field);
            assertThat(text(answer, StandardCharsets.UTF_8)).isEqualTo(writes ? "\u20ac" : "x");
        }
    }

    /// A browser posts a form in the charset of its page, and the server reads UTF-8.
    @ParameterizedTest
    @CsvSource({"true, UTF-8", "false, Shift_JIS"})
    void localeChoosesTheCharsetOnlyWithoutADefault(boolean utf8, String charset) throws Exception {
        try (ServletServer server =
                utf8 ? ServletServer.start(app(JAPANESE)) : specified(app(JAPANESE))) {
            assertThat(server.get("/s").field("Content-Type"))
                    .isEqualTo("text/html;charset=" + charset);
        }
    }

    @Test
    void charsetThatTheApplicationDeclaresForALocaleWins() throws Exception {
        String descriptor =
                "<web-app><locale-encoding-mapping-list><locale-encoding-mapping><locale>ja</locale>"
                        + "<encoding>EUC-JP</encoding></locale-encoding-mapping>"
                        + "</locale-encoding-mapping-list></web-app>";
        try (AppFolder folder = new AppFolder().file("WEB-INF/web.xml", descriptor);
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("", folder.root())
                                        .servlet("/s", new CodeServlet(JAPANESE)))) {
            assertThat(server.get("/s").field("Content-Type"))
                    .isEqualTo("text/html;charset=EUC-JP");
        }
    }

    @Test
    void errorPageIsUtf8AfterAResponseInAnotherCharset() throws Exception {
        try (AppFolder folder =
                        new AppFolder()
                                .file(
                                        "WEB-INF/web.xml",
                                        "<web-app><error-page><location>/error</location>"
                                                + "</error-page></web-app>");
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("", folder.root())
                                        .servlet(
                                                "/s",
                                                new CodeServlet((_, response) -> {
                                                    response.setContentType(
                                                            "text/html;charset=KOI8-R");
                                                    response.getWriter().print("lost");
                                                    response.sendError(404);
                                                }))
                                        .servlet(
                                                "/error",
                                                new CodeServlet((_, response) -> {
                                                    response.setContentType("text/html");
                                                    response.getWriter().print("\u20ac");
                                                })))) {
            RawResponse answer = server.get("/s");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.field("Content-Type")).isEqualTo("text/html;charset=UTF-8");
            assertThat(text(answer, StandardCharsets.UTF_8)).isEqualTo("\u20ac");
        }
    }

    private static String text(RawResponse answer, Charset charset) {
        return new String(answer.body(), charset);
    }
}
