package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.WebAppException;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Where compiled pages are kept, and compiling them at deployment.
@EveryMode
@Timeout(120)
final class CompiledPagesTest {
    @TempDir private Path folder;

    private JspServer start(Path app, JspPages pages) throws IOException {
        return JspServer.start(
                app, ServletContainer.builder().workFolder(folder.resolve("work")), pages);
    }

    private List<Path> classes() throws IOException {
        Path pages = folder.resolve("work/pages");
        if (!Files.isDirectory(pages)) {
            return List.of();
        }
        try (Stream<Path> walk = Files.walk(pages)) {
            return walk.filter(file -> file.toString().endsWith(".class")).sorted().toList();
        }
    }

    private List<Object> identities() throws IOException {
        List<Object> keys = new ArrayList<>();
        for (Path file : classes()) {
            keys.add(Files.getAttribute(file, "unix:ino"));
        }
        return keys;
    }

    @Test
    void secondStartCompilesNothing() throws IOException {
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "${1 + 1}")) {
            Path war = app.war();
            try (JspServer server = start(war, new JspPages())) {
                assertThat(server.text("/a.jsp")).isEqualTo("2");
            }
            List<Object> first = identities();
            try (JspServer server = start(war, new JspPages())) {
                assertThat(server.text("/a.jsp")).isEqualTo("2");
            }
            assertThat(first).isNotEmpty();
            assertThat(identities()).isEqualTo(first);
        }
    }

    @Test
    void failureOfTheDiskIsNoFaultOfThePageForGood() throws IOException {
        AtomicLong clock = new AtomicLong();
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "${1 + 1}").file("b.jsp", "b");
                JspServer server = start(app.war(), JspPages.withClock(clock::get))) {
            assertThat(server.text("/b.jsp")).isEqualTo("b");
            Path place = classes().getFirst().resolveSibling("a_jsp$x.class");
            Path obstacle = Files.createDirectories(place.resolve("x")); // where a file is expected
            assertThat(server.get("/a.jsp").status()).isEqualTo(500);
            Files.delete(obstacle);
            Files.delete(place);
            clock.set(4_999_999_999L);
            assertThat(server.get("/a.jsp").status()).as("at once").isEqualTo(500);
            clock.set(5_000_000_000L);
            assertThat(server.text("/a.jsp")).isEqualTo("2");
        }
    }

    @Test
    void faultOfThePageIsKeptForAMinute() throws IOException {
        AtomicLong clock = new AtomicLong();
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "<% int x = \"a\"; %>");
                JspServer server = start(app.root(), JspPages.withClock(clock::get))) {
            assertThat(server.get("/a.jsp").status()).isEqualTo(500);
            app.file("a.jsp", "right");
            clock.set(59_999_999_999L);
            assertThat(server.get("/a.jsp").status()).isEqualTo(500);
            clock.set(60_000_000_000L);
            assertThat(server.text("/a.jsp")).isEqualTo("right");
        }
    }

    @Test
    void faultOfATagFileIsNotKeptForGoodThoughSeveralPagesUseIt() throws IOException {
        AtomicLong clock = new AtomicLong();
        String page = "<%@ taglib prefix=\"t\" tagdir=\"/WEB-INF/tags\" %><t:x/>";
        try (JspApp app =
                        new JspApp()
                                .webXml("")
                                .file("a.jsp", page)
                                .file("b.jsp", page)
                                .file("WEB-INF/tags/x.tag", "<% int x = \"a\"; %>");
                JspServer server = start(app.root(), JspPages.withClock(clock::get))) {
            assertThat(server.get("/a.jsp").status()).isEqualTo(500);
            assertThat(server.get("/b.jsp").status()).isEqualTo(500);
            app.file("WEB-INF/tags/x.tag", "right");
            clock.set(60_000_000_000L);
            assertThat(server.text("/a.jsp")).isEqualTo("right");
            assertThat(server.text("/b.jsp")).isEqualTo("right");
        }
    }

    @Test
    void pageBeyondMaxLoadedJspsBeginsAgain() throws IOException {
        String servlet =
                """
                <servlet><servlet-name>jsp</servlet-name>
                <servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class>
                <init-param><param-name>maxLoadedJsps</param-name><param-value>2</param-value></init-param>
                </servlet>
                """;
        String page =
                """
                <%! String state = "new";
                public void jspInit() { state = "begun"; }
                public void jspDestroy() { state = "ended"; } %><%= state %>
                """;
        try (JspApp app = new JspApp().webXml(servlet)) {
            for (int i = 0; i < 3; i++) {
                app.file(i + ".jsp", page);
            }
            try (JspServer server = start(app.war(), new JspPages())) {
                for (int i = 0; i < 9; i++) {
                    assertThat(server.text("/" + i % 3 + ".jsp")).isEqualTo("begun");
                }
            }
        }
    }

    @Test
    void pageOfAServletThatIsLoadedOnStartupHasBegun() throws IOException {
        String servlets =
                """
                <servlet><servlet-name>v</servlet-name><jsp-file>/v.jsp</jsp-file>
                <init-param><param-name>p</param-name><param-value>q</param-value></init-param>
                <load-on-startup>1</load-on-startup></servlet>
                <servlet><servlet-name>w</servlet-name><jsp-file>/w.jsp</jsp-file>
                <load-on-startup>1</load-on-startup></servlet>
                <servlet><servlet-name>x</servlet-name><jsp-file>/x.jsp</jsp-file>
                <load-on-startup>1</load-on-startup></servlet>
                <servlet-mapping><servlet-name>w</servlet-name><url-pattern>/w</url-pattern></servlet-mapping>
                """;
        String page =
                """
                <%! public void jspInit() {
                getServletContext().setAttribute("begun", getInitParameter("p")); } %>
                """;
        try (JspApp app =
                        new JspApp()
                                .webXml(servlets)
                                .file("v.jsp", page)
                                .file("w.jsp", "<jsp:nothing/>")
                                .file("a.jsp", "${applicationScope.begun}");
                JspServer server = start(app.war(), new JspPages())) {
            assertThat(server.text("/a.jsp")).isEqualTo("q");
            assertThat(server.get("/w").status()).isEqualTo(500);
        }
    }

    @Test
    void wrongPagesLeaveRoomForTheCompilationOfOthers() throws IOException {
        int wrong = 5; // more than are compiled at a time
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "right")) {
            for (int i = 0; i < wrong; i++) {
                app.file(i + ".jsp", "<% int x = \"a\"; %>");
            }
            try (JspServer server = start(app.root(), new JspPages())) {
                for (int i = 0; i < wrong; i++) {
                    assertThat(server.get("/" + i + ".jsp").status()).isEqualTo(500);
                }
                assertThat(server.text("/a.jsp")).isEqualTo("right");
            }
        }
    }

    @Test
    void otherContentIsCompiledAgain() throws IOException {
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "${1 + 1}")) {
            try (JspServer server = start(app.war(), new JspPages())) {
                assertThat(server.text("/a.jsp")).isEqualTo("2");
            }
            app.file("a.jsp", "${1 + 2}");
            try (JspServer server = start(app.war(), new JspPages())) {
                assertThat(server.text("/a.jsp")).isEqualTo("3");
            }
        }
    }

    @Test
    void sameApplicationRunsTwice() throws IOException {
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "${1 + 1}")) {
            Path war = app.war();
            try (JspServer one = start(war, new JspPages());
                    JspServer two = start(war, new JspPages())) {
                assertThat(one.text("/a.jsp")).isEqualTo("2");
                assertThat(two.text("/a.jsp")).isEqualTo("2");
                assertThat(classes()).hasSize(2);
            }
            assertThat(classes()).hasSize(1); // the temporary one is gone
        }
    }

    @Test
    void compilesAllPagesAtDeployment() throws IOException {
        try (JspApp app =
                new JspApp()
                        .webXml("")
                        .file("a.jsp", "a")
                        .file("sub/b.jspx", "<p>b</p>")
                        .file("WEB-INF/views/c.jsp", "c")
                        .file("part.jspf", "<%@ page nothing %>")) {
            try (JspServer server = start(app.war(), JspPages.precompiling())) {
                assertThat(classes()).hasSize(3);
                List<Object> compiled = identities();
                assertThat(server.text("/a.jsp")).isEqualTo("a");
                assertThat(identities()).isEqualTo(compiled);
            }
        }
    }

    @Test
    void precompilesWithTheParametersOfTheServlet() throws IOException {
        String servlet =
                """
                <servlet><servlet-name>jsp</servlet-name>
                <servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class>
                <init-param><param-name>trimSpaces</param-name><param-value>true</param-value></init-param>
                </servlet>
                """;
        try (JspApp app =
                        new JspApp()
                                .webXml(servlet)
                                .file("a.jsp", "<% for (int i = 0; i < 2; i++) { %>\n<% } %>x");
                JspServer server = start(app.war(), JspPages.precompiling())) {
            assertThat(server.get("/a.jsp").text()).isEqualTo("x");
        }
    }

    @Test
    void partThatIsNoPageOfItsOwnIsNoFault() throws IOException {
        try (JspApp app =
                new JspApp()
                        .webXml("")
                        .file(
                                "a.jsp",
                                "<% String title = \"T\"; %><%@ include file='parts/outer.jspf' %>")
                        .file("parts/outer.jspf", "<%@include file=\"inner.jsp\"%>")
                        .file("parts/inner.jsp", "<%= title %>")) {
            try (JspServer server = start(app.war(), JspPages.precompiling())) {
                assertThat(server.text("/a.jsp")).isEqualTo("T");
                assertThat(server.get("/parts/inner.jsp").status()).isEqualTo(500);
            }
            app.file("alone.jsp", "<%= title %>");
            assertThatThrownBy(() -> start(app.war(), JspPages.precompiling()).close())
                    .isInstanceOf(WebAppException.class)
                    .hasMessageContaining("A page cannot be compiled: /alone.jsp:1: ");
        }
    }

    @Test
    void pageThatIsTooDeepForTheCompilerIsAFault() throws IOException {
        String deep = "!".repeat(100_000);
        try (JspApp app =
                new JspApp()
                        .webXml("")
                        .file("deep.jsp", "<% boolean b = " + deep + "true; %>")
                        .file("fine.jsp", "fine")) {
            assertThatThrownBy(() -> start(app.war(), JspPages.precompiling()).close())
                    .isInstanceOf(WebAppException.class)
                    .hasMessageContaining("A page cannot be compiled: /deep.jsp: ")
                    .hasMessageContaining("StackOverflowError");
        }
    }

    @Test
    void servletsWithNamesOfOneHashShareNoFolder() throws IOException {
        String servlet =
                """
                <servlet><servlet-name>Aa</servlet-name><jsp-file>/v.jsp</jsp-file></servlet>
                <servlet-mapping><servlet-name>Aa</servlet-name><url-pattern>/Aa</url-pattern></servlet-mapping>
                """;
        String servlets = servlet + servlet.replace("Aa", "BB"); // String.hashCode is 2112 for both
        try (JspApp app =
                        new JspApp()
                                .webXml(servlets)
                                .file("v.jsp", "${pageContext.servletConfig.servletName}");
                JspServer server = start(app.war(), new JspPages())) {
            assertThat(server.text("/Aa")).isEqualTo("Aa");
            assertThat(server.text("/BB")).isEqualTo("BB");
            assertThat(classes()).hasSize(2);
        }
    }

    @Test
    void refusesApplicationWithWrongPages() throws IOException {
        try (JspApp app =
                new JspApp()
                        .webXml("")
                        .file("java.jsp", "\n\n<% int x = \"a\"; %>")
                        .file("my pages (1)/parse.jsp", "\n<jsp:nothing/>")
                        .file("fine.jsp", "fine")) {
            assertThatThrownBy(() -> start(app.war(), JspPages.precompiling()).close())
                    .isInstanceOf(WebAppException.class)
                    .hasMessageContaining("2 pages cannot be compiled")
                    .hasMessageContaining("/java.jsp:3: ")
                    .hasMessageContaining("  /my pages (1)/parse.jsp:2: ");
            try (JspServer server = start(app.war(), new JspPages())) {
                assertThat(server.text("/fine.jsp")).isEqualTo("fine");
            }
        }
    }
}
