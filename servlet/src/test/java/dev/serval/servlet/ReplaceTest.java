package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.route.RouteTable;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.SlowCode;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A version of an application takes the place of another while requests arrive.
@EveryMode
@Timeout(60)
final class ReplaceTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: test\r\n\r\n";
    private static final String POST =
            "POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: 8\r\n"
                    + "Content-Type: application/x-www-form-urlencoded\r\n\r\nsent=yes";
    private static final int VERSIONS = 30;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// Returns an application that answers with the version's name, or refuses a form without its
    /// content.
    private static WebApp.Builder version(String name) {
        return WebApp.at("")
                .servlet(
                        "/a",
                        new CodeServlet((request, response) -> {
                            boolean whole = "yes".equals(request.getParameter("sent"));
                            if (request.getMethod().equals("POST") && !whole) {
                                response.sendError(400);
                            }
                            response.getWriter().print(name);
                        }));
    }

    private static void route(ServletServer server, WebApp app) {
        server.server().routes(RouteTable.builder().mount(app.prefix(), app.handlers()).build());
    }

    @Test
    void noRequestIsLostWhileVersionsChange() throws Exception {
        try (ServletServer server = ServletServer.start(version("0"))) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger answered = new AtomicInteger();
            Queue<String> wrong = new ConcurrentLinkedQueue<>();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(Thread.ofPlatform().start(() -> ask(server, done, answered, wrong)));
            }
            WebApp present = server.app();
            for (int version = 1; version <= VERSIONS; version++) {
                int before = answered.get();
                WebApp next =
                        version(Integer.toString(version))
                                .replacing(present)
                                .deploy(server.container());
                route(server, next);
                present.close(PATIENCE);
                present = next;
                Await.until("requests go on", () -> answered.get() > before + 20);
            }
            done.set(true);
            for (Thread client : clients) {
                client.join();
            }
            assertThat(wrong).isEmpty();
            assertThat(server.get("/a").text()).isEqualTo(Integer.toString(VERSIONS));
            present.close();
        }
    }

    /// Checks that the versions of the answers on one connection never fall.
    private static void ask(
            ServletServer server, AtomicBoolean done, AtomicInteger answered, Queue<String> wrong) {
        try (RawClient client = server.client()) {
            int version = 0;
            while (!done.get()) {
                var answer = client.send(answered.get() % 2 == 0 ? GET : POST).answer();
                int seen = answer.status() == 200 ? Integer.parseInt(answer.text()) : -1;
                if (seen < version) {
                    wrong.add(version + " then " + answer);
                    return;
                }
                version = seen;
                answered.incrementAndGet();
            }
        } catch (RuntimeException | Error e) {
            wrong.add(e.toString());
        }
    }

    /// A value that notes the context class loader of the threads that call it.
    static final class Watcher implements HttpSessionActivationListener, Serializable {
        private static final long serialVersionUID = 1;
        private static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

        private static void note(String call) {
            SEEN.add(call + " " + Thread.currentThread().getContextClassLoader().getName());
        }

        @Override
        public void sessionWillPassivate(HttpSessionEvent event) {
            note("passivate");
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            note("write");
            out.defaultWriteObject();
        }
    }

    private static WebApp.Builder watched(String loader) {
        return WebApp.at("")
                .loader(new URLClassLoader(loader, new URL[0], ReplaceTest.class.getClassLoader()))
                .sessions(SessionOptions.memory().allow(Watcher.class.getName()))
                .servlet(
                        "/a",
                        new CodeServlet((request, response) -> {
                            HttpSession session = request.getSession();
                            boolean known = session.getAttribute("w") != null;
                            if (!known) {
                                session.setAttribute("w", new Watcher());
                            }
                            response.getWriter().print(known);
                        }));
    }

    @Test
    void valuesOfASessionThatMovesSeeTheLoaderOfTheirOwnVersion() throws Exception {
        try (ServletServer server = ServletServer.start(watched("one"))) {
            String asked = "Cookie: " + cookie(server.get("/a"));
            String left = "Cookie: " + cookie(server.get("/a"));
            WebApp next = watched("two").replacing(server.app()).deploy(server.container());
            route(server, next);
            Watcher.SEEN.clear();
            assertThat(server.get("/a", asked).text()).isEqualTo("true"); // moves the session
            assertThat(Watcher.SEEN).containsOnly("passivate one", "write one");
            Watcher.SEEN.clear();
            server.app().close(PATIENCE); // moves the other one
            assertThat(Watcher.SEEN).containsOnly("passivate one", "write one");
            assertThat(server.get("/a", left).text()).isEqualTo("true");
            next.close();
        }
    }

    /// As a reload whose next application does not start.
    @Test
    void versionThatIsNotReplacedAfterAllIsSeenAgainByOthers() throws Exception {
        WebApp.Builder first =
                WebApp.at("")
                        .servlet(
                                "/a",
                                new CodeServlet((request, response) -> {
                                    ServletContext own = request.getServletContext();
                                    response.getWriter().print(own.equals(own.getContext("/a")));
                                }));
        try (ServletServer server = ServletServer.start(first)) {
            assertThat(server.get("/a").text()).isEqualTo("true");
            version("next").replacing(server.app()).deploy(server.container()).close();
            assertThat(server.get("/a").text()).isEqualTo("true");
        }
    }

    @Test
    void closingTheContainerWaitsForAVersionThatEnds() throws Exception {
        CountDownLatch ending = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicBoolean endedBefore = new AtomicBoolean();
        WebApp.Builder first =
                version("first")
                        .listener(
                                new ServletContextListener() {
                                    @Override
                                    public void contextDestroyed(ServletContextEvent event) {
                                        ending.countDown();
                                        Await.open("the listener may return", end);
                                        ended.set(true);
                                    }
                                });
        try (ServletServer server = ServletServer.start(first)) {
            WebApp next = version("next").replacing(server.app()).deploy(server.container());
            route(server, next);
            Thread replacing = Thread.ofPlatform().start(() -> server.app().close(PATIENCE));
            Await.open("the former version ends", ending);
            Thread stopping =
                    Thread.ofPlatform()
                            .start(() -> {
                                server.container().close();
                                endedBefore.set(ended.get());
                            });
            Await.until(
                    "the container waits or has closed",
                    () ->
                            stopping.getState() == Thread.State.TIMED_WAITING
                                    || stopping.getState() == Thread.State.TERMINATED);
            end.countDown();
            stopping.join();
            replacing.join();
            assertThat(endedBefore).isTrue();
        }
    }

    @Test
    void stopDoesNotWaitAsLongAsAReplacementForARequest() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicBoolean another = new AtomicBoolean();
        WebApp.Builder first =
                WebApp.at("")
                        .servlet(
                                "/a",
                                new CodeServlet((_, _) -> {
                                    if (another.getAndSet(true)) {
                                        return; // it came before the close
                                    }
                                    entered.countDown();
                                    Await.open("the application has stopped", leave);
                                }));
        try (ServletServer server = ServletServer.start(first);
                RawClient client = server.client()) {
            client.send(GET);
            Await.open("the request has begun", entered);
            Thread replacing =
                    Thread.ofPlatform().start(() -> server.app().close(Duration.ofDays(1)));
            Await.until("it takes no requests", () -> server.get("/a").status() == 503);
            server.app().close(Duration.ZERO);
            replacing.join(); // although the request still runs
            assertThat(server.app().requestsInProgress()).isEqualTo(1);
            leave.countDown();
        }
    }

    @Test
    void requestInProgressEndsInItsVersion() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        WebApp.Builder first =
                WebApp.at("")
                        .servlet(
                                "/a",
                                new CodeServlet((_, response) -> {
                                    entered.countDown();
                                    Await.open("the next version serves", leave);
                                    response.getWriter().print("first");
                                }));
        try (ServletServer server = ServletServer.start(first);
                RawClient client = server.client()) {
            client.send(GET);
            Await.open("the request has begun", entered);
            WebApp next = version("next").replacing(server.app()).deploy(server.container());
            route(server, next);
            Thread closing = Thread.ofPlatform().start(() -> server.app().close(PATIENCE));
            assertThat(server.get("/a").text()).isEqualTo("next");
            assertThat(server.app().requestsInProgress()).isEqualTo(1);
            leave.countDown();
            assertThat(client.answer().text()).isEqualTo("first");
            closing.join();
            assertThat(server.app().requestsInProgress()).isZero();
        }
    }

    /// Returns what an application does that dispatches a request to the application `/other`.
    private static CodeServlet.Code dispatching(String how) {
        return (request, response) -> {
            ServletContext other = request.getServletContext().getContext("/other");
            other.getRequestDispatcher("/empty").include(request, response);
            switch (how) {
                case "forward" -> other.getRequestDispatcher("/b").forward(request, response);
                case "include" -> other.getRequestDispatcher("/b").include(request, response);
                case "name" -> other.getNamedDispatcher("b").forward(request, response);
                default -> request.startAsync().dispatch(other, "/b");
            }
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "name", "asynchronous"})
    void applicationWaitsForARequestThatAnotherOneHasDispatchedToIt(String how) throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        AtomicBoolean stopped = new AtomicBoolean();
        try (ServletServer server =
                        ServletServer.start(
                                WebApp.at("")
                                        .servlet(
                                                "/a",
                                                new CodeServlet((request, response) ->
                                                        request.getRequestDispatcher("/c")
                                                                .forward(request, response)))
                                        .servlet("/c", new CodeServlet(dispatching(how))));
                RawClient client = server.client()) {
            WebApp other = other(entered, leave, stopped).deploy(server.container());
            client.send(GET);
            Await.open("the request has begun", entered);
            assertThat(other.requestsInProgress()).isEqualTo(1);
            assertThat(server.app().requestsInProgress()).isEqualTo(1);
            Thread closing = Thread.ofPlatform().start(() -> other.close(PATIENCE));
            Await.until(
                    "the application waits or has stopped",
                    () ->
                            closing.getState() == Thread.State.TIMED_WAITING
                                    || closing.getState() == Thread.State.TERMINATED);
            leave.countDown();
            assertThat(client.answer().text()).isEqualTo("other false");
            closing.join();
            assertThat(stopped).isTrue();
            assertThat(other.requestsInProgress()).isZero();
        }
    }

    @Test
    void requestThatHasEndedEntersNoOtherApplication() throws Exception {
        AtomicReference<Callable<Boolean>> late = new AtomicReference<>();
        CodeServlet.Code keeping =
                (request, response) -> {
                    RequestDispatcher there =
                            request.getServletContext()
                                    .getContext("/other")
                                    .getRequestDispatcher("/empty");
                    late.set(() -> {
                        there.include(request, response);
                        return true;
                    });
                };
        try (ServletServer server =
                ServletServer.start(WebApp.at("").servlet("/a", new CodeServlet(keeping)))) {
            WebApp other =
                    WebApp.at("/other")
                            .servlet("/empty", new CodeServlet((_, _) -> {}))
                            .deploy(server.container());
            assertThat(server.get("/a").status()).isEqualTo(200);
            Await.until("the request has ended", () -> server.app().requestsInProgress() == 0);
            assertThat(late.get().call()).isTrue();
            assertThat(other.requestsInProgress()).isZero();
        }
    }

    private static WebApp.Builder other(
            CountDownLatch entered, CountDownLatch leave, AtomicBoolean stopped) {
        CodeServlet servlet =
                new CodeServlet((_, response) -> {
                    entered.countDown();
                    Await.open("the application stops", leave);
                    response.getWriter().print("other " + stopped);
                });
        return WebApp.at("/other")
                .servlet("/empty", new CodeServlet((_, _) -> {}))
                .listener(
                        new ServletContextListener() {
                            @Override
                            public void contextInitialized(ServletContextEvent event) {
                                event.getServletContext().addServlet("b", servlet).addMapping("/b");
                            }

                            @Override
                            public void contextDestroyed(ServletContextEvent event) {
                                stopped.set(true);
                            }
                        });
    }

    @Test
    void formerVersionPassesLateRequestsOn() throws Exception {
        try (ServletServer server = ServletServer.start(version("first"))) {
            WebApp.Builder builder = version("next").replacing(server.app());
            builder.deploy(server.container());
            server.app().close(); // while its handlers are still mounted
            assertThat(server.get("/a").text()).isEqualTo("next");
            assertThat(server.get("/missing").status()).isEqualTo(404);
        }
    }

    @Test
    void sessionsMoveToTheNextVersion() throws Exception {
        try (ServletServer server = ServletServer.start(counting("first"))) {
            RawResponse created = server.get("/a");
            String cookie = "Cookie: " + cookie(created);
            assertThat(created.text()).isEqualTo("first 1");
            assertThat(server.get("/a", cookie).text()).isEqualTo("first 2");
            String unused = "Cookie: " + cookie(server.get("/a"));
            WebApp next = counting("next").replacing(server.app()).deploy(server.container());
            route(server, next);
            assertThat(server.get("/a", cookie).text())
                    .as("before the former version ends")
                    .isEqualTo("next 3");
            server.app().close();
            assertThat(server.get("/a", cookie).text()).isEqualTo("next 4");
            assertThat(server.get("/a", unused).text()).isEqualTo("next 2");
            assertThat(next.activeSessions()).isEqualTo(2);
            assertThat(next.sessionFigures()).isEqualTo(new SessionFigures(2, 0, 0, 0, 0, 0));
        }
    }

    /// Versions come while the first one completes a long request, as with `serval run --dev`.
    @Test
    void sessionsReachTheThirdVersionWhileTheFirstOneCompletesARequest() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        WebApp.Builder first =
                counting("first")
                        .servlet(
                                "/long",
                                new CodeServlet((_, _) -> {
                                    entered.countDown();
                                    Await.open("the third version serves", leave);
                                }));
        try (ServletServer server = ServletServer.start(first);
                RawClient client = server.client()) {
            String cookie = "Cookie: " + cookie(server.get("/a"));
            String idle = "Cookie: " + cookie(server.get("/a"));
            client.send("GET /long HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request has begun", entered);
            WebApp second = counting("second").replacing(server.app()).deploy(server.container());
            route(server, second);
            Thread closing = Thread.ofPlatform().start(() -> server.app().close(PATIENCE));
            WebApp third = counting("third").replacing(second).deploy(server.container());
            route(server, third);
            assertThat(server.get("/a", cookie).text()).isEqualTo("third 2");
            second.close(PATIENCE);
            assertThat(server.get("/a", cookie).text()).isEqualTo("third 3");
            assertThat(server.app().requestsInProgress()).isEqualTo(1);
            leave.countDown();
            closing.join();
            assertThat(server.get("/a", idle).text()).isEqualTo("third 2");
            assertThat(third.activeSessions()).isEqualTo(2);
        } finally {
            leave.countDown();
        }
    }

    /// A long request of the former version holds the session, as of a user who has several tabs.
    @Test
    void sessionIsFoundWhileTheFormerVersionUsesIt() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch leave = new CountDownLatch(1);
        WebApp.Builder first =
                counting("first")
                        .servlet(
                                "/long",
                                new CodeServlet((request, response) -> {
                                    HttpSession session = request.getSession();
                                    entered.countDown();
                                    Await.open("the next version has answered", leave);
                                    session.setAttribute("n", 100);
                                    response.getWriter().print(session.getAttribute("n"));
                                    session.invalidate();
                                }));
        try (ServletServer server = ServletServer.start(first);
                RawClient client = server.client()) {
            String cookie = "Cookie: " + cookie(server.get("/a"));
            client.send("GET /long HTTP/1.1\r\nHost: test\r\n" + cookie + "\r\n\r\n");
            Await.open("the request has begun", entered);
            WebApp next = counting("next").replacing(server.app()).deploy(server.container());
            route(server, next);
            assertThat(server.get("/a", cookie).text()).isEqualTo("next 2");
            assertThat(server.get("/a", cookie).text()).isEqualTo("next 3");
            assertThat(leave.getCount()).as("the request still runs").isEqualTo(1);
            leave.countDown();
            assertThat(client.answer().text()).isEqualTo("100");
            assertThat(server.get("/a", cookie).text())
                    .as("after the logout in the former version")
                    .isEqualTo("next 1");
        } finally {
            leave.countDown();
        }
    }

    private static WebApp.Builder counting(String name) {
        return WebApp.at("")
                .servlet(
                        "/a",
                        new CodeServlet((request, response) -> {
                            HttpSession session = request.getSession();
                            Object before = session.getAttribute("n");
                            int n = before == null ? 1 : (Integer) before + 1;
                            session.setAttribute("n", n);
                            response.getWriter().print(name + " " + n);
                        }));
    }

    private static String cookie(RawResponse response) {
        String cookie = Objects.requireNonNull(response.field("Set-Cookie"));
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void versionThatDoesNotStartChangesNothing() throws Exception {
        try (ServletServer server = ServletServer.start(version("first"))) {
            WebApp.Builder broken =
                    version("next").replacing(server.app()).listener(new FailingListener());
            assertThatThrownBy(() -> broken.deploy(server.container()))
                    .isInstanceOf(WebAppException.class)
                    .hasMessageContaining("no database");
            assertThat(server.get("/a").text()).isEqualTo("first");
        }
    }

    @Test
    void refusesAnotherContextPath() throws Exception {
        try (ServletServer server = ServletServer.start(version("first"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> WebApp.at("/b").replacing(server.app()))
                    .withMessage("An application at \"/b\" cannot replace one at \"\"");
        }
    }

    /// The servlet waits, because the time has the precision of a turn of the loop.
    @Test
    void showsHowLongRequestsTook() throws Exception {
        WebApp.Builder waits =
                WebApp.at("").servlet("/a", new CodeServlet((_, _) -> SlowCode.takes(20_000_000)));
        try (ServletServer server = ServletServer.start(waits)) {
            server.get("/a");
            server.get("/a");
            Await.until(
                    "both requests are counted",
                    () ->
                            server.app().times().values().stream()
                                            .mapToLong(times -> times.requests())
                                            .sum()
                                    == 2);
            assertThat(server.app().times().values())
                    .filteredOn(times -> times.requests() == 2)
                    .singleElement()
                    .satisfies(times -> {
                        assertThat(times.meanNanos()).isPositive();
                        assertThat(times.maxNanos()).isBetween(times.meanNanos(), times.sumNanos());
                    });
        }
    }

    private static final class FailingListener implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            throw new IllegalStateException("no database");
        }
    }
}
