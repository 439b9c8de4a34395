package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.session.MemorySessions;
import dev.serval.servlet.session.SessionFixture;
import dev.serval.servlet.session.SessionLimits;
import dev.serval.servlet.session.SessionStore;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How often a request asks the store for its session. A page asks for each of its links, and the
/// store may be a database.
@EveryMode
@Timeout(60)
final class SessionLookupsTest {
    private static final String UNKNOWN = "aaaaaaaaaaaaaaaaaaaaaa";

    private final AtomicInteger lookups = new AtomicInteger();
    private final SessionFixture counted =
            new SessionFixture(
                    SessionLimits.STANDARD, SessionFixture.TIMEOUT_MINUTES, null, counting());

    private SessionStore counting() {
        MemorySessions real = new MemorySessions();
        return (SessionStore)
                Proxy.newProxyInstance(
                        SessionStore.class.getClassLoader(),
                        new Class<?>[] {SessionStore.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("get")) {
                                lookups.incrementAndGet();
                            }
                            return method.invoke(real, arguments);
                        });
    }

    /// Lets the request see an application whose sessions are counted.
    private void watch(HttpServletRequest request) {
        StandInApp.put(((AppRequest) request).exchange(), "sessions", counted.sessions);
    }

    private void links(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        watch(request);
        for (int i = 0; i < 3; i++) {
            assertThat(response.encodeURL("/link")).isEqualTo("/link");
        }
        response.getWriter().print(lookups);
    }

    private void sessions(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        watch(request);
        for (int i = 0; i < 3; i++) {
            assertThat(request.getSession(false)).isNull();
        }
        assertThat(request.getSession()).isNotNull();
        int before = lookups.get();
        assertThat(request.getSession(false)).isSameAs(request.getSession());
        assertThat(lookups).hasValue(before);
        response.getWriter().print(lookups);
    }

    @ParameterizedTest
    @CsvSource({
        "/links, JSESSIONID=" + UNKNOWN + ", 0",
        "/links;jsessionid=" + UNKNOWN + ", a=b, 1",
        "/links, a=b, 0",
    })
    void linksAskOnlyIfTheyMayNeedTheId(String path, String cookies, String asked)
            throws Exception {
        assertThat(ask(path, cookies)).isEqualTo(asked);
    }

    /// The second look-up creates the session under the id of the application that got the request.
    @ParameterizedTest
    @CsvSource({"JSESSIONID=" + UNKNOWN + ", 2", "a=b, 1"})
    void sessionThatIsMissingIsLookedUpOnce(String cookies, String asked) throws Exception {
        assertThat(ask("/sessions", cookies)).isEqualTo(asked);
    }

    private String ask(String path, String cookies) throws IOException {
        try (ServletServer server =
                ServletServer.start(
                        WebApp.at("")
                                .servlet("/links", new CodeServlet(this::links))
                                .servlet("/sessions", new CodeServlet(this::sessions)))) {
            return server.get(path, "Cookie: " + cookies).text();
        }
    }
}
