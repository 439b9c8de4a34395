package dev.serval.servlet;

import dev.serval.Serval;
import dev.serval.WorkerKind;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.tls.JdkTls;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// A server with one loop and an application that floods keep busy. [FloodsTest] runs it in a
/// separate JVM and asks it over its standard streams.
final class FloodedServer {
    static final int LARGE_BYTES = 1 << 20;
    static final int HUGE_BYTES = 16 << 20;

    /// So the server drops no slow client, however slow the machine is. Other tests check that.
    private static final long PATIENCE_NANOS = Duration.ofMinutes(10).toNanos();

    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong written = new AtomicLong();
    private volatile CountDownLatch gate = new CountDownLatch(1);

    private FloodedServer() {}

    /// Prints the port, then answers each line of standard input.
    ///
    /// @param arguments a folder, the limit of requests in progress, the number of platform
    ///     threads that run application code, or 0 for Workers on the loop, and the certificate and
    ///     key of a second listener, if there is one
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        int threads = Integer.parseInt(arguments[2]);
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    ServletServer.withoutRefusals(draft);
                    draft.counts.exchangesMax = Integer.parseInt(arguments[1]);
                    draft.pace.graceNanos = PATIENCE_NANOS;
                    draft.pace.stallNanos = PATIENCE_NANOS;
                    draft.workers.poolThreadsMax = Math.max(1, threads);
                });
        WorkerKind kind = threads == 0 ? WorkerKind.LOOP : WorkerKind.PLATFORM;
        FloodedServer flooded = new FloodedServer();
        try (ServletContainer container = ServletContainer.open(folder.resolve("work"));
                WebApp app = flooded.app(folder).deploy(container);
                Serval server =
                        listening(arguments)
                                .loops(1)
                                .workers(kind)
                                .limits(limits)
                                .mount(app.prefix(), app.handlers())
                                .start()) {
            System.out.println(server.port());
            flooded.answer(server);
        }
    }

    private static Serval.Builder listening(String[] arguments) throws IOException {
        Serval.Builder builder = Serval.listen(0);
        if (arguments.length > 3) {
            builder.listen(0, JdkTls.of(Path.of(arguments[3]), Path.of(arguments[4])));
        }
        return builder;
    }

    private WebApp.Builder app(Path folder) throws IOException {
        Path files = folder.resolve("app");
        Files.createDirectories(files.resolve("WEB-INF"));
        Files.writeString(files.resolve("file.txt"), "file");
        return WebApp.of("", files)
                .servlet("/quick", new CodeServlet((_, response) -> print(response, "quick")))
                .servlet(
                        "/read",
                        new CodeServlet(
                                counted((request, response) ->
                                        print(
                                                response,
                                                "read "
                                                        + request.getInputStream()
                                                                .readAllBytes()
                                                                .length))))
                .servlet(
                        "/large",
                        new CodeServlet(counted((_, response) -> write(response, LARGE_BYTES))))
                .servlet(
                        "/huge",
                        new CodeServlet(counted((_, response) -> write(response, HUGE_BYTES))))
                .servlet("/sleep", new CodeServlet(counted((_, response) -> sleep(response))))
                .servlet("/spin", new CodeServlet(counted((_, response) -> spin(response))));
    }

    private CodeServlet.Code counted(CodeServlet.Code code) {
        return (request, response) -> {
            inside.incrementAndGet();
            try {
                code.run(request, response);
            } finally {
                inside.decrementAndGet();
            }
        };
    }

    private static void print(HttpServletResponse response, String text) throws IOException {
        response.getWriter().print(text);
    }

    private void write(HttpServletResponse response, int bytes) throws IOException {
        OutputStream out = response.getOutputStream();
        byte[] piece = "large---".repeat(1 << 10).getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < bytes; at += piece.length) {
            out.write(piece);
            written.addAndGet(piece.length);
        }
    }

    private void sleep(HttpServletResponse response) throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
        print(response, "slept");
    }

    private void spin(HttpServletResponse response) throws IOException {
        CountDownLatch ends = gate;
        while (ends.getCount() > 0) {
            Thread.onSpinWait();
        }
        print(response, "spun");
    }

    private void answer(Serval server) throws IOException {
        BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            System.out.println(
                    switch (command) {
                        case "inside" -> String.valueOf(inside.get());
                        case "open" -> open();
                        case "left" -> left(server);
                        case "written" -> written.toString();
                        case "held" -> String.valueOf(server.heldBytes());
                        case "secured" -> String.valueOf(port(server.addresses().getLast()));
                        default -> throw new IllegalArgumentException(command);
                    });
        }
    }

    private static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }

    /// Lets those that wait through, and those that come later wait again.
    private String open() {
        CountDownLatch last = gate;
        gate = new CountDownLatch(1);
        last.countDown();
        return "open";
    }

    private String left(Serval server) {
        return "inside %d, connections %d, workers %d, accepted and not closed %d, held bytes %d"
                .formatted(
                        inside.get(),
                        server.connections(),
                        server.workers(),
                        server.metrics().sum(Counter.CONNECTIONS_ACCEPTED)
                                - server.metrics().sum(Counter.CONNECTIONS_CLOSED),
                        server.heldBytes());
    }
}
