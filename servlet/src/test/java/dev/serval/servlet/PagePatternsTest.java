package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The patterns of JSP pages, which code of the application may map to servlets of its own.
@EveryMode
@Timeout(60)
final class PagePatternsTest {
    private final List<Collection<String>> heard = new CopyOnWriteArrayList<>();

    /// Maps a servlet to the pages, and records what was taken and what is left.
    private ServletContextListener own() {
        return new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
                ServletContext context = event.getServletContext();
                ServletRegistration.Dynamic added =
                        context.addServlet(
                                "own",
                                new CodeServlet((request, response) ->
                                        response.getWriter()
                                                .print("own " + request.getServletPath())));
                ServletRegistration pages =
                        Objects.requireNonNull(context.getServletRegistration("jsp"));
                heard.add(pages.getMappings());
                heard.add(added.addMapping("*.jsp", "*.view"));
                heard.add(pages.getMappings());
            }
        };
    }

    @Test
    void codeMayMapThePatternOfPages() throws Exception {
        try (AppFolder folder = new AppFolder().file("a.jsp", "page");
                ServletServer server =
                        ServletServer.start(WebApp.of("/app", folder.root()).listener(own()))) {
            assertThat(server.get("/app/a.jsp").text()).isEqualTo("own /a.jsp");
            assertThat(server.get("/app/a.view").text()).isEqualTo("own /a.view");
        }
        assertThat(heard).containsExactly(List.of("*.jsp", "*.jspx"), Set.of(), List.of("*.jspx"));
    }

    @Test
    void patternOfAPropertyGroupStaysThatOfPages() throws Exception {
        try (AppFolder folder =
                        new AppFolder()
                                .file(
                                        "WEB-INF/web.xml",
                                        SecurityTest.webXml(
                                                "<jsp-config><jsp-property-group>"
                                                        + "<url-pattern>*.jsp</url-pattern>"
                                                        + "</jsp-property-group></jsp-config>"))
                                .file("a.jsp", "page");
                ServletServer server =
                        ServletServer.start(WebApp.of("/app", folder.root()).listener(own()))) {
            assertThat(server.get("/app/a.jsp").text()).doesNotContain("own");
            assertThat(server.get("/app/a.view").status()).isEqualTo(404);
        }
        assertThat(heard.get(1)).containsExactly("*.jsp");
    }
}
