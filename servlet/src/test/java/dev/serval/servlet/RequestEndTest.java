package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.route.RouteTable;
import dev.serval.servlet.request.AppRequest;
import dev.serval.servlet.request.ContentReading;
import dev.serval.servlet.request.RequestParts;
import dev.serval.servlet.request.ServletExchange;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.mode.EveryMode;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a request releases when its client has gone, even if a thread of the application is about to
/// use more of it.
@EveryMode
@Timeout(120)
final class RequestEndTest {
    private static final String BODY =
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n1\r\n--b--\r\n";
    private static final String POST =
            "POST /s HTTP/1.1\r\nHost: test\r\nContent-Type: multipart/form-data; boundary=b\r\n"
                    + "Content-Length: "
                    + BODY.length()
                    + "\r\n\r\n"
                    + BODY;

    private static final String FAILED = "IllegalStateException The request has ended.";

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final CompletableFuture<String> outcome = new CompletableFuture<>();

    @AfterEach
    void letThreadsEnd() {
        go.countDown();
    }

    /// Waits, in the thread of the application, until the request has ended.
    private void waitForTheEnd() {
        inside.countDown();
        Await.open("the request has ended", go);
    }

    /// Starts an asynchronous request, whose other thread does something.
    private void async(HttpServletRequest request, Callable<?> something) {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        Thread.ofVirtual().start(() -> outcome.complete(outcomeOf(something)));
    }

    private static String outcomeOf(Callable<?> something) {
        try {
            Object found = something.call();
            return "returned " + found;
        } catch (Exception e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }

    /// Sends a request, ends it while the other thread waits, and lets that thread continue.
    ///
    /// @return what that thread got
    private String endWhileTheThreadWaits(ServletServer server, String request) throws Exception {
        RawClient client = server.client();
        client.send(request);
        Await.open("the thread asks", inside);
        client.reset();
        Await.until("the request has ended", () -> server.app().requestsInProgress() == 0);
        go.countDown();
        return outcome.get(60, TimeUnit.SECONDS);
    }

    @Test
    void sessionThatComesAfterTheEndIsNotHeld() throws Exception {
        List<String> ids = new CopyOnWriteArrayList<>();
        WebApp.Builder first =
                WebApp.at("")
                        .listener(
                                new HttpSessionListener() {
                                    @Override
                                    public void sessionCreated(HttpSessionEvent event) {
                                        ids.add(event.getSession().getId());
                                        waitForTheEnd();
                                    }
                                })
                        .servlet(
                                "/s",
                                new CodeServlet(
                                        (request, _) -> async(request, request::getSession)));
        try (ServletServer server = ServletServer.start(first)) {
            String got = endWhileTheThreadWaits(server, "GET /s HTTP/1.1\r\nHost: test\r\n\r\n");
            WebApp next =
                    WebApp.at("")
                            .servlet(
                                    "/s",
                                    new CodeServlet((request, response) ->
                                            response.getWriter()
                                                    .print(request.getSession(false) != null)))
                            .replacing(server.app())
                            .deploy(server.container());
            server.server().routes(RouteTable.builder().mount("/", next.handlers()).build());
            // The next version gets only a session that no request uses.
            String cookie = "Cookie: JSESSIONID=" + ids.getFirst();
            assertThat(server.get("/s", cookie).text()).isEqualTo("true");
            assertThat(got).startsWith(FAILED);
        }
    }

    @Test
    void filesOfPartsThatComeAfterTheEndAreDeleted() throws Exception {
        ServletContextListener adds =
                new ServletContextListener() {
                    @Override
                    public void contextInitialized(ServletContextEvent event) {
                        CodeServlet servlet =
                                new CodeServlet((request, _) -> {
                                    waitAfterParts((AppRequest) request);
                                    async(request, request::getParts);
                                });
                        var added = event.getServletContext().addServlet("s", servlet);
                        added.addMapping("/s");
                        added.setAsyncSupported(true);
                        added.setMultipartConfig(new MultipartConfigElement(""));
                    }
                };
        try (ServletServer server = ServletServer.start(WebApp.at("").listener(adds))) {
            String got = endWhileTheThreadWaits(server, POST);
            File folder = (File) server.app().context().getAttribute(ServletContext.TEMPDIR);
            try (Stream<Path> files = Files.list(folder.toPath().resolve("uploads"))) {
                assertThat(files).isEmpty();
            }
            assertThat(got).startsWith(FAILED);
        }
    }

    /// Has the request wait when its parts are read.
    private void waitAfterParts(AppRequest request) {
        ServletExchange exchange = request.exchange();
        ContentReading real = exchange.view().app().contentReading();
        ContentReading waiting =
                new ContentReading(
                        real.limits(),
                        real.key(),
                        (content, limits) -> {
                            RequestParts read = real.multipart().read(content, limits);
                            waitForTheEnd();
                            return read;
                        });
        StandInApp.put(exchange, "contentReading", waiting);
    }

    /// An application that stops may close its sessions as soon as no request is in it.
    @Test
    void requestWhoseClientHasGoneReleasesItsSessionBeforeItLeaves(@TempDir Path folder)
            throws Exception {
        WebApp.Builder app =
                WebApp.at("")
                        .sessions(SessionOptions.files(folder))
                        .servlet(
                                "/s",
                                new CodeServlet((request, _) -> {
                                    request.getSession().setAttribute("w", new Watched());
                                    request.startAsync().setTimeout(0);
                                    inside.countDown();
                                }));
        List<Integer> inProgress = new CopyOnWriteArrayList<>();
        try (ServletServer server = ServletServer.start(app)) {
            Watched.requests = server.app()::requestsInProgress;
            Watched.whenWritten = inProgress;
            RawClient client = server.client();
            client.send("GET /s HTTP/1.1\r\nHost: test\r\n\r\n");
            Await.open("the request runs", inside);
            client.reset();
            Await.until("the session is stored", () -> !inProgress.isEmpty());
            assertThat(inProgress.getFirst()).isEqualTo(1);
        } finally {
            Watched.requests = () -> -1;
            Watched.whenWritten = new CopyOnWriteArrayList<>();
        }
    }

    /// Such as when memory runs out. The application could not be replaced before it has waited.
    @Test
    void errorWhileTheSessionIsStoredDoesNotKeepTheRequest(@TempDir Path folder) throws Exception {
        WebApp.Builder app =
                WebApp.at("")
                        .sessions(SessionOptions.files(folder))
                        .servlet(
                                "/s",
                                new CodeServlet((request, _) ->
                                        request.getSession().setAttribute("f", new Failing())));
        try (ServletServer server = ServletServer.start(app)) {
            int _ = server.get("/s").status();
            Await.until("no request is left", () -> server.app().requestsInProgress() == 0);
        }
    }

    /// A value that fails while its session is stored.
    private static final class Failing implements Serializable {
        private static final long serialVersionUID = 1;

        private void writeObject(ObjectOutputStream out) {
            throw new OutOfMemoryError("meant: no memory");
        }
    }

    /// A value that records how many requests run when its session is stored.
    private static final class Watched implements Serializable {
        private static final long serialVersionUID = 1;
        private static volatile IntSupplier requests = () -> -1;
        private static volatile List<Integer> whenWritten = new CopyOnWriteArrayList<>();

        private void writeObject(ObjectOutputStream out) throws IOException {
            whenWritten.add(requests.getAsInt());
            out.defaultWriteObject();
        }
    }
}
