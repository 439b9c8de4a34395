package dev.serval.servlet.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.context.TestApp;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ListenerDescription;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestAttributeEvent;
import jakarta.servlet.ServletRequestAttributeListener;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which listener hears what, and in which order (Servlet 6.1 §11).
final class ListenersTest {
    private final TestApp app = new TestApp();
    private final List<String> heard = new ArrayList<>();

    /// A request or session that no listener asks anything.
    private static <T> T silent(Class<T> type) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, method, arguments) -> {
                            throw new IllegalStateException(method.getName());
                        }));
    }

    private record Everything(String name, List<String> heard)
            implements ServletContextListener,
                    ServletRequestListener,
                    ServletRequestAttributeListener,
                    HttpSessionListener,
                    HttpSessionIdListener,
                    HttpSessionAttributeListener {
        private void hear(String event) {
            heard.add(name + " " + event);
        }

        @Override
        public void contextInitialized(ServletContextEvent event) {
            hear("start");
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            hear("stop");
        }

        @Override
        public void requestInitialized(ServletRequestEvent event) {
            hear("request");
        }

        @Override
        public void requestDestroyed(ServletRequestEvent event) {
            hear("request over");
        }

        @Override
        public void attributeAdded(ServletRequestAttributeEvent event) {
            hear("+" + event.getName() + "=" + event.getValue());
        }

        @Override
        public void attributeReplaced(ServletRequestAttributeEvent event) {
            hear("~" + event.getName() + "=" + event.getValue());
        }

        @Override
        public void attributeRemoved(ServletRequestAttributeEvent event) {
            hear("-" + event.getName() + "=" + event.getValue());
        }

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            hear("session");
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            hear("session over");
        }

        @Override
        public void sessionIdChanged(HttpSessionEvent event, String oldId) {
            hear("id not " + oldId);
        }

        @Override
        public void attributeAdded(HttpSessionBindingEvent event) {
            hear("session +" + event.getName() + "=" + event.getValue());
        }

        @Override
        public void attributeReplaced(HttpSessionBindingEvent event) {
            hear("session ~" + event.getName() + "=" + event.getValue());
        }

        @Override
        public void attributeRemoved(HttpSessionBindingEvent event) {
            hear("session -" + event.getName() + "=" + event.getValue());
        }
    }

    @Test
    void beginsInOrderAndEndsInReverse() throws Exception {
        app.listener(new Everything("a", heard));
        app.listener(new Everything("b", heard));
        app.script(context -> context.addListener(new Everything("code", heard)));
        app.start();
        Listeners listeners = app.context().listeners();
        ServletRequest request = silent(ServletRequest.class);
        HttpSession session = silent(HttpSession.class);
        listeners.requestInitialized(request);
        listeners.sessionCreated(session);
        listeners.requestDestroyed(request);
        app.life().stop(() -> listeners.sessionDestroyed(session));
        assertThat(heard)
                .containsExactly(
                        "a start",
                        "b start",
                        "code start",
                        "a request",
                        "b request",
                        "code request",
                        "a session",
                        "b session",
                        "code session",
                        "code request over",
                        "b request over",
                        "a request over",
                        "code session over",
                        "b session over",
                        "a session over",
                        "code stop",
                        "b stop",
                        "a stop");
    }

    @Test
    void tellsOfAttributesAndIds() throws Exception {
        app.listener(new Everything("a", heard));
        app.start();
        heard.clear();
        Listeners listeners = app.context().listeners();
        ServletRequest request = silent(ServletRequest.class);
        HttpSession session = silent(HttpSession.class);
        listeners.requestAttributeAdded(request, "x", 1);
        listeners.requestAttributeReplaced(request, "x", 1);
        listeners.requestAttributeRemoved(request, "x", 2);
        listeners.sessionAttributeAdded(session, "y", 1);
        listeners.sessionAttributeReplaced(session, "y", 1);
        listeners.sessionAttributeRemoved(session, "y", 2);
        listeners.sessionIdChanged(session, "old");
        assertThat(heard)
                .containsExactly(
                        "a +x=1",
                        "a ~x=1",
                        "a -x=2",
                        "a session +y=1",
                        "a session ~y=1",
                        "a session -y=2",
                        "a id not old");
    }

    @Test
    void listenersAddedWhileStartingHearRequestsLast() throws Exception {
        app.listener(
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        event.getServletContext()
                                .addListener(
                                        new ServletRequestListener() {
                                            @Override
                                            public void requestInitialized(ServletRequestEvent e) {
                                                heard.add("added");
                                            }
                                        });
                    }
                });
        app.listener(new Everything("declared", heard));
        app.start();
        heard.clear();
        app.context().listeners().requestInitialized(silent(ServletRequest.class));
        assertThat(heard).containsExactly("declared request", "added");
    }

    @ParameterizedTest(name = "error: {0}")
    @ValueSource(booleans = {false, true})
    void otherListenersLearnOfTheEndOfARequestIfOneThrows(boolean error) throws Exception {
        app.listener(new Everything("first", heard));
        app.listener(
                new ServletRequestListener() {
                    @Override
                    public void requestDestroyed(ServletRequestEvent event) {
                        if (error) {
                            throw new NoClassDefFoundError("broken listener");
                        }
                        throw new IllegalStateException("broken listener");
                    }
                });
        app.listener(new Everything("last", heard));
        app.start();
        heard.clear();
        ServletRequest request = silent(ServletRequest.class);
        assertThatThrownBy(() -> app.context().listeners().requestDestroyed(request))
                .hasMessage("broken listener");
        assertThat(heard).containsExactly("last request over", "first request over");
    }

    @Test
    void faultOfContextInitializedFailsTheStartAndNamesTheListener() {
        app.listener(new Everything("a", heard));
        app.listener(new Failing());
        app.listener(new Everything("c", heard));
        assertThatThrownBy(app::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("WEB-INF/web.xml:7:3: ")
                .hasMessageContaining(Failing.class.getName())
                .hasMessageContaining("no luck");
        assertThat(heard).containsExactly("a start", "a stop");
        assertThat(app.context().state()).isEqualTo(ContextState.STOPPED);
    }

    static final class Failing implements ServletContextListener {
        public Failing() {}

        @Override
        public void contextInitialized(ServletContextEvent event) {
            throw new IllegalStateException("no luck");
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            throw new AssertionError("was never initialized");
        }
    }

    @Test
    void faultOfContextDestroyedIsLoggedAndTheOthersHearIt() throws Exception {
        app.listener(new Everything("a", heard));
        app.listener(
                new ServletContextListener() {
                    @Override
                    public void contextDestroyed(ServletContextEvent event) {
                        throw new LinkageError("gone");
                    }
                });
        app.start();
        app.stop();
        assertThat(heard).containsExactly("a start", "a stop");
        assertThat(app.log.messages).singleElement().asString().contains("contextDestroyed");
    }

    @Test
    void faultOfARequestListenerReachesTheCaller() throws Exception {
        app.listener(
                new ServletRequestListener() {
                    @Override
                    public void requestInitialized(ServletRequestEvent event) {
                        throw new IllegalStateException("no luck");
                    }
                });
        app.listener(new Everything("b", heard));
        app.start();
        heard.clear();
        assertThatThrownBy(() ->
                        app.context().listeners().requestInitialized(silent(ServletRequest.class)))
                .hasMessage("no luck");
        assertThat(heard).isEmpty();
    }

    @Test
    void refusesClassesThatAreNoListeners() {
        app.draft
                .listeners()
                .add(
                        new ListenerDescription(
                                new Component.Named("java.lang.String"), TestApp.WEB_XML));
        assertThatThrownBy(app::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("WEB-INF/web.xml:7:3")
                .hasMessageContaining("java.lang.String is not a java.util.EventListener");
    }

    /// Notes what the container calls, in an attribute of the context of the test.
    static final class Created implements ServletContextListener {
        private boolean ready;

        public Created() {}

        @PostConstruct
        void begin() {
            ready = true;
        }

        @Override
        public void contextInitialized(ServletContextEvent event) {
            events(event.getServletContext()).add("start " + ready);
            event.getServletContext().setAttribute("listener", this);
        }

        @PreDestroy
        void end() {
            ready = false;
        }
    }

    @SuppressWarnings("unchecked") // the test sets it
    private static List<String> events(ServletContext context) {
        return (List<String>) context.getAttribute("events");
    }

    @Test
    void createsDeclaredListenersAndGivesThemUpAfterTheStop() throws Exception {
        app.draft
                .listeners()
                .add(
                        new ListenerDescription(
                                new Component.Named(Created.class.getName()), TestApp.WEB_XML));
        app.context().setAttribute("events", heard);
        app.start();
        assertThat(heard).containsExactly("start true");
        Created listener = (Created) Objects.requireNonNull(app.context().getAttribute("listener"));
        app.stop();
        assertThat(listener.ready).isFalse();
    }

    @Test
    void createdListenersKeepTheirPreDestroy() throws Exception {
        List<Created> made = new ArrayList<>();
        app.script(context -> {
            made.add(context.createListener(Created.class));
            context.addListener(made.getFirst());
        });
        app.context().setAttribute("events", heard);
        app.start();
        assertThat(made.getFirst().ready).isTrue();
        app.stop();
        assertThat(made.getFirst().ready).isFalse();
    }

    @Test
    void initializersFaultIsTheCause() {
        app.script(context -> {
            throw new ServletException("not today");
        });
        assertThatThrownBy(app::start)
                .isInstanceOf(DescriptorException.class)
                .hasMessageContaining("not today")
                .hasCauseInstanceOf(ServletException.class);
    }
}
