package dev.serval.servlet.session;

import static dev.serval.servlet.session.SessionFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.serval.testkit.Await;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The rules of the HttpSession API: attributes, events and their order, the end, accessors.
final class SessionFacadeTest {
    private final SessionFixture fixture = new SessionFixture(SessionFixture.KEEPS_NONE);
    private final SessionFacade session = fixture.sessions.create();

    @Test
    void eventsOfAttributesComeInOrder() { // §7.4 and Javadoc of HttpSession
        fixture.takeEvents();
        Value one = new Value("one");
        Value two = new Value("two");
        session.setAttribute("a", one);
        assertThat(fixture.takeEvents()).containsExactly("bound one, a=null", "added a=one");
        session.setAttribute("a", two);
        assertThat(fixture.takeEvents())
                .containsExactly("bound two, a=one", "unbound one, a=two", "replaced a=one");
        session.setAttribute("a", two);
        assertThat(fixture.takeEvents()).containsExactly("replaced a=two");
        session.setAttribute("a", "text");
        assertThat(fixture.takeEvents()).containsExactly("unbound two, a=text", "replaced a=two");
        session.removeAttribute("a");
        assertThat(fixture.takeEvents()).containsExactly("removed a=text");
        session.setAttribute("b", one);
        fixture.takeEvents();
        session.setAttribute("b", null);
        assertThat(fixture.takeEvents()).containsExactly("unbound one, b=null", "removed b=one");
        session.removeAttribute("b");
        session.removeAttribute(null);
        session.setAttribute("c", null);
        assertThat(fixture.takeEvents()).isEmpty();
    }

    @Test
    void valueIsClaimedOnce() {
        assertThat(session.claim("owner", "ada")).isTrue();
        assertThat(session.claim("owner", "ada")).isFalse();
        assertThat(session.claim("owner", "bob")).isTrue();
        assertThat(session.held("owner")).isEqualTo("bob");
    }

