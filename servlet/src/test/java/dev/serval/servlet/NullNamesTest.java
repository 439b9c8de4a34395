package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Names and URLs that are null, as applications pass them from an empty configuration. Other
/// containers answer null.
@EveryMode
@Timeout(60)
final class NullNamesTest {
    @SuppressWarnings("NullAway") // the API does not say what may be null
    private static void ask(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        List<Object> answers = new ArrayList<>();
        answers.add(request.getParameter(null));
        answers.add(request.getParameterValues(null));
        answers.add(request.getSession().getAttribute(null));
        answers.add(response.encodeURL(null));
        answers.add(response.encodeRedirectURL(null));
        answers.add(request.isUserInRole(null));
        request.setCharacterEncoding((Charset) null);
        answers.add(request.getCharacterEncoding());
        response.setCharacterEncoding((Charset) null);
        response.setCharacterEncoding(StandardCharsets.US_ASCII);
        answers.add(response.getCharacterEncoding());
        response.getWriter().print(answers);
    }

    @Test
    void haveNoValue() throws Exception {
        try (ServletServer server =
                        ServletServer.start(
                                WebApp.at("").servlet("/s", new CodeServlet(NullNamesTest::ask)));
                RawClient client = server.client()) {
            client.send("GET /s?a=1 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.answer("GET").text())
                    .isEqualTo("[null, null, null, null, null, false, UTF-8, US-ASCII]");
        }
    }
}
