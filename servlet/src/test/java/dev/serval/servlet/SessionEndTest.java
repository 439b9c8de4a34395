package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The end of sessions in a running container: on which thread listeners run, and what they delay.
@EveryMode
@Timeout(120)
final class SessionEndTest {
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /// Waits in its first call until the test lets it go.
    private final class Slow implements HttpSessionListener {
        @Override
        public void sessionDestroyed(HttpSessionEvent event) {
            Thread thread = Thread.currentThread();
            boolean ofApp =
                    event.getSession()
                            .getServletContext()
                            .getClassLoader()
                            .equals(thread.getContextClassLoader());
            heard.add(thread.getName() + " " + ofApp);
            entered.countDown();
            Await.open("the test lets the listener go", go);
        }
    }

    private ServletServer serve() throws IOException {
        return ServletServer.start(
                WebApp.at("/app")
                        .listener(new Slow())
                        .servlet(
                                "/session",
                                new CodeServlet((request, _) ->
                                        request.getSession().setMaxInactiveInterval(1)))
                        .servlet(
                                "/async",
                                new CodeServlet((request, _) -> {
                                    AsyncContext async = request.startAsync();
                                    async.setTimeout(1);
                                })));
    }

    @Test
    void slowListenerDelaysNoTimeout() throws Exception {
        try (ServletServer server = serve()) {
            assertThat(server.get("/app/session").status()).isEqualTo(200);
            Await.open("the session has expired", entered);
            assertThat(server.get("/app/async").status()).isEqualTo(500); // its timeout
            go.countDown();
        } finally {
            go.countDown();
        }
        assertThat(heard).containsExactly("sessions of /app true");
    }

    @Test
    void slowListenerDelaysNoOtherSession() throws Exception {
        try (ServletServer server = serve()) {
            server.get("/app/session");
            server.get("/app/session");
            Await.until("both sessions have expired", () -> heard.size() == 2);
            go.countDown();
        } finally {
            go.countDown();
        }
    }

    @Test
    void stopWaitsForAListenerThatRuns() throws Exception {
        try (ServletServer server = serve()) {
            server.get("/app/session");
            Await.open("the session has expired", entered);
            Thread stop = Thread.ofPlatform().start(server.app()::close);
            Await.until(
                    "the stop waits",
                    () -> stop.getState() == Thread.State.TIMED_WAITING || !stop.isAlive());
            assertThat(stop.isAlive()).isTrue();
            go.countDown();
            stop.join();
        } finally {
            go.countDown();
        }
    }
}
