package dev.serval.servlet;

import dev.serval.Serval;
import dev.serval.mode.InMode;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.mode.Mode;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// A server with one application, for tests.
final class ServletServer implements AutoCloseable {
    /// Limits with which no slow client is dropped, however slow the machine is.
    static final Limits PATIENT =
            Limits.DEFAULT.with(draft -> {
                draft.pace.graceNanos = Duration.ofMinutes(10).toNanos();
                draft.pace.stallNanos = Duration.ofMinutes(10).toNanos();
            });

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// What the containers of this JVM have found out about files. To load the schema of a descriptor
    /// again takes longer than all the rest of a start.
    private static final TempTree SCANS = TempTree.create();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(SCANS::close));
    }

    private final Path work;
    private final ServletContainer container;
    private final WebApp app;
    private final Serval server;

    private ServletServer(Path work, ServletContainer container, WebApp app, Serval server) {
        this.work = work;
        this.container = container;
        this.app = app;
        this.server = server;
    }

    /// Refuses nothing because of the load. For tests with many requests at once, on a machine that
    /// may be busy.
    static void withoutRefusals(Limits.Draft draft) {
        draft.load.forced = LoadMode.LIGHT;
        draft.load.light = draft.load.light.withWaitNanos(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    static ServletServer start(WebApp.Builder builder) throws IOException {
        return start(builder, Limits.DEFAULT);
    }

    static ServletServer start(WebApp.Builder builder, Limits limits) throws IOException {
        return start(builder, limits, ServletContainer.builder());
    }

    static ServletServer start(WebApp.Builder builder, UserStore users) throws IOException {
        return start(builder, Limits.DEFAULT, ServletContainer.builder().users(users));
    }

    static ServletServer start(
            WebApp.Builder builder, Limits limits, ServletContainer.Builder settings)
            throws IOException {
        Path work = Files.createTempDirectory("serval-servlet-test");
        ServletContainer container = settings.workFolder(work.resolve("work")).open();
        try {
            shareScans(work.resolve("work/scan"));
            WebApp app = builder.deploy(container);
            Serval server =
                    InMode.start(
                            Serval.builder()
                                    .listen(InMode.listener())
                                    .loops(1)
                                    .limits(limits)
                                    .mount(app.prefix(), app.handlers()));
            return new ServletServer(work, container, app, server);
        } catch (IOException | RuntimeException | Error e) {
            container.close();
            delete(work);
            throw e;
        }
    }

    private static void shareScans(Path folder) throws IOException {
        Files.delete(folder);
        Files.createSymbolicLink(folder, SCANS.root());
    }

    /// Returns how absolute addresses of the host `test` begin.
    static String origin() {
        return Mode.current().scheme() + "://test";
    }

    SocketAddress address() {
        return server.addresses().getFirst();
    }

    WebApp app() {
        return app;
    }

    ServletContainer container() {
        return container;
    }

    Serval server() {
        return server;
    }

    RawClient client() {
        return RawClient.connect(address());
    }

    RawResponse get(String target, String... fields) {
        try (RawClient client = client()) {
            return client.exchange(
                    "GET " + target + " HTTP/1.1\r\nHost: test\r\n" + lines(fields) + "\r\n");
        }
    }

    RawResponse post(String target, String content, String... fields) {
        try (RawClient client = client()) {
            return client.exchange(
                    "POST "
                            + target
                            + " HTTP/1.1\r\nHost: test\r\nContent-Length: "
                            + content.length()
                            + "\r\n"
                            + lines(fields)
                            + "\r\n"
                            + content);
        }
    }

    private static String lines(String... fields) {
        StringBuilder lines = new StringBuilder();
        for (String field : List.of(fields)) {
            lines.append(field).append("\r\n");
        }
        return lines.toString();
    }

    @Override
    public void close() {
        awaitWorkers();
        server.close();
        container.close();
        if (server.heldBytes() != 0 || server.connections() != 0 || server.workers() != 0) {
            throw new AssertionError(
                    "The server holds "
                            + server.heldBytes()
                            + " bytes, "
                            + server.connections()
                            + " connections and "
                            + server.workers()
                            + " Workers after its end");
        }
        delete(work);
    }

    /// Waits for Workers that are about to end, because a stop would interrupt them. It ends those
    /// that the test has left waiting.
    private void awaitWorkers() {
        try {
            Await.until("no Worker is left", PATIENCE, () -> server.workers() == 0);
        } catch (AssertionError e) {
            // They end by the interrupt, or the check after the stop fails.
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new IllegalStateException("The folder " + folder + " cannot be deleted", e);
        }
    }
}
