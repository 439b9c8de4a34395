package dev.serval.servlet.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.ServletDescription;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.GenericServlet;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.UnavailableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The states of one servlet (Servlet 6.1 §2.3).
final class ServletSlotTest {
    private final TestApp app = new TestApp();
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());

    /// What init does.
    @FunctionalInterface
    interface Init {
        void run() throws ServletException;
    }

    /// A servlet whose instances share the script that the test puts into the context.
    static final class Scripted extends GenericServlet {
        private static final long serialVersionUID = 1;

        public Scripted() {}

        @Override
        public void init() throws ServletException {
            if (getServletContext().getAttribute("init") instanceof Init init) {
                init.run();
            }
            note("init");
        }

        @Override
        public void service(ServletRequest request, ServletResponse response) {}

        @Override
        public void destroy() {
            note("destroy");
            if (getServletContext().getAttribute("destroy") instanceof Runnable fault) {
                fault.run();
            }
        }

        @PreDestroy
        void last() {
            note("pre-destroy");
        }

        private void note(String event) {
            @SuppressWarnings("unchecked") // the test sets it
            List<String> events = (List<String>) getServletContext().getAttribute("events");
            events.add(event);
        }
    }

    private ServletSlot slot() {
        return slot(new Component.OfClass(Scripted.class), true);
    }

    private ServletSlot slot(Component code, boolean enabled) {
        app.context().setAttribute("events", events);
        ServletDescription description =
                new ServletDescription(
                        "s",
                        code,
                        Map.of("a", "1"),
                        List.of(),
                        -1,
                        false,
                        enabled,
                        null,
                        null,
                        Map.of(),
                        TestApp.WEB_XML);
        return new ServletSlot(description, app.context(), app.components, () -> app.nanos);
    }

    private void init(Init init) {
        app.context().setAttribute("init", init);
    }

    private void pass(long seconds) {
        app.nanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void createsTheServletAtTheFirstRequest() {
        ServletSlot slot = slot();
        assertThat(slot.servlet()).isNull();
        assertThat(events).isEmpty();
        Servlet servlet = ready(slot.obtain());
        assertThat(slot.servlet()).isSameAs(servlet);
        assertThat(ready(slot.obtain())).isSameAs(servlet);
        assertThat(events).containsExactly("init");
        assertThat(servlet.getServletConfig()).isSameAs(slot.config());
        assertThat(slot.config().getServletName()).isEqualTo("s");
        assertThat(slot.config().getInitParameter("a")).isEqualTo("1");
        assertThat(Collections.list(slot.config().getInitParameterNames())).containsExactly("a");
        assertThat(slot.config().getServletContext()).isSameAs(app.context());
    }

    @Test
    void manyThreadsCreateTheServletOnce() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        init(() -> await(go));
        ServletSlot slot = slot();
        List<Availability> outcomes = parallel(16, slot::obtain, go);
        assertThat(events).containsExactly("init");
        assertThat(outcomes).hasSize(16).allMatch(Availability.Ready.class::isInstance);
        assertThat(outcomes.stream().map(ServletSlotTest::ready).distinct()).hasSize(1);
    }

    @Test
    void waitingThreadsShareAFailure() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<String> attempts = Collections.synchronizedList(new ArrayList<>());
        init(() -> {
            attempts.add("attempt");
            await(go);
            throw new ServletException("no luck");
        });
        ServletSlot slot = slot();
        List<Availability> outcomes = parallel(8, slot::obtain, go);
        assertThat(attempts).hasSize(1);
        assertThat(outcomes).hasSize(8).allMatch(Availability.Failed.class::isInstance);
        assertThat(slot.obtain()).isInstanceOf(Availability.Failed.class);
        assertThat(attempts).hasSize(2);
    }

    @Test
    void triesAgainAfterAFailureWithANewInstance() {
        init(() -> {
            throw new ServletException("no luck");
        });
        ServletSlot slot = slot();
        assertThat(slot.obtain())
                .isInstanceOfSatisfying(
                        Availability.Failed.class,
                        failed -> assertThat(failed.cause()).hasMessage("no luck"));
        assertThat(events).containsExactly("pre-destroy");
        assertThat(app.log.messages).singleElement().asString().contains("\"s\"", "no luck");
        init(() -> {});
        ready(slot.obtain());
        assertThat(events).containsExactly("pre-destroy", "init");
    }

    @Test
    void errorsOfInitAreFailures() {
        init(() -> {
            throw new StackOverflowError();
        });
        assertThat(slot().obtain())
                .isInstanceOfSatisfying(
                        Availability.Failed.class,
                        failed ->
                                assertThat(failed.cause()).isInstanceOf(StackOverflowError.class));
    }

    @Test
    void missingClassIsAFailure() {
        ServletSlot slot = slot(new Component.Named("com.example.Missing"), true);
        assertThat(slot.obtain())
                .isInstanceOfSatisfying(
                        Availability.Failed.class,
                        failed ->
                                assertThat(failed.cause())
                                        .hasMessageContaining("com.example.Missing is missing"));
    }

    @Test
    void initUnavailableForGoodRemovesTheServlet() {
        init(() -> {
            throw new UnavailableException("never");
        });
        ServletSlot slot = slot();
        assertThat(slot.obtain()).isEqualTo(new Availability.Gone());
        init(() -> {});
        pass(1_000_000);
        assertThat(slot.obtain()).isEqualTo(new Availability.Gone());
        slot.destroy();
        assertThat(events).containsExactly("pre-destroy");
    }

    @Test
    void initUnavailableForATimeIsTriedAgainThen() {
        init(() -> {
            throw new UnavailableException("later", 10);
        });
        ServletSlot slot = slot();
        assertThat(slot.obtain()).isEqualTo(new Availability.Later(10));
        init(() -> {});
        pass(9);
        app.nanos++;
        assertThat(slot.obtain()).isEqualTo(new Availability.Later(1));
        assertThat(slot.servlet()).isNull();
        pass(1);
        ready(slot.obtain());
        assertThat(events).containsExactly("pre-destroy", "init");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -5})
    void unknownTimeIsAMinute(int seconds) {
        init(() -> {
            throw new UnavailableException("later", seconds);
        });
        assertThat(slot().obtain()).isEqualTo(new Availability.Later(60));
    }

    @Test
    void serviceUnavailableForATimeKeepsTheInstance() {
        ServletSlot slot = slot();
        Servlet servlet = ready(slot.obtain());
        assertThat(slot.unavailable(new UnavailableException("later", 5)))
                .isEqualTo(new Availability.Later(5));
        assertThat(slot.servlet()).isNull();
        pass(2);
        assertThat(slot.obtain()).isEqualTo(new Availability.Later(3));
        assertThat(slot.unavailable(new UnavailableException("later", 50)))
                .as("from a request that was inside")
                .isEqualTo(new Availability.Later(3));
        pass(3);
        assertThat(ready(slot.obtain())).isSameAs(servlet);
        assertThat(slot.servlet()).isSameAs(servlet);
        assertThat(events).containsExactly("init");
    }

    @Test
    void serviceUnavailableForGoodDestroysTheInstanceAtTheStop() {
        ServletSlot slot = slot();
        ready(slot.obtain());
        assertThat(slot.unavailable(new UnavailableException("never")))
                .isEqualTo(new Availability.Gone());
        assertThat(slot.servlet()).isNull();
        assertThat(slot.obtain()).isEqualTo(new Availability.Gone());
        assertThat(slot.unavailable(new UnavailableException("never")))
                .isEqualTo(new Availability.Gone());
        assertThat(events).containsExactly("init");
        slot.destroy();
        slot.destroy();
        assertThat(events).containsExactly("init", "destroy", "pre-destroy");
    }

    @Test
    void destroysOnceAndLogsItsFault() {
        app.context()
                .setAttribute(
                        "destroy",
                        (Runnable)
                                () -> {
                                    throw new IllegalStateException("stuck");
                                });
        ServletSlot slot = slot();
        ready(slot.obtain());
        slot.destroy();
        slot.destroy();
        assertThat(events).containsExactly("init", "destroy", "pre-destroy");
        assertThat(app.log.messages).singleElement().asString().contains("failed in destroy");
        assertThat(slot.servlet()).isNull();
        assertThat(slot.obtain()).isEqualTo(new Availability.Gone());
    }

    @Test
    void aServletWithoutInstanceHasNothingToDestroy() {
        ServletSlot slot = slot();
        slot.destroy();
        assertThat(events).isEmpty();
    }

    @Test
    void instancesOfTheApplicationGetNoPreDestroy() {
        ServletSlot slot = slot(new Component.Instance(new Scripted()), true);
        ready(slot.obtain());
        slot.destroy();
        assertThat(events).containsExactly("init", "destroy");
    }

    @Test
    void aDisabledServletIsGone() {
        assertThat(slot(new Component.OfClass(Scripted.class), false).obtain())
                .isEqualTo(new Availability.Gone());
        assertThat(events).isEmpty();
    }

    @Test
    void aServletThatCallsItselfInInitFailsThere() {
        List<Availability> inside = new ArrayList<>();
        ServletSlot slot = slot();
        init(() -> inside.add(slot.obtain()));
        ready(slot.obtain());
        assertThat(inside).singleElement().isInstanceOf(Availability.Failed.class);
    }

    private static Servlet ready(Availability availability) {
        assertThat(availability).isInstanceOf(Availability.Ready.class);
        return ((Availability.Ready) availability).servlet();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    /// Calls `call` on many threads, and opens the latch when all of them wait in it.
    private static <T> List<T> parallel(int count, Callable<T> call, CountDownLatch open)
            throws InterruptedException {
        List<T> outcomes = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> {
                                @Nullable T outcome = called(call);
                                if (outcome != null) {
                                    outcomes.add(outcome);
                                }
                            }));
        }
        while (!threads.stream().allMatch(t -> t.getState() == Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        open.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        return outcomes;
    }

    private static <T> @Nullable T called(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
