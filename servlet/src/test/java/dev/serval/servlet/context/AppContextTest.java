package dev.serval.servlet.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.descriptor.Component;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextAttributeEvent;
import jakarta.servlet.ServletContextAttributeListener;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.SessionCookieConfig;
import jakarta.servlet.SessionTrackingMode;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EventListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The facade that applications see, and when it refuses what.
final class AppContextTest {
    static final class Servlet1 extends GenericServlet {
        private static final long serialVersionUID = 1;

        public Servlet1() {}

        @Override
        public void service(ServletRequest request, ServletResponse response) {}
    }

    static final class Filter1 implements Filter {
        public Filter1() {}

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(request, response);
        }
    }

    static final class RequestListener implements ServletRequestListener {
        public RequestListener() {}
    }

    static final class ContextListener implements ServletContextListener {
        public ContextListener() {}
    }

    static final class BindingListener implements HttpSessionBindingListener {
        public BindingListener() {}
    }

    /// A call that changes the configuration, with its name for messages.
    record Call(String name, TestApp.Step step) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// The calls that need the time before the end of the start (ServletContext).
    static List<Call> lateCalls() {
        return List.of(
                new Call("setInitParameter", c -> c.setInitParameter("a", "b")),
                new Call("addServlet(name)", c -> c.addServlet("s", Servlet1.class.getName())),
                new Call("addServlet(class)", c -> c.addServlet("s", Servlet1.class)),
                new Call("addServlet(instance)", c -> c.addServlet("s", new Servlet1())),
                new Call("addJspFile", c -> c.addJspFile("j", "/a.jsp")),
                new Call("addFilter(name)", c -> c.addFilter("f", Filter1.class.getName())),
                new Call("addFilter(class)", c -> c.addFilter("f", Filter1.class)),
                new Call("addFilter(instance)", c -> c.addFilter("f", new Filter1())),
                new Call("addListener(name)", c -> c.addListener(RequestListener.class.getName())),
                new Call("addListener(class)", c -> c.addListener(RequestListener.class)),
                new Call("addListener(instance)", c -> c.addListener(new RequestListener())),
                new Call("declareRoles", c -> c.declareRoles("r")),
                new Call("setSessionTimeout", c -> c.setSessionTimeout(5)),
                new Call("setRequestCharacterEncoding", c -> c.setRequestCharacterEncoding("a")),
                new Call(
                        "setResponseCharacterEncoding(Charset)",
                        c -> c.setResponseCharacterEncoding(StandardCharsets.UTF_8)),
                new Call("setSessionTrackingModes", c -> c.setSessionTrackingModes(Set.of())));
    }

    /// The calls that are refused to a context listener that code added, besides the late ones.
    static List<Call> restrictedCalls() {
        List<Call> calls = new ArrayList<>(lateCalls());
        calls.add(new Call("createServlet", c -> c.createServlet(Servlet1.class)));
        calls.add(new Call("createFilter", c -> c.createFilter(Filter1.class)));
        calls.add(new Call("createListener", c -> c.createListener(RequestListener.class)));
        calls.add(new Call("getServletRegistration", c -> c.getServletRegistration("s")));
        calls.add(new Call("getServletRegistrations", ServletContext::getServletRegistrations));
        calls.add(new Call("getFilterRegistration", c -> c.getFilterRegistration("f")));
        calls.add(new Call("getFilterRegistrations", ServletContext::getFilterRegistrations));
        calls.add(new Call("getSessionCookieConfig", ServletContext::getSessionCookieConfig));
        return calls;
    }

    @ParameterizedTest
    @MethodSource("lateCalls")
    void configuresOnlyUntilTheStartIsComplete(Call call) throws Exception {
        TestApp initializing = new TestApp();
        initializing.script(call.step());
        initializing.start();
        TestApp notified = new TestApp();
        notified.listener(
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        try {
                            call.step().run(event.getServletContext());
                        } catch (ServletException wrong) {
                            throw new IllegalStateException(wrong);
                        }
                    }
                });
        notified.start();
        assertThatThrownBy(() -> call.step().run(notified.context()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("had started");
        notified.stop();
        assertThatThrownBy(() -> call.step().run(notified.context()))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @MethodSource("restrictedCalls")
    void refusesConfigurationToContextListenersAddedByCode(Call call) throws Exception {
        TestApp app = new TestApp();
        List<Throwable> thrown = new ArrayList<>();
        app.script(context ->
                context.addListener(
                        new ServletContextListener() {
                            @Override
                            public void contextInitialized(ServletContextEvent event) {
                                try {
                                    call.step().run(event.getServletContext());
                                } catch (Throwable refused) {
                                    thrown.add(refused);
                                }
                                event.getServletContext().setAttribute("told", true);
                            }
                        }));
        app.start();
        assertThat(thrown).singleElement().isInstanceOf(UnsupportedOperationException.class);
        assertThat(app.context().getAttribute("told")).isEqualTo(true);
    }

    @Test
    void registrationsRefuseChangesAfterTheStart() throws Exception {
        TestApp app = new TestApp();
        app.servlet("s", new Component.OfClass(Servlet1.class));
        app.filter("f", new Component.OfClass(Filter1.class));
        app.start();
        ServletRegistration.Dynamic servlet =
                (ServletRegistration.Dynamic)
                        Objects.requireNonNull(app.context().getServletRegistrations().get("s"));
        FilterRegistration.Dynamic filter =
                (FilterRegistration.Dynamic)
                        Objects.requireNonNull(app.context().getFilterRegistrations().get("f"));
        for (Runnable change :
                List.<Runnable>of(
                        () -> servlet.addMapping("/x"),
                        () -> servlet.setInitParameter("a", "b"),
                        () -> servlet.setInitParameters(Map.of()),
                        () -> servlet.setAsyncSupported(true),
                        () -> servlet.setLoadOnStartup(1),
                        () -> servlet.setRunAsRole("r"),
                        () -> servlet.setMultipartConfig(new MultipartConfigElement("")),
                        () -> filter.addMappingForUrlPatterns(null, true, "/x"),
                        () -> filter.addMappingForServletNames(null, true, "s"),
                        () -> filter.setInitParameter("a", "b"),
                        () -> filter.setAsyncSupported(true),
                        () -> app.context().getSessionCookieConfig().setName("n"),
                        () -> app.context().getSessionCookieConfig().setMaxAge(1),
                        () -> app.context().getSessionCookieConfig().setAttribute("a", "b"))) {
            assertThatThrownBy(change::run).isInstanceOf(IllegalStateException.class);
        }
        assertThat(servlet.getMappings()).isEmpty();
    }

    @Test
    void firesAttributeEvents() throws Exception {
        TestApp app = new TestApp();
        List<String> events = new ArrayList<>();
        app.listener(new AttributeEvents(events));
        app.start();
        AppContext context = app.context();
        context.setAttribute("a", 1);
        context.setAttribute("a", 2);
        context.setAttribute("a", null);
        context.removeAttribute("a");
        context.setAttribute("b", 3);
        context.removeAttribute("b");
        assertThat(events).containsExactly("+a=1", "~a=1", "-a=2", "+b=3", "-b=3");
        assertThat(context.getAttribute("a")).isNull();
        assertThatThrownBy(() -> context.setAttribute(nothing(), 1))
                .isInstanceOf(NullPointerException.class);
    }

    private record AttributeEvents(List<String> events) implements ServletContextAttributeListener {
        @Override
        public void attributeAdded(ServletContextAttributeEvent event) {
            events.add("+" + event.getName() + "=" + event.getValue());
        }

        @Override
        public void attributeReplaced(ServletContextAttributeEvent event) {
            events.add("~" + event.getName() + "=" + event.getValue());
        }

        @Override
        public void attributeRemoved(ServletContextAttributeEvent event) {
            events.add("-" + event.getName() + "=" + event.getValue());
        }
    }

    @Test
    void presetsTheAttributesOfTheSpecification() {
        TestApp app = new TestApp();
        app.orderedLibs = List.of("a.jar", "b.jar");
        AppContext context = app.context();
        assertThat(context.getAttribute(ServletContext.TEMPDIR)).isEqualTo(new File("tmp"));
        assertThat(context.getAttribute(ServletContext.ORDERED_LIBS))
                .isEqualTo(List.of("a.jar", "b.jar"));
        assertThat(new TestApp().context().getAttribute(ServletContext.ORDERED_LIBS)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "logo.png, image/png",
        "LOGO.PNG, image/png",
        "a.b/logo.png, image/png",
        "page.xyz, text/x-declared",
        "page.XYZ, text/x-declared",
        "/META-INF/MANIFEST.MF,",
        "a.png/file,",
        "file,",
        "file.,",
    })
    void knowsMediaTypes(String file, @Nullable String expected) {
        TestApp app = new TestApp();
        app.draft.mediaTypes().put("xyz", "text/x-declared");
        assertThat(app.context().getMimeType(file)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/here/x, /here/x",
        "/a/../here, /here",
        "/a//./here/, /a/here/",
        "/here/.., ",
        "/../here, ",
        "/here\\x, ",
        "/gone, ",
        "/here%2e, /here%2e",
    })
    void findsResourcesByTheirCanonicalPath(String path, @Nullable String expected)
            throws Exception {
        AppContext context = new TestApp().context();
        @Nullable URL url = context.getResource(path);
        assertThat(url == null ? null : url.toString())
                .isEqualTo(expected == null ? null : "file:" + expected);
        try (@Nullable InputStream stream = context.getResourceAsStream(path)) {
            assertThat(
                            stream == null
                                    ? null
                                    : new String(stream.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(expected);
        }
    }

    @Test
    void resourcesDemandALeadingSlash() {
        AppContext context = new TestApp().context();
        assertThatThrownBy(() -> context.getResource("here"))
                .isInstanceOf(MalformedURLException.class);
        assertThatThrownBy(() -> context.getResource(null))
                .isInstanceOf(MalformedURLException.class);
        assertThat(context.getResourceAsStream("here")).isNull();
        assertThat(context.getResourceAsStream(null)).isNull();
        assertThatThrownBy(() -> context.getResourcePaths("here"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(context.getResourcePaths("/gone/")).isNull();
        assertThat(context.getResourcePaths("/here/"))
                .containsExactlyInAnyOrder("/here/a", "/here/b/");
    }

    @ParameterizedTest
    @CsvSource({
        "/a/b, /files/a/b",
        "a/b, /files/a/b",
        "/a/../b, /files/b",
        "/a/b/, /files/a/b/",
        "/a//, /files/a/",
        "/, /files/",
        "'', /files/",
        "/../b, ",
        "/jar/x, ",
    })
    void translatesPathsToTheFileSystem(String path, @Nullable String expected) {
        assertThat(new TestApp().context().getRealPath(path)).isEqualTo(expected);
    }

    @Test
    void findsDispatchersAndOtherApplications() {
        AppContext context = new TestApp().context();
        assertThat(context.getRequestDispatcher("/x")).isNotNull();
        assertThat(context.getRequestDispatcher("x")).isNull();
        assertThat(context.getRequestDispatcher(null)).isNull();
        assertThat(context.getNamedDispatcher("known")).isNotNull();
        assertThat(context.getNamedDispatcher("unknown")).isNull();
        assertThat(context.getContext("/other")).isSameAs(context);
        assertThat(context.getContext("/none")).isNull();
        assertThat(context.getContext("other")).isNull();
    }

    @Test
    void parametersKeepTheirFirstValue() {
        AppContext context = new TestApp().context();
        assertThat(context.setInitParameter("a", "1")).isTrue();
        assertThat(context.setInitParameter("a", "2")).isFalse();
        assertThat(context.getInitParameter("a")).isEqualTo("1");
        assertThat(Collections.list(context.getInitParameterNames())).containsExactly("a");
        assertThatThrownBy(() -> context.getInitParameter(nothing()))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void tracksSessionsAsTheServerCan() {
        AppContext context = new TestApp().context();
        assertThat(context.getEffectiveSessionTrackingModes())
                .containsExactlyInAnyOrder(SessionTrackingMode.COOKIE, SessionTrackingMode.URL);
        context.setSessionTrackingModes(Set.of(SessionTrackingMode.URL));
        assertThat(context.getEffectiveSessionTrackingModes())
                .containsExactly(SessionTrackingMode.URL);
        assertThat(context.getDefaultSessionTrackingModes())
                .containsExactlyInAnyOrder(SessionTrackingMode.COOKIE, SessionTrackingMode.URL);
        assertThatThrownBy(() -> context.setSessionTrackingModes(Set.of(SessionTrackingMode.SSL)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        context.setSessionTrackingModes(
                                Set.of(SessionTrackingMode.SSL, SessionTrackingMode.URL)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void tellsWhatItIs() {
        TestApp app = new TestApp();
        app.draft.options().version(3, 1);
        AppContext context = app.context();
        assertThat(context.getServletContextName()).isNull();
        app.draft.options().displayName("Shop");
        assertThat(context.getServletContextName()).isEqualTo("Shop");
        assertThat(context.getContextPath()).isEqualTo("/app");
        assertThat(context.getServerInfo()).isEqualTo("Serval/1.0");
        assertThat(context.getVirtualServerName()).isEqualTo("localhost");
        assertThat(List.of(context.getMajorVersion(), context.getMinorVersion()))
                .isEqualTo(List.of(6, 1));
        assertThat(List.of(context.getEffectiveMajorVersion(), context.getEffectiveMinorVersion()))
                .isEqualTo(List.of(3, 1));
        assertThat(context.getClassLoader()).isSameAs(app.loader);
        context.log("words");
        context.log("more", new IllegalStateException());
        assertThat(app.log.messages).containsExactly("INFO words", "ERROR more");
    }

    @Test
    void rolesAndEncodingsAreKept() {
        AppContext context = new TestApp().context();
        context.declareRoles("a", "b");
        assertThat(context.declaredRoles()).containsExactly("a", "b");
        assertThatThrownBy(() -> context.declareRoles("c", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(context.declaredRoles()).containsExactly("a", "b");
        assertThat(context.getRequestCharacterEncoding()).isNull();
        context.setRequestCharacterEncoding(StandardCharsets.UTF_8);
        assertThat(context.getRequestCharacterEncoding()).isEqualTo("UTF-8");
        context.setSessionTimeout(20);
        assertThat(context.getSessionTimeout()).isEqualTo(20);
    }

    @Test
    void addListenerRefusesOtherClasses() throws Exception {
        AppContext context = new TestApp().context();
        for (Runnable add :
                List.<Runnable>of(
                        () -> context.addListener(BindingListener.class),
                        () -> context.addListener(new BindingListener()),
                        () -> context.addListener(BindingListener.class.getName()),
                        () -> context.addListener("com.example.Missing"),
                        () -> context.addListener((EventListener) nothing()))) {
            assertThatThrownBy(add::run).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> context.createListener(BindingListener.class))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void contextListenersCanBeAddedByInitializersOnly() throws Exception {
        TestApp app = new TestApp();
        List<Throwable> thrown = new ArrayList<>();
        app.listener(
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        try {
                            event.getServletContext().addListener(ContextListener.class);
                        } catch (IllegalArgumentException refused) {
                            thrown.add(refused);
                        }
                    }
                });
        app.script(context -> context.addListener(ContextListener.class));
        app.start();
        assertThat(thrown).hasSize(1);
    }

    @Test
    void createReportsWhyAnInstanceFails() {
        AppContext context = new TestApp().context();
        assertThatThrownBy(() -> context.createServlet(Hidden.class))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("no public constructor without parameters");
    }

    static final class Hidden extends GenericServlet {
        private static final long serialVersionUID = 1;

        private Hidden() {}

        @Override
        public void service(ServletRequest request, ServletResponse response) {}
    }

    @Test
    void cookieAttributesAgreeWithTheirMethods() {
        TestApp app = new TestApp();
        SessionCookieConfig cookie = app.context().getSessionCookieConfig();
        assertThat(cookie.getName()).isNull();
        assertThat(cookie.isHttpOnly()).isTrue();
        assertThat(cookie.isSecure()).isFalse();
        assertThat(cookie.getMaxAge()).isEqualTo(-1);
        cookie.setHttpOnly(false);
        cookie.setAttribute("secure", "true");
        cookie.setAttribute("MAX-AGE", "12");
        cookie.setPath("/p");
        cookie.setAttribute("SameSite", "Strict");
        cookie.setDomain("example.com");
        cookie.setDomain(null);
        cookie.setName("SID");
        assertThat(cookie.isHttpOnly()).isFalse();
        assertThat(cookie.isSecure()).isTrue();
        assertThat(cookie.getMaxAge()).isEqualTo(12);
        assertThat(cookie.getDomain()).isNull();
        assertThat(cookie.getName()).isEqualTo("SID");
        assertThat(cookie.getAttribute("samesite")).isEqualTo("Strict");
        assertThat(cookie.getAttributes().get("PATH")).isEqualTo("/p");
        assertThat(app.draft.cookieAttributes())
                .isEqualTo(
                        new LinkedHashMap<>(
                                Map.of(
                                        "HttpOnly", "false",
                                        "secure", "true",
                                        "MAX-AGE", "12",
                                        "Path", "/p",
                                        "SameSite", "Strict")));
        assertThatThrownBy(() -> cookie.setAttribute("Max-Age", "soon"))
                .isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> cookie.setAttribute("a b", "x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cookie.setPath("/a; HttpOnly"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cookie.setName(" ")).isInstanceOf(IllegalArgumentException.class);
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what careless code passes
    private static <T> T nothing() {
        return null;
    }
}
