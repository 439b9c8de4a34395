package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Listeners are called in the order of declaration, and in reverse for the end (§8.2.3).
final class SessionListenersTest {
    private final List<String> calls = new ArrayList<>();
    private final SessionFixture fixture = new SessionFixture();
    private final HttpSession session = fixture.sessions.create();

    @Test
    void callsInOrderAndInReverseForTheEnd() {
        SessionEvents events = listeners(new Listener("1"), new Listener("2"), new Listener("3"));
        events.created(session);
        events.idChanged(session, "old");
        events.attributeAdded(session, "a", "v");
        events.attributeReplaced(session, "a", "v");
        events.attributeRemoved(session, "a", "w");
        events.destroyed(session);
        assertThat(calls)
                .containsExactly(
                        "1 created",
                        "2 created",
                        "3 created",
                        "1 id old",
                        "2 id old",
                        "3 id old",
                        "1 added a=v",
                        "2 added a=v",
                        "3 added a=v",
                        "1 replaced a=v",
                        "2 replaced a=v",
                        "3 replaced a=v",
                        "1 removed a=w",
                        "2 removed a=w",
                        "3 removed a=w",
                        "3 destroyed",
                        "2 destroyed",
                        "1 destroyed");
    }

    @Test
    void callsTheOthersIfOneThrows() {
        SessionEvents events = listeners(new Listener("1"), new Thrower(), new Listener("3"));
        events.created(session);
        events.destroyed(session);
        assertThat(calls).containsExactly("1 created", "3 created", "3 destroyed", "1 destroyed");
        assertThat(fixture.logged)
                .hasSize(2)
                .allMatch(line -> line.contains(Thrower.class.getName()));
    }

    private SessionEvents listeners(HttpSessionListener... all) {
        List<HttpSessionListener> life = List.of(all);
        return new SessionListeners(
                life,
                life.stream()
                        .filter(HttpSessionIdListener.class::isInstance)
                        .map(HttpSessionIdListener.class::cast)
                        .toList(),
                life.stream()
                        .filter(HttpSessionAttributeListener.class::isInstance)
                        .map(HttpSessionAttributeListener.class::cast)
                        .toList(),
                fixture.log);
    }

    private static final class Thrower implements HttpSessionListener {
        @Override
        public void sessionCreated(HttpSessionEvent event) {
            throw new IllegalArgumentException("created");
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            throw new StackOverflowError("destroyed");
        }
    }

    private final class Listener
            implements HttpSessionListener, HttpSessionIdListener, HttpSessionAttributeListener {
        private final String name;

        Listener(String name) {
            this.name = name;
        }

        @Override
        public void sessionCreated(HttpSessionEvent event) {
            add("created", event);
        }

        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            add("destroyed", event);
        }

        @Override
        public void sessionIdChanged(HttpSessionEvent event, String oldSessionId) {
            add("id " + oldSessionId, event);
        }

        @Override
        public void attributeAdded(HttpSessionBindingEvent event) {
            add("added " + event.getName() + "=" + event.getValue(), event);
        }

        @Override
        public void attributeReplaced(HttpSessionBindingEvent event) {
            add("replaced " + event.getName() + "=" + event.getValue(), event);
        }

        @Override
        public void attributeRemoved(HttpSessionBindingEvent event) {
            add("removed " + event.getName() + "=" + event.getValue(), event);
        }

        private void add(String what, HttpSessionEvent event) {
            assertThat(event.getSession()).isSameAs(session);
            calls.add(name + " " + what);
        }
    }
}
