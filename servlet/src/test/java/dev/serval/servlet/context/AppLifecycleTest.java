package dev.serval.servlet.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.registration.ContextState;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The order of start and stop, and what prevents a start.
final class AppLifecycleTest {
    private final TestApp app = new TestApp();
    private final List<String> events = new ArrayList<>();

    private static final class NotingServlet extends GenericServlet {
        private static final long serialVersionUID = 1;
        private final String name;
        private final transient List<String> events;
        private final transient @Nullable Throwable fault;

        NotingServlet(String name, List<String> events, @Nullable Throwable fault) {
            this.name = name;
            this.events = events;
            this.fault = fault;
        }

        @Override
        public void init() throws ServletException {
            events.add("init " + name + (context(this) ? "" : " elsewhere"));
            if (fault != null) {
                throw new ServletException(fault);
            }
        }

        @Override
        public void service(ServletRequest request, ServletResponse response) {}

        @Override
        public void destroy() {
            events.add("destroy " + name + (context(this) ? "" : " elsewhere"));
        }

        private static boolean context(NotingServlet servlet) {
            return servlet.getServletContext()
                    .getClassLoader()
                    .equals(Thread.currentThread().getContextClassLoader());
        }
    }

    private record NotingFilter(String name, List<String> events, boolean fails) implements Filter {
        @Override
        public void init(FilterConfig config) throws ServletException {
            events.add("init " + config.getFilterName() + " " + config.getInitParameter("p"));
            if (fails) {
                throw new ServletException("no luck");
            }
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) {}

        @Override
        public void destroy() {
            events.add("destroy " + name);
            throw new IllegalStateException("stuck");
        }
    }