    /// A value that lets a test do something while it is compared.
    private record Compared(Runnable during) implements Serializable {
        @Override
        public boolean equals(@Nullable Object other) {
            during.run();
            return other instanceof Compared;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void oneOfTwoCallsAtOnceClaimsAValue() throws Exception {
        AtomicBoolean secondClaimed = new AtomicBoolean();
        Thread second =
                Thread.ofPlatform()
                        .unstarted(() ->
                                secondClaimed.set(session.claim("owner", new Compared(() -> {}))));
        Compared first =
                new Compared(() -> {
                    second.start();
                    Await.until(
                            "the second call waits or has ended",
                            () ->
                                    second.getState() == Thread.State.BLOCKED
                                            || second.getState() == Thread.State.TERMINATED);
                });
        assertThat(session.claim("owner", first)).isTrue();
        second.join();
        assertThat(secondClaimed).isFalse();
    }

    @Test
    void attributesAreReadBack() {
        assertThat(session.getAttribute("a")).isNull();
        assertThat(session.getAttributeNames().hasMoreElements()).isFalse();
        session.setAttribute("a", 1);
        session.setAttribute("b", 2);
        session.setAttribute("a", 3);
        assertThat(session.getAttribute("a")).isEqualTo(3);
        var names = session.getAttributeNames();
        session.removeAttribute("a"); // does not disturb the enumeration
        assertThat(Collections.list(names)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void attributeNeedsAName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> session.setAttribute(null, "x"))
                .withMessageContaining("no name");
    }

    @Test
    void listenersSeeAttributesBeforeTheyAreUnbound() {
        SessionEvents reader =
                new SilentEvents() {
                    @Override
                    public void destroyed(HttpSession ending) {
                        fixture.events.add("destroyed with " + ending.getAttribute("a"));
                        ending.setAttribute("late", "value");
                    }
                };
        SessionFixture other =
                new SessionFixture(SessionLimits.STANDARD, SessionFixture.TIMEOUT_MINUTES, reader);
        SessionFacade ending = other.sessions.create();
        ending.setAttribute("a", new Value("one"));
        fixture.takeEvents();
        ending.invalidate();
        assertThat(fixture.takeEvents())
                .containsExactly("destroyed with one", "unbound one, session has ended");
        assertThat(other.logged).isEmpty();
    }

    @Test
    void endOfTheSessionUnbindsAttributes() {
        session.setAttribute("a", new Value("one"));
        session.setAttribute("b", "text");
        fixture.takeEvents();
        session.invalidate();
        List<String> events = fixture.takeEvents();
        assertThat(events.getFirst()).isEqualTo("destroyed");
        assertThat(events)
                .containsExactlyInAnyOrder(
                        "destroyed",
                        "unbound one, session has ended",
                        "removed a=one",
                        "removed b=text");
        assertThat(events).containsSubsequence("unbound one, session has ended", "removed a=one");
        assertThat(fixture.sessions.counters().ended(SessionEnd.INVALIDATED)).isEqualTo(1);
    }

    @Test
    void expiryUnbindsAttributesToo() {
        session.setAttribute("a", new Value("one"));
        session.setMaxInactiveInterval(1);
        session.release();
        fixture.takeEvents();
        fixture.passWithTicks(3);
        assertThat(fixture.takeEvents())
                .containsExactly("destroyed", "unbound one, session has ended", "removed a=one");
    }

    static Stream<Named<Consumer<HttpSession>>> callsThatThrowAfterTheEnd() {
        return Stream.of(
                Named.of("getCreationTime", HttpSession::getCreationTime),
                Named.of("getLastAccessedTime", HttpSession::getLastAccessedTime),
                Named.of("getAttribute", s -> s.getAttribute("a")),
                Named.of("getAttributeNames", HttpSession::getAttributeNames),
                Named.of("setAttribute", s -> s.setAttribute("a", "b")),
                Named.of("setAttribute null", s -> s.setAttribute("a", null)),
                Named.of("removeAttribute", s -> s.removeAttribute("a")),
                Named.of("removeAttribute null", s -> s.removeAttribute(null)),
                Named.of("invalidate", HttpSession::invalidate),
                Named.of("isNew", HttpSession::isNew),
                Named.of("getAccessor", HttpSession::getAccessor));
    }

    @ParameterizedTest
    @MethodSource("callsThatThrowAfterTheEnd")
    void throwsOnceInvalidated(Consumer<HttpSession> call) {
        assertThatCode(() -> call.accept(fixture.sessions.create())).doesNotThrowAnyException();
        session.invalidate();
        assertThatIllegalStateException()
                .isThrownBy(() -> call.accept(session))
                .withMessageContaining("invalidated or has expired");
    }

    @Test
    void someMethodsWorkAfterTheEnd() {
        String id = session.getId();
        session.invalidate();
        assertThat(session.getId()).isEqualTo(id);
        assertThat(session.getServletContext()).isSameAs(fixture.context);
        session.setMaxInactiveInterval(7);
        assertThat(session.getMaxInactiveInterval()).isEqualTo(7);
        assertThat(session.isValid()).isFalse();
        session.release();
        assertThat(fixture.passWithTicks(20)).isZero();
    }

    @Test
    void invalidateDoesNothingWhileTheSessionEnds() {
        SessionEvents again =
                new SilentEvents() {
                    @Override
                    public void destroyed(HttpSession ending) {
                        ending.invalidate();
                        fixture.events.add("invalidated again");
                    }
                };
        SessionFixture other =
                new SessionFixture(SessionLimits.STANDARD, SessionFixture.TIMEOUT_MINUTES, again);
        fixture.takeEvents();
        other.sessions.create().invalidate();
        assertThat(fixture.takeEvents()).containsExactly("invalidated again");
        assertThat(other.logged).isEmpty();
    }

    @Test
    void exceptionsOfListenersAreLoggedAndChangeNothing() {
        SessionFixture broken =
                new SessionFixture(
                        SessionLimits.STANDARD, SessionFixture.TIMEOUT_MINUTES, new Broken());
        SessionFacade bad = broken.sessions.create();
        bad.setAttribute("a", new BrokenValue());
        bad.setAttribute("a", "text");
        assertThat(bad.getAttribute("a")).isEqualTo("text");
        bad.removeAttribute("a");
        bad.setAttribute("b", new BrokenValue());
        bad.changeId();
        bad.invalidate();
        assertThat(bad.isValid()).isFalse();
        assertThat(broken.sessions.counters().active()).isZero();
        assertThat(broken.logged).hasSize(12).allMatch(line -> line.startsWith("ERROR "));
    }

    @Test
    void accessorReachesTheSessionAfterTheRequest() {
        HttpSession.Accessor accessor = session.getAccessor();
        session.setAttribute("a", 1);
        session.release();
        fixture.touch(session.getId());
        long accessed = fixture.nowMillis();
        fixture.passWithTicks(1700);
        accessor.access(s -> {
            assertThat(s.getAttribute("a")).isEqualTo(1);
            assertThat(s.getLastAccessedTime()).isEqualTo(accessed);
            s.setAttribute("a", 2);
            fixture.passWithTicks(4000); // held meanwhile, as by a request
        });
        assertThat(session.getAttribute("a")).isEqualTo(2);
        fixture.passWithTicks(1700); // counts as an access
        assertThat(session.isValid()).isTrue();
        fixture.passWithTicks(110);
        assertThat(session.isValid()).isFalse();
    }

    @Test
    void accessorDoesNotConfirmTheSession() {
        HttpSession.Accessor accessor = session.getAccessor();
        accessor.access(s -> assertThat(s.isNew()).isTrue());
        session.release();
        fixture.pass(61 * SECOND);
        fixture.tick();
        assertThat(session.isValid()).isFalse();
    }

    @Test
    void accessorReleasesTheSessionIfTheConsumerThrows() {
        HttpSession.Accessor accessor = session.getAccessor();
        session.release();
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        accessor.access(_ -> {
                            throw new IllegalArgumentException("application");
                        }))
                .withMessage("application");
        fixture.pass(61 * SECOND);
        fixture.tick();
        assertThat(session.isValid()).isFalse();
    }

