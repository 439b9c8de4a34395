package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Dispatchers that an application asks for while it starts, as frameworks do (Servlet 6.1 §9.1).
@EveryMode
@Timeout(60)
final class LateDispatchersTest {
    /// Asks for dispatchers in `init`, and uses the one that a request names.
    private static final class Keeping extends HttpServlet {
        private static final long serialVersionUID = 1;

        private final transient Map<String, @Nullable RequestDispatcher> kept = new HashMap<>();

        @Override
        public void init() {
            ServletContext context = getServletContext();
            kept.put("name", context.getNamedDispatcher("target"));
            kept.put("path", context.getRequestDispatcher("/target?q=1"));
            kept.put("file", context.getRequestDispatcher("/WEB-INF/page.txt"));
            kept.put("files", context.getNamedDispatcher("default"));
            kept.put("unknown", context.getNamedDispatcher("unknown"));
            kept.put("outside", context.getRequestDispatcher("/../x"));
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            @Nullable RequestDispatcher to = kept.get(request.getParameter("to"));
            if (to == null) {
                response.getWriter().print("no dispatcher");
            } else if (request.getParameter("include") == null) {
                to.forward(request, response);
            } else {
                to.include(request, response);
            }
        }
    }

    /// Declares the servlet that asks in `init`, before the one that it asks for.
    private static ServletContextListener declares() {
        return new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                ServletContext context = event.getServletContext();
                var keeping = context.addServlet("keeping", new Keeping());
                keeping.setLoadOnStartup(1);
                keeping.addMapping("/s");
                context.addServlet(
                                "target",
                                new CodeServlet((request, response) ->
                                        response.getWriter()
                                                .print("target " + request.getParameter("q"))))
                        .addMapping("/target");
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "name, target null",
        "name&include, target null",
        "path, target 1",
        "path&include, target 1",
        "file, page",
        "unknown, no dispatcher",
        "outside, no dispatcher",
    })
    void dispatcherOfInitReachesItsTargetLater(String to, String text) throws Exception {
        try (AppFolder folder =
                        new AppFolder()
                                .file("WEB-INF/web.xml", SecurityTest.webXml(""))
                                .file("WEB-INF/page.txt", "page");
                ServletServer server =
                        ServletServer.start(
                                WebApp.of("/app", folder.root()).listener(declares()))) {
            assertThat(server.get("/app/s?to=" + to).text()).isEqualTo(text);
        }
    }

    /// As Spring does, whose servlet has the pattern `/`.
    @Test
    void initFindsTheDefaultServletByItsName() throws Exception {
        ServletContextListener declares =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        var keeping = event.getServletContext().addServlet("all", new Keeping());
                        keeping.setLoadOnStartup(1);
                        keeping.addMapping("/");
                    }
                };
        try (AppFolder folder =
                        new AppFolder()
                                .file("WEB-INF/web.xml", SecurityTest.webXml(""))
                                .file("style.css", "style");
                ServletServer server =
                        ServletServer.start(WebApp.of("/app", folder.root()).listener(declares))) {
            assertThat(server.get("/app/style.css?to=files").text()).isEqualTo("style");
        }
    }

    @Test
    void useBeforeTheEndOfTheStartIsRefused() throws Exception {
        AtomicReference<@Nullable Exception> failed = new AtomicReference<>();
        ServletContextListener early =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        ServletContext context = event.getServletContext();
                        try {
                            Objects.requireNonNull(context.getRequestDispatcher("/x"))
                                    .forward(
                                            nothing(ServletRequest.class),
                                            nothing(ServletResponse.class));
                        } catch (ServletException | IOException | RuntimeException e) {
                            failed.set(e);
                        }
                    }
                };
        try (ServletServer server = ServletServer.start(WebApp.at("").listener(early))) {
            assertThat(server.get("/").status()).isEqualTo(404);
            assertThat(failed.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("has not started", "/x");
        }
    }

    private static <T> T nothing(Class<T> type) {
        Object made =
                Proxy.newProxyInstance(
                        type.getClassLoader(), new Class<?>[] {type}, (_, _, _) -> null);
        return type.cast(made);
    }
}