    private record NotingListener(List<String> events) implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            events.add("context");
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            events.add("context over");
        }
    }

    private void servlet(String name, int loadOnStartup) {
        app.servlet(name, new Component.Instance(new NotingServlet(name, events, null)))
                .loadOnStartup(loadOnStartup);
    }

    private void filter(String name, boolean fails) {
        app.filter(name, new Component.Instance(new NotingFilter(name, events, fails)));
        Objects.requireNonNull(app.draft.filter(name)).initParams().put("p", "v");
    }

    @Test
    void startsAndStopsInTheOrderOfTheSpecification() throws Exception {
        servlet("third", 5);
        servlet("lazy", -1);
        servlet("first", 0);
        servlet("fourth", 5);
        servlet("second", 1);
        filter("f", false);
        filter("g", false);
        app.listener(new NotingListener(events));
        app.script(context -> events.add("initializer"));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        app.start();
        assertThat(app.context().state()).isEqualTo(ContextState.RUNNING);
        assertThat(events)
                .containsExactly(
                        "initializer",
                        "context",
                        "init f v",
                        "init g v",
                        "init first",
                        "init second",
                        "init third",
                        "init fourth");
        events.clear();
        app.life().stop(() -> events.add("sessions over"));
        assertThat(events)
                .containsExactly(
                        "destroy second",
                        "destroy fourth",
                        "destroy first",
                        "destroy third",
                        "destroy g",
                        "destroy f",
                        "sessions over",
                        "context over");
        assertThat(app.context().state()).isEqualTo(ContextState.STOPPED);
        assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
        assertThat(app.log.messages).hasSize(2).allMatch(line -> line.contains("stuck"));
    }

    @Test
    void stopsOnce() throws Exception {
        servlet("a", 0);
        app.start();
        app.stop();
        app.stop();
        assertThat(events).containsExactly("init a", "destroy a");
    }

    @Test
    void stopGoesOnIfSessionsCannotBeEnded() throws Exception {
        app.listener(new NotingListener(events));
        app.start();
        app.life()
                .stop(() -> {
                    throw new IllegalStateException("sessions");
                });
        assertThat(events).containsExactly("context", "context over");
        assertThat(app.log.messages).singleElement().asString().contains("sessions");
    }

    @Test
    void aServletThatFailsInInitDoesNotPreventTheStart() throws Exception {
        app.servlet(
                        "bad",
                        new Component.Instance(
                                new NotingServlet("bad", events, new IllegalStateException())))
                .loadOnStartup(0);
        servlet("good", 1);
        app.start();
        assertThat(events).containsExactly("init bad", "init good");
        assertThat(Objects.requireNonNull(app.life().servlet("good")).servlet()).isNotNull();
        assertThat(Objects.requireNonNull(app.life().servlet("bad")).servlet()).isNull();
        assertThat(app.life().servlet("none")).isNull();
    }

    @Test
    void aFilterThatFailsPreventsTheStart() {
        filter("good", false);
        filter("bad", true);
        servlet("s", 0);
        app.listener(new NotingListener(events));
        assertThatThrownBy(app::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("WEB-INF/web.xml:7:3: The filter \"bad\"")
                .hasMessageContaining("no luck");
        assertThat(events)
                .containsExactly(
                        "context", "init good v", "init bad v", "destroy good", "context over");
        FilterSlot good = Objects.requireNonNull(app.life().filter("good"));
        assertThatThrownBy(good::filter).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void filtersAreThereFromTheStartToTheStop() throws Exception {
        filter("f", false);
        app.start();
        FilterSlot slot = Objects.requireNonNull(app.life().filter("f"));
        assertThat(slot.filter()).isInstanceOf(NotingFilter.class);
        app.stop();
        assertThatThrownBy(slot::filter).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aMissingClassPreventsTheStart() {
        app.servlet("lazy", new Component.Named("com.example.Missing"));
        assertThatThrownBy(app::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessage(
                        "WEB-INF/web.xml:7:3: The class com.example.Missing is missing. Add it to"
                                + " WEB-INF/classes or a jar in WEB-INF/lib, or correct its name.");
        assertThat(app.context().state()).isEqualTo(ContextState.STOPPED);
    }

    @Test
    void aServletWithoutConstructorThatIsDueAtTheStartPreventsIt() {
        app.servlet("s", new Component.OfClass(NotingServlet.class)).loadOnStartup(0);
        assertThatThrownBy(app::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("no public constructor");
    }

    @Test
    void aJspFileFailsOnlyItsOwnRequests() throws Exception {
        app.servlet("page", new Component.JspFile("/a.jsp")).loadOnStartup(0);
        app.start();
        assertThat(Objects.requireNonNull(app.life().servlet("page")).obtain())
                .isInstanceOf(Availability.Failed.class);
        assertThat(Objects.requireNonNull(app.context().getServletRegistration("page")))
                .satisfies(page -> assertThat(page.getClassName()).isNull());
    }

    @Test
    void describesWhatCodeAdded() throws Exception {
        app.script(context -> {
            var added = context.addServlet("s", new NotingServlet("s", events, null));
            Objects.requireNonNull(added).setLoadOnStartup(0);
            context.addListener(new NotingListener(events));
        });
        var description = app.start();
        assertThat(description.servlets())
                .extracting(ServletDescription::name)
                .containsExactly("s");
        assertThat(description.listeners()).hasSize(1);
        assertThat(events).containsExactly("context", "init s");
    }

    /// The message of the exception tells only what was thrown.
    @ParameterizedTest
    @ValueSource(strings = {"initializer", "listener", "filter"})
    void logTellsWhyCodeFailedAtTheStart(String code) {
        IllegalStateException fault = new IllegalStateException("no luck", new Error("the cause"));
        switch (code) {
            case "initializer" -> {
                app.initializers.add(TestApp.Script.class);
                app.context()
                        .setAttribute(
                                "script",
                                (TestApp.Step)
                                        _ -> {
                                            throw fault;
                                        });
            }
            case "listener" ->
                    app.listener(
                            new ServletContextListener() {
                                @Override
                                public void contextInitialized(ServletContextEvent event) {
                                    throw fault;
                                }
                            });
            default ->
                    app.filter(
                            "f",
                            new Component.Instance(
                                    new Filter() {
                                        @Override
                                        public void init(FilterConfig config) {
                                            throw fault;
                                        }

                                        @Override
                                        public void doFilter(
                                                ServletRequest request,
                                                ServletResponse response,
                                                FilterChain chain) {}
                                    }));
        }
        assertThatThrownBy(app::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("no luck");
        assertThat(app.log.traces).containsExactly(fault);
        assertThat(app.log.messages).singleElement().asString().contains("no luck");
    }
}
