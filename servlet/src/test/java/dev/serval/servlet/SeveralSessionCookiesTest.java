package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.session.SessionIds;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Requests with several session cookies, such as an old one of a longer path, which browsers send
/// first (RFC 6265 §5.4).
@EveryMode
@Timeout(60)
final class SeveralSessionCookiesTest {
    private static final String MALFORMED = "old";

    private static void create(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getWriter().print(request.getSession().getId());
    }

    private static void show(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String requested = String.valueOf(request.getRequestedSessionId());
        boolean valid = request.isRequestedSessionIdValid();
        @Nullable HttpSession session = request.getSession(false);
        response.getWriter()
                .print(
                        (session == null ? "none" : session.getId())
                                + " "
                                + requested
                                + " "
                                + valid
                                + " "
                                + request.isRequestedSessionIdFromCookie());
    }

    private static WebApp.Builder app() {
        return WebApp.at("")
                .servlet("/new", new CodeServlet(SeveralSessionCookiesTest::create))
                .servlet("/show", new CodeServlet(SeveralSessionCookiesTest::show));
    }

    /// Returns an id that no session has.
    private static String unknown(int number) {
        return String.valueOf((char) ('a' + number)).repeat(SessionIds.LENGTH);
    }

    private static String cookies(String... ids) {
        return "Cookie: JSESSIONID=" + String.join("; JSESSIONID=", ids);
    }

    @Test
    void firstCookieCountsWhoseSessionExists() throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            String one = server.get("/new").text();
            String two = server.get("/new").text();
            String found = one + " " + one + " true true";
            assertThat(server.get("/show", cookies(unknown(0), one)).text()).isEqualTo(found);
            assertThat(server.get("/show", cookies(one, two)).text()).isEqualTo(found);
            assertThat(server.get("/show", cookies(unknown(0), unknown(1), one, two)).text())
                    .isEqualTo(found);
            assertThat(server.get("/show", cookies(unknown(0), unknown(1))).text())
                    .isEqualTo("none " + unknown(0) + " false true");
        }
    }

    @Test
    void atMostFourIdsAreLookedUp() throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            String id = server.get("/new").text();
            String fourth = cookies(unknown(0), unknown(1), unknown(2), id);
            assertThat(server.get("/show", fourth).text()).isEqualTo(id + " " + id + " true true");
            String fifth = cookies(unknown(0), unknown(1), unknown(2), unknown(3), id);
            assertThat(server.get("/show", fifth).text())
                    .isEqualTo("none " + unknown(0) + " false true");
        }
    }

    @Test
    void malformedIdsDoNotCount() throws Exception {
        try (ServletServer server = ServletServer.start(app())) {
            String id = server.get("/new").text();
            String last = cookies(MALFORMED, MALFORMED, MALFORMED, MALFORMED, MALFORMED, id);
            assertThat(server.get("/show", last).text()).isEqualTo(id + " " + id + " true true");
            assertThat(server.get("/show", cookies(MALFORMED, "older")).text())
                    .isEqualTo("none " + MALFORMED + " false true");
        }
    }

    @Test
    void storedSessionIsFoundAsWell(@TempDir Path folder) throws Exception {
        String id;
        try (ServletServer server =
                ServletServer.start(app().sessions(SessionOptions.files(folder)))) {
            id = server.get("/new").text();
            assertThat(server.get("/show", cookies(id)).text()).startsWith(id);
        }
        try (ServletServer server =
                ServletServer.start(app().sessions(SessionOptions.files(folder)))) {
            assertThat(server.get("/show", cookies(unknown(0), id)).text())
                    .isEqualTo(id + " " + id + " true true");
        }
    }
}