    @Test
    void accessorThrowsOnceTheSessionEndedOrHasAnotherId() {
        HttpSession.Accessor old = session.getAccessor();
        session.changeId();
        assertThatIllegalStateException().isThrownBy(() -> old.access(_ -> {}));
        HttpSession.Accessor present = session.getAccessor();
        present.access(s -> assertThat(s).isEqualTo(session));
        session.invalidate();
        assertThatIllegalStateException()
                .isThrownBy(() -> present.access(_ -> {}))
                .withMessageContaining("has ended");
    }

    @Test
    void allRequestsHaveOneObjectSoThatTheyCanLockIt() { // applications lock it (§7.7.1)
        assertThat(fixture.join(session.getId())).isSameAs(session);
        assertThat(fixture.find(session.getId())).isSameAs(session);
        assertThat(fixture.sessions.create()).isNotEqualTo(session);
    }

    @Test
    void listenersHaveTheObjectOfRequests() {
        List<HttpSession> heard = new ArrayList<>();
        SessionEvents keeper =
                new SilentEvents() {
                    @Override
                    public void created(HttpSession created) {
                        heard.add(created);
                    }

                    @Override
                    public void destroyed(HttpSession ended) {
                        heard.add(ended);
                    }
                };
        SessionFixture other =
                new SessionFixture(SessionLimits.STANDARD, SessionFixture.TIMEOUT_MINUTES, keeper);
        SessionFacade own = other.sessions.create();
        own.invalidate();
        assertThat(heard).hasSize(2).allMatch(one -> one == own);
    }

    @Test
    void secondReleaseOfAUseFails() {
        session.release();
        assertThatIllegalStateException().isThrownBy(session::release);
    }

    /// Records its binding, and what the session shows under its name at that moment.
    private final class Value implements HttpSessionBindingListener {
        private final String name;

        Value(String name) {
            this.name = name;
        }

        @Override
        public void valueBound(HttpSessionBindingEvent event) {
            assertThat(event.getValue()).isSameAs(this);
            fixture.events.add("bound " + name + ", " + shown(event));
        }

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            assertThat(event.getValue()).isSameAs(this);
            fixture.events.add("unbound " + name + ", " + shown(event));
        }

        @Override
        public String toString() {
            return name;
        }

        private static String shown(HttpSessionBindingEvent event) {
            try {
                String name = event.getName();
                return name + "=" + event.getSession().getAttribute(name);
            } catch (IllegalStateException e) {
                return "session has ended";
            }
        }
    }

    private static final class BrokenValue implements HttpSessionBindingListener {
        @Override
        public void valueBound(HttpSessionBindingEvent event) {
            throw new IllegalArgumentException("bound");
        }

        @Override
        public void valueUnbound(HttpSessionBindingEvent event) {
            throw new AssertionError("unbound");
        }
    }

    private static final class Broken implements SessionEvents {
        @Override
        public void created(HttpSession session) {
            throw new IllegalArgumentException("created");
        }

        @Override
        public void destroyed(HttpSession session) {
            throw new StackOverflowError("destroyed");
        }

        @Override
        public void idChanged(HttpSession session, String oldId) {
            throw new IllegalArgumentException("id");
        }

        @Override
        public void attributeAdded(HttpSession session, String name, Object value) {
            throw new IllegalArgumentException("added");
        }

        @Override
        public void attributeReplaced(HttpSession session, String name, Object oldValue) {
            throw new IllegalArgumentException("replaced");
        }

        @Override
        public void attributeRemoved(HttpSession session, String name, Object oldValue) {
            throw new IllegalArgumentException("removed");
        }
    }
}
