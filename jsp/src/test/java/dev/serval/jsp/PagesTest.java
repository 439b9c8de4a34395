package dev.serval.jsp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.UserStore;
import dev.serval.servlet.WebAppException;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import dev.serval.testkit.mode.Mode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Pages of an application, as clients see them (Pages 4.0).
@EveryMode
@Timeout(120)
final class PagesTest {
    private static final String LISTENER =
            """
            package demo;
            import jakarta.servlet.*;
            public final class Counting implements ServletContextListener {
                @Override public void contextInitialized(ServletContextEvent event) {
                    ServletContext context = event.getServletContext();
                    String restricted;
                    try {
                        context.addJspFile("x", "/x.jsp");
                        restricted = "no";
                    } catch (UnsupportedOperationException e) {
                        restricted = "yes";
                    }
                    context.setAttribute("restricted", restricted);
                }
            }
            """;
    private static final String TAG =
            """
            package demo;
            import jakarta.servlet.jsp.JspException;
            import jakarta.servlet.jsp.tagext.SimpleTagSupport;
            import java.io.IOException;
            public final class Twice extends SimpleTagSupport {
                private String text = "";
                public void setText(String text) { this.text = text; }
                @Override public void doTag() throws JspException, IOException {
                    getJspContext().getOut().print(text + text);
                }
            }
            """;
    private static final String TLD =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <taglib xmlns="https://jakarta.ee/xml/ns/jakartaee" version="4.0">
              <tlib-version>1.0</tlib-version>
              <short-name>d</short-name>
              <uri>urn:demo</uri>
              <!-- listener -->
              <tag>
                <name>twice</name>
                <tag-class>demo.Twice</tag-class>
                <body-content>empty</body-content>
                <attribute><name>text</name><rtexprvalue>true</rtexprvalue></attribute>
              </tag>
            </taglib>
            """;

    @Test
    void showsElScriptletsAndIncludes() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .file(
                                        "a.jsp",
                                        """
                                        <%@ page contentType="text/html;charset=UTF-8" pageEncoding="UTF-8" %>
                                        <% request.setAttribute("n", 6); %>${n * 7} <%= "Käthe" %>
                                        <%@ include file="part.jspf" %>
                                        <jsp:include page="/sub/b.jsp"><jsp:param name="p" value="x"/></jsp:include>
                                        """)
                                .file("part.jspf", "part ${n}")
                                .file("sub/b.jsp", "included ${param.p} ${requestScope.n}");
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/a.jsp"))
                    .startsWith("42 Käthe")
                    .contains("part 6")
                    .endsWith("included x 6");
        }
    }

    @Test
    void traceIsRefusedWithTheMethodsOfPages() throws IOException {
        try (JspApp app = new JspApp().file("a.jsp", "x");
                JspServer server = JspServer.start(app);
                RawClient client = RawClient.connect(server.address())) {
            RawResponse refused = client.exchange("TRACE /a.jsp HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(refused.status()).isEqualTo(405);
            assertThat(refused.field("Allow")).isEqualTo("GET, HEAD, POST, OPTIONS");
        }
    }

    @Test
    void expressionsKnowImplicitObjectsScopesAndResolversOfTheApplication() throws IOException {
        String listener =
                """
                package demo;
                import jakarta.el.*;
                import jakarta.servlet.*;
                import jakarta.servlet.jsp.JspFactory;
                public final class Adding implements ServletContextListener {
                    @Override public void contextInitialized(ServletContextEvent event) {
                        JspFactory.getDefaultFactory()
                            .getJspApplicationContext(event.getServletContext())
                            .addELResolver(new BeanNameELResolver(new BeanNameResolver() {
                                @Override public boolean isNameResolved(String name) {
                                    return name.equals("mine");
                                }
                                @Override public Object getBean(String name) { return "added"; }
                            }));
                    }
                }
                """;
        try (JspApp app =
                        new JspApp()
                                .source("demo.Adding", listener)
                                .webXml(
                                        "<listener><listener-class>demo.Adding</listener-class>"
                                                + "</listener><context-param><param-name>site"
                                                + "</param-name><param-value>shop</param-value>"
                                                + "</context-param>")
                                .file(
                                        "a.jsp",
                                        """
                                        <%@ page isELIgnored="false" %>
                                        <% pageContext.setAttribute("a", "page");
                                           request.setAttribute("a", "request");
                                           request.setAttribute("b", "request");
                                           session.setAttribute("c", "session");
                                           application.setAttribute("d", "application"); %>
                                        ${a} ${b} ${c} ${d} ${pageScope.a} ${requestScope.a}
                                        ${sessionScope.c} ${applicationScope.d} ${initParam.site}
                                        ${param.q} ${paramValues.q[1]} ${header["x-a"]}
                                        ${headerValues["x-a"][0]} ${cookie.k.value}
                                        ${pageContext.request.method} ${mine} [${absent}]
                                        ${Integer.MAX_VALUE} ${Boolean.TRUE}
                                        """);
                JspServer server = JspServer.start(app)) {
            assertThat(
                            server.get("/a.jsp?q=1&q=2", "X-A: v", "Cookie: k=7")
                                    .text()
                                    .replaceAll("\\s+", " ")
                                    .trim())
                    .isEqualTo(
                            "page request session application page request session application"
                                    + " shop 1 2 v v 7 GET added [] 2147483647 true");
        }
    }

    @Test
    void showsTagFilesAndJstl() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .jstl()
                                .file(
                                        "WEB-INF/tags/hi.tag",
                                        "<%@ attribute name=\"to\" required=\"true\" %>Hi ${to}!")
                                .file(
                                        "index.jsp",
                                        """
                                        <%@ taglib prefix="c" uri="jakarta.tags.core" %>
                                        <%@ taglib prefix="t" tagdir="/WEB-INF/tags" %>
                                        <c:forEach begin="1" end="3" var="i">${i},</c:forEach>
                                        <t:hi to="Ada"/>
                                        """);
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/")).contains("1,2,3,").contains("Hi Ada!");
        }
    }

    @Test
    void usesTagOfJarAndListenerOfTld() throws IOException {
        String listener = "<listener><listener-class>demo.Counting</listener-class></listener>";
        try (JspApp app =
                        new JspApp()
                                .source("demo.Counting", LISTENER)
                                .jar(
                                        "tags.jar",
                                        "demo.Twice",
                                        TAG,
                                        "META-INF/demo.tld",
                                        TLD.replace("<!-- listener -->", listener))
                                .file(
                                        "a.jsp",
                                        """
                                        <%@ taglib prefix="d" uri="urn:demo" %>
                                        <d:twice text="${1 + 1}"/> ${applicationScope.restricted}
                                        """);
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/a.jsp")).isEqualTo("22 yes");
        }
    }

    @Test
    void tagHandlerGetsInjectedValues() throws IOException {
        String tag =
                TAG.replace(
                                "private String text",
                                "@jakarta.annotation.Resource(name = \"greeting\") private String greeting;\n"
                                        + "    private String text")
                        .replace("print(text + text)", "print(greeting + text)");
        try (JspApp app =
                        new JspApp()
                                .webXml(
                                        """
                                        <env-entry><env-entry-name>greeting</env-entry-name>
                                        <env-entry-type>java.lang.String</env-entry-type>
                                        <env-entry-value>Hi</env-entry-value></env-entry>
                                        """)
                                .jar("tags.jar", "demo.Twice", tag, "META-INF/demo.tld", TLD)
                                .file(
                                        "a.jsp",
                                        "<%@ taglib prefix=\"d\" uri=\"urn:demo\" %><d:twice text=\"Ada\"/>");
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/a.jsp")).isEqualTo("HiAda");
        }
    }

    @Test
    void refusesApplicationWithDamagedTldListener() throws IOException {
        try (JspApp app =
                new JspApp()
                        .webXml("")
                        .file(
                                "WEB-INF/bad.tld",
                                "<taglib>\n<listener>\n<listener-class>x</taglib>")) {
            assertThatThrownBy(() -> JspServer.start(app).close())
                    .isInstanceOf(WebAppException.class)
                    .hasMessageContaining("WEB-INF/bad.tld:3")
                    .hasMessageContaining("not well-formed");
        }
    }

    /// For this fault the JDK's parser throws an exception of its own lack of a text.
    @Test
    void refusesApplicationWithDamagedDoctypeOfATld() throws IOException {
        try (JspApp app =
                new JspApp()
                        .webXml("")
                        .file(
                                "WEB-INF/bad.tld",
                                "<!DOCTYPE x [\u0001]><taglib><listener-class>x</listener-class></taglib>")) {
            assertThatThrownBy(() -> JspServer.start(app).close())
                    .isInstanceOf(WebAppException.class)
                    .hasMessageContaining("WEB-INF/bad.tld")
                    .hasMessageContaining("not well-formed");
        }
    }

    @Test
    void showsErrorPage() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .file(
                                        "a.jsp",
                                        "<%@ page errorPage=\"/e.jsp\" %><% Object o = null; o.hashCode(); %>")
                                .file(
                                        "e.jsp",
                                        "<%@ page isErrorPage=\"true\" %><%= exception.getClass().getSimpleName() %>");
                JspServer server = JspServer.start(app)) {
            RawResponse answer = server.get("/a.jsp");
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.text()).contains("NullPointerException").doesNotContain("Object o");
        }
    }

    @Test
    void showsErrorPageWithoutAnError() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .file(
                                        "e.jsp",
                                        "<%@ page isErrorPage=\"true\" %>"
                                                + "${pageContext.errorData.statusCode}"
                                                + "[${pageContext.errorData.requestURI}]"
                                                + "${pageContext.exception}");
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/e.jsp")).isEqualTo("0[]");
        }
    }

    @Test
    void pageWithoutSessionHasNoSessionAttributes() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .file(
                                        "a.jsp",
                                        "<%@ page session=\"false\" %>"
                                                + "[${sessionScope.user}${sessionScope['user'].name}]"
                                                + "${empty sessionScope}");
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/a.jsp")).isEqualTo("[]true");
        }
    }

    @Test
    void showsJspFileWithItsParameters() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .webXml(
                                        """
                                        <servlet><servlet-name>v</servlet-name><jsp-file>/WEB-INF/v.jsp</jsp-file>
                                        <init-param><param-name>k</param-name><param-value>of v</param-value></init-param>
                                        </servlet>
                                        <servlet-mapping><servlet-name>v</servlet-name><url-pattern>/view</url-pattern></servlet-mapping>
                                        """)
                                .file(
                                        "WEB-INF/v.jsp",
                                        "<%= config.getInitParameter(\"k\") %> ${pageContext.servletConfig.servletName}"
                                                + " ${pageContext.request.httpServletMapping.pattern}");
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/view")).isEqualTo("of v v /view");
            assertThat(server.get("/WEB-INF/v.jsp").status()).isEqualTo(404);
        }
    }

    @Test
    void showsTheUserAndTheConnection() throws IOException {
        UserStore users = UserStore.inMemory().user("ada", "s3cret", "staff").build();
        String basic = Base64.getEncoder().encodeToString("ada:s3cret".getBytes(UTF_8));
        try (JspApp app =
                        new JspApp()
                                .webXml(
                                        """
                                        <security-constraint><web-resource-collection>
                                        <web-resource-name>a</web-resource-name><url-pattern>/*</url-pattern>
                                        </web-resource-collection>
                                        <auth-constraint><role-name>staff</role-name></auth-constraint>
                                        </security-constraint>
                                        <login-config><auth-method>BASIC</auth-method></login-config>
                                        <security-role><role-name>staff</role-name></security-role>
                                        """)
                                .file(
                                        "user.jsp",
                                        "${pageContext.request.userPrincipal.name}"
                                                + " ${pageContext.request.userPrincipal}"
                                                + " ${pageContext.request.servletConnection.secure}");
                JspServer server =
                        JspServer.start(
                                app.root(),
                                ServletContainer.builder().users(users),
                                new JspPages())) {
            assertThat(server.get("/user.jsp", "Authorization: Basic " + basic).text())
                    .isEqualTo("ada ada " + Mode.current().scheme().equals("https"));
        }
    }

    @Test
    void appliesPropertyGroups() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .webXml(
                                        """
                                        <jsp-config>
                                        <jsp-property-group><url-pattern>/raw/*</url-pattern><el-ignored>true</el-ignored></jsp-property-group>
                                        <jsp-property-group><url-pattern>*.page</url-pattern>
                                        <page-encoding>ISO-8859-1</page-encoding>
                                        <include-prelude>/head.jspf</include-prelude><include-coda>/foot.jspf</include-coda>
                                        </jsp-property-group>
                                        </jsp-config>
                                        """)
                                .file("raw/a.jsp", "${1 + 1}<%= request.getServletPath() %>")
                                .file("raw/sub/index.jsp", "in ${1}")
                                .file("raw/index.html", "<%= request.getServletPath() %>")
                                .file("a.jsp", "${1 + 1}")
                                .file("head.jspf", "[")
                                .file("foot.jspf", "]")
                                .file(
                                        "b.page",
                                        ("<%@ page contentType=\"text/plain;charset=UTF-8\" %>"
                                                        + "ä${1 + 1}")
                                                .getBytes(StandardCharsets.ISO_8859_1));
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/raw/a.jsp")).isEqualTo("${1 + 1}/raw/a.jsp");
            assertThat(server.text("/raw/sub/")).isEqualTo("in ${1}");
            assertThat(server.text("/raw/")).isEqualTo("/raw/index.html");
            assertThat(server.get("/raw").status()).isEqualTo(301);
            assertThat(server.text("/a.jsp")).isEqualTo("2");
            assertThat(server.text("/b.page")).isEqualTo("[ä2]");
        }
    }

    /// Jasper puts the attributes of the include back after the forward.
    @Test
    void forwardOfAnIncludedPageLeavesTheIncludingPageItsPath() throws IOException {
        try (JspApp app =
                        new JspApp()
                                .file(
                                        "index.jsp",
                                        "[<jsp:include page=\"parts/news.jsp\"/>"
                                                + "<jsp:include page=\"footer.jsp\"/>]")
                                .file("parts/news.jsp", "x<jsp:forward page=\"none.jsp\"/>")
                                .file("parts/none.jsp", "no news ")
                                .file("footer.jsp", "end");
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/index.jsp")).contains("no news", "end]");
        }
    }

    @Test
    void firstRequestsAtOnceCompileOnce() throws Exception {
        int clients = 8;
        Set<String> answers = ConcurrentHashMap.newKeySet();
        CountDownLatch all = new CountDownLatch(clients);
        try (JspApp app =
                        new JspApp()
                                .file(
                                        "a.jsp",
                                        "<%! static final String ID = java.util.UUID.randomUUID().toString(); %><%= ID %>");
                JspServer server = JspServer.start(app);
                ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            Callable<Boolean> client =
                    () -> {
                        all.countDown();
                        all.await();
                        return answers.add(server.text("/a.jsp"));
                    };
            for (Future<Boolean> each : threads.invokeAll(Collections.nCopies(clients, client))) {
                each.get();
            }
        }
        assertThat(answers).hasSize(1);
    }

    @Test
    void pagesSeeNothingElseOfTheServer() throws IOException {
        List<String> hidden =
                List.of(
                        "org.apache.jasper.compiler.JDTCompiler",
                        "org.apache.jasper.servlet.JspServlet",
                        "org.apache.tomcat.JarScanner",
                        "org.apache.juli.logging.LogFactory",
                        "org.apache.el.parser.ELParser",
                        "org.eclipse.jdt.internal.compiler.Compiler",
                        "dev.serval.jsp.JspPages",
                        "dev.serval.servlet.ServletContainer");
        StringBuilder page = new StringBuilder("<%! static String find(String name) {");
        page.append("try { Class.forName(name); return \"found \" + name; }");
        page.append("catch (ClassNotFoundException e) { return \"\"; } } %>");
        hidden.forEach(name -> page.append("<%= find(\"").append(name).append("\") %>"));
        page.append("<%= find(\"jakarta.el.ELContext\") %>");
        page.append("<%= jakarta.el.ExpressionFactory.newInstance().getClass().getName() %>");
        try (JspApp app = new JspApp().file("a.jsp", page.toString());
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/a.jsp"))
                    .isEqualTo("found jakarta.el.ELContextorg.apache.el.ExpressionFactoryImpl");
        }
    }

    @Test
    void folderNamedLikePageIsNotShown() throws IOException {
        try (JspApp app = new JspApp().webXml("").file("x.jsp/secret-name.txt", "");
                JspServer server = JspServer.start(app)) {
            RawResponse answer = server.get("/x.jsp");
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).doesNotContain("secret-name");
        }
    }

    @Test
    void withoutEngineAnswers501() throws IOException {
        try (JspApp app = new JspApp().webXml("").file("a.jsp", "<% int secret; %>");
                JspServer server = JspServer.start(app.root(), ServletContainer.builder(), null)) {
            RawResponse answer = server.get("/a.jsp");
            assertThat(answer.status()).isEqualTo(501);
            assertThat(answer.text()).doesNotContain("secret");
        }
    }

    @Test
    void ownMappingOfExtensionStays() throws IOException {
        String servlet =
                """
                package demo;
                import jakarta.servlet.http.*;
                import java.io.IOException;
                public final class Own extends HttpServlet {
                    @Override protected void doGet(HttpServletRequest q, HttpServletResponse r) throws IOException {
                        r.getWriter().print("own");
                    }
                }
                """;
        try (JspApp app =
                        new JspApp()
                                .source("demo.Own", servlet)
                                .webXml(
                                        """
                                        <servlet><servlet-name>own</servlet-name><servlet-class>demo.Own</servlet-class></servlet>
                                        <servlet-mapping><servlet-name>own</servlet-name><url-pattern>*.jsp</url-pattern></servlet-mapping>
                                        <servlet-mapping><servlet-name>jsp</servlet-name><url-pattern>*.html</url-pattern></servlet-mapping>
                                        """)
                                .file("a.jsp", "page")
                                .file("b.html", "${2 + 3}");
                JspServer server = JspServer.start(app)) {
            assertThat(server.text("/a.jsp")).isEqualTo("own");
            assertThat(server.text("/b.html")).isEqualTo("5");
        }
    }

    @Test
    void takesParametersThatTomcatsServletHas() throws IOException {
        String page = "<% for (int i = 0; i < 2; i++) { %>\n<% } %>x";
        String servlet =
                """
                <servlet><servlet-name>jsp</servlet-name>
                <servlet-class>org.apache.jasper.servlet.JspServlet</servlet-class>
                <init-param><param-name>trimSpaces</param-name><param-value>true</param-value></init-param>
                </servlet>
                """;
        try (JspApp app = new JspApp().webXml(servlet).file("a.jsp", page);
                JspServer server = JspServer.start(app)) {
            assertThat(server.get("/a.jsp").text()).isEqualTo("x");
        }
        try (JspApp app = new JspApp().webXml("").file("a.jsp", page);
                JspServer server = JspServer.start(app)) {
            assertThat(server.get("/a.jsp").text()).isEqualTo("\n\nx");
        }
    }

    @Test
    void pageCannotEndTheServer(@TempDir Path work) throws IOException {
        String page =
                """
                <%! static final class Inner { static void end() { Runtime.getRuntime().halt(4); } } %>
                <% try { System.exit(3); } catch (SecurityException e) { %>refused<% }
                   try { Inner.end(); } catch (SecurityException e) { %> twice<% } %>
                """;
        try (JspApp app = new JspApp().webXml("").file("a.jsp", page)) {
            for (int i = 0; i < 2; i++) { // compiled, and kept from the first start
                try (JspServer server =
                        JspServer.start(
                                app.root(),
                                ServletContainer.builder().workFolder(work),
                                new JspPages())) {
                    assertThat(server.text("/a.jsp")).isEqualTo("refused twice");
                }
            }
        }
    }

    @Test
    void pageLearnsOfTheEndOfItsApplication(@TempDir Path folder) throws IOException {
        Path end = folder.resolve("end");
        String page =
                """
                <%%@ page import="java.io.*, java.nio.file.*" %%>
                <%%! public void jspDestroy() {
                    try {
                        Files.createFile(Path.of("%s"));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                } %%>runs
                """
                        .formatted(end);
        try (JspApp app = new JspApp().webXml("").file("a.jsp", page)) {
            try (JspServer server = JspServer.start(app)) {
                assertThat(server.text("/a.jsp")).isEqualTo("runs");
                assertThat(end).doesNotExist();
            }
            assertThat(end).exists();
        }
    }
}
