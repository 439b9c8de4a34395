package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.Serval;
import dev.serval.testkit.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Names under `java:` and injection, as code of deployed applications sees them (Servlet 6.1
/// §15.5).
@Timeout(60)
final class NamingTest {
    private static final String NAMES =
            """
            package demo;
            import javax.naming.InitialContext;
            import javax.naming.NamingException;
            final class Names {
                static String x() {
                    try {
                        return (String) new InitialContext().lookup("java:comp/env/x");
                    } catch (NamingException e) {
                        return e.toString();
                    }
                }
            }
            """;
    private static final String LISTENER =
            """
            package demo;
            import jakarta.annotation.Resource;
            import jakarta.servlet.*;
            import jakarta.servlet.annotation.WebListener;
            @WebListener
            public final class Starts implements ServletContextListener {
                @Resource(name = "x") private String injected;
                @Override public void contextInitialized(ServletContextEvent event) {
                    event.getServletContext().setAttribute("listener", Names.x() + "+" + injected);
                }
            }
            """;
    private static final String FILTER =
            """
            package demo;
            import jakarta.annotation.Resource;
            import jakarta.servlet.*;
            import jakarta.servlet.annotation.WebFilter;
            import java.io.IOException;
            @WebFilter(urlPatterns = "/*", asyncSupported = true)
            public final class Passing implements Filter {
                @Resource(name = "x") private String injected;
                @Override public void doFilter(
                        ServletRequest request, ServletResponse response, FilterChain chain)
                        throws IOException, ServletException {
                    request.setAttribute("filter", Names.x() + "+" + injected);
                    chain.doFilter(request, response);
                }
            }
            """;
    private static final String SERVLET =
            """
            package demo;
            import jakarta.annotation.Resource;
            import jakarta.servlet.AsyncContext;
            import jakarta.servlet.annotation.WebServlet;
            import jakarta.servlet.http.*;
            import java.io.IOException;
            @WebServlet(urlPatterns = "/names", asyncSupported = true)
            public final class Shows extends HttpServlet {
                @Resource(name = "x") private String injected;
                @Override protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                    String own = Names.x() + "+" + injected;
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        try {
                            response.getWriter().print(own + " " + request.getAttribute("filter") + " "
                                    + getServletContext().getAttribute("listener") + " " + Names.x());
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        } finally {
                            async.complete();
                        }
                    });
                }
            }
            """;

    @TempDir private Path work;

    private static String webXml(String value) {
        return """
        <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
          <env-entry>
            <env-entry-name>x</env-entry-name>
            <env-entry-type>java.lang.String</env-entry-type>
            <env-entry-value>%s</env-entry-value>
          </env-entry>
        </web-app>
        """
                .formatted(value);
    }

    private static AppFolder app(String value) {
        return new AppFolder()
                .source("demo.Names", NAMES)
                .source("demo.Starts", LISTENER)
                .source("demo.Passing", FILTER)
                .source("demo.Shows", SERVLET)
                .file("WEB-INF/web.xml", webXml(value))
                .compile();
    }

    private static String get(Serval server, String target) {
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            return client.exchange("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n").text();
        }
    }

    @Test
    void everyComponentSeesTheNamesOfItsOwnApplication() throws Exception {
        try (AppFolder first = app("one");
                AppFolder second = app("two");
                ServletContainer container = ServletContainer.open(work);
                WebApp one = WebApp.of("/one", first.root()).deploy(container);
                WebApp two = WebApp.of("/two", second.root()).deploy(container);
                Serval server =
                        Serval.listen(0)
                                .loops(1)
                                .mount(one.prefix(), one.handlers())
                                .mount(two.prefix(), two.handlers())
                                .start()) {
            assertThat(get(server, "/one/names")).isEqualTo("one+one one+one one+one one");
            assertThat(get(server, "/two/names")).isEqualTo("two+two two+two two+two two");
        }
    }

    @Test
    @SuppressWarnings("BanJNDI") // the look-up is the subject
    void namesOfApplicationsAreNotThoseOfTheServer() throws Exception {
        try (AppFolder folder = app("one");
                ServletContainer container = ServletContainer.open(work);
                WebApp app = WebApp.of("/one", folder.root()).deploy(container)) {
            assertThat(app.context().getAttribute("listener")).isEqualTo("one+one");
            assertThatThrownBy(() -> new InitialContext().lookup("java:comp/env/x"))
                    .isInstanceOf(NamingException.class);
        }
    }

    @Test
    void checkOfWebXmlIsKeptForTheNextStart() throws Exception {
        try (AppFolder folder = app("one")) {
            for (int start = 0; start < 2; start++) {
                try (ServletContainer container = ServletContainer.open(work);
                        WebApp app = WebApp.of("/one", folder.root()).deploy(container)) {
                    assertThat(app.context().getAttribute("listener")).isEqualTo("one+one");
                }
                try (Stream<Path> kept = Files.list(work.resolve("scan"))) {
                    assertThat(kept.map(file -> file.getFileName().toString()))
                            .singleElement()
                            .asString()
                            .startsWith("k-descriptor-1-");
                }
            }
        }
    }
}
