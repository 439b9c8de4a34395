package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Pages that are the welcome files of folders, in an application whose own servlet takes all paths,
/// as the dispatchers of frameworks do.
@EveryMode
@Timeout(120)
final class FolderPagesTest {
    private static final String OWN =
            """
            package demo;
            import jakarta.servlet.ServletException;
            import jakarta.servlet.annotation.WebServlet;
            import jakarta.servlet.http.*;
            import java.io.IOException;
            @WebServlet("/")
            public final class Own extends HttpServlet {
                @Override
                protected void doGet(HttpServletRequest request, HttpServletResponse response)
                        throws ServletException, IOException {
                    String to = request.getParameter("to");
                    if (to == null) {
                        response.getWriter().print("own " + request.getServletPath());
                    } else {
                        request.getRequestDispatcher(to).forward(request, response);
                    }
                }
            }
            """;
    private static JspApp app = new JspApp();
    private static JspServer server;

    @BeforeAll
    static void start() throws IOException {
        app =
                new JspApp()
                        .source("demo.Own", OWN)
                        .file("index.jsp", "start ${pageContext.request.servletPath}")
                        .file("news/index.jsp", "news ${param.q}")
                        .file("empty/other.txt", "other");
        server = JspServer.start(app);
    }

    @AfterAll
    static void stop() {
        server.close();
        app.close();
    }

    @ParameterizedTest
    @CsvSource({
        "/, start /index.jsp",
        "/?q=1, start /index.jsp",
        "/news/?q=2, news 2",
        "/empty/, own /empty/",
        "/any, own /any",
        "/any?to=/, start /index.jsp",
        "/any?to=/news/?q=3, news 3",
    })
    void pageAnswersItsFolder(String target, String text) {
        assertThat(server.text(target)).isEqualTo(text);
    }
}
