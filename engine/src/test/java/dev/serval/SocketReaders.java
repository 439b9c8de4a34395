package dev.serval;

import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.SlowCode;
import dev.serval.worker.SocketPoller;
import dev.serval.worker.SocketPollers;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Virtual threads that wait for sockets, in a JVM of its own, because the JDK starts what wakes them
/// once for each JVM. Prints what happened.
public final class SocketReaders {
    private static final Logger LOG = System.getLogger(SocketReaders.class.getName());
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /// More than the first requests of a mapping, which the pool carries, so that loops carry some.
    private static final int REQUESTS = 200;

    private static final long MOMENT_NANOS = 1_000_000;
    private static final int LONG_BYTES = 64 << 20;

    private SocketReaders() {}

    /// Runs one of the cases.
    public static void main(String[] arguments) {
        Callable<Boolean> work =
                switch (arguments[0]) {
                    case "workers" -> SocketReaders::workers;
                    case "others" -> SocketReaders::others;
                    case "late" -> SocketReaders::late;
                    case "unkept" -> SocketReaders::unkept;
                    case "shares" -> SocketReaders::shares;
                    case "stopped" -> SocketReaders::stopped;
                    default -> throw new IllegalArgumentException(arguments[0]);
                };
        int status = 1;
        try {
            Future<Boolean> done = Executors.newSingleThreadExecutor().submit(work);
            status = done.get(PATIENCE.toSeconds(), TimeUnit.SECONDS) ? 0 : 1;
        } catch (Throwable e) { // what waits for ever must not keep the JVM
            LOG.log(Level.ERROR, "the case failed", e);
        } finally {
            System.exit(status);
        }
    }

    private static Boolean workers() throws Exception {
        try (Echo echo = new Echo();
                Serval server = start(2, echo)) {
            System.out.println("answers " + answers(server));
            System.out.println("threads of the JDK's scheduler " + scheduler());
        }
        return shares();
    }

    private static Boolean others() throws Exception {
        try (Echo echo = new Echo();
                Serval server = start(1, echo);
                Pair pair = new Pair()) {
            CompletableFuture<Integer> reader = reads(pair.one);
            pair.other.getOutputStream().write(7);
            System.out.println("read " + reader.get());
            CompletableFuture<Integer> writer = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> writes(pair.one, writer));
            System.out.println(
                    "received " + pair.other.getInputStream().readNBytes(LONG_BYTES).length);
            System.out.println("written " + writer.get());
            System.out.println("answers " + answers(server));
        }
        return true;
    }

    private static Boolean late() throws Exception {
        try (Pair pair = new Pair();
                Echo echo = new Echo()) {
            CompletableFuture<Integer> reader = reads(pair.one);
            try (Serval server = start(2, echo)) {
                System.out.println("answers " + answers(server));
                pair.other.getOutputStream().write(8);
                System.out.println("read " + reader.get());
            }
        }
        shares();
        return true;
    }

    /// Prints whether the pollers are free beside a server whose loops have no other thread.
    private static Boolean unkept() throws Exception {
        Limits limits = Limits.DEFAULT.with(draft -> draft.workers.keptThreadsMax = 0);
        try (Serval server =
                Serval.builder().listen(0).limits(limits).withoutFlagWarning().start()) {
            boolean free = SocketPollers.share(0, 1).stream().allMatch(SocketPoller::take);
            System.out.println("free " + free + " beside " + server.transport());
        }
        return true;
    }

    /// Prints how many pollers each of three loops takes.
    private static Boolean shares() {
        System.out.println(
                "shares "
                        + IntStream.range(0, 3)
                                .mapToObj(loop -> SocketPollers.share(loop, 3).size())
                                .toList());
        return true;
    }

    private static Boolean stopped() throws Exception {
        try (Pair pair = new Pair();
                Echo echo = new Echo()) {
            Serval first = start(2, echo);
            Serval second = start(1, echo);
            System.out.println("second " + answers(second));
            CompletableFuture<Integer> reader = reads(pair.one);
            first.stop(PATIENCE);
            pair.other.getOutputStream().write(1);
            System.out.println("after the first " + reader.get());
            System.out.println("second " + answers(second));
            second.stop(PATIENCE);
            CompletableFuture<Integer> again = reads(pair.one);
            try (Serval third = start(3, echo)) {
                pair.other.getOutputStream().write(2);
                System.out.println("third " + again.get() + " and " + answers(third));
            }
        }
        return true;
    }

    private static Serval start(int loops, Echo echo) throws IOException {
        return Serval.builder()
                .loops(loops)
                .listen(0)
                .withoutFlagWarning()
                .get("/", x -> x.text("" + echo.ask()))
                .start();
    }

    private static int answers(Serval server) {
        int right = 0;
        for (int i = 0; i < REQUESTS; i++) {
            String text = RawClient.get(server.addresses().getFirst(), "/").text();
            right += text.equals("" + Echo.VALUE) ? 1 : 0;
        }
        return right;
    }

    /// Returns how many threads carry virtual threads of the JDK's scheduler, each of which a poller of
    /// the JDK would need.
    private static long scheduler() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ForkJoinPool"))
                .count();
    }

    private static CompletableFuture<Integer> reads(Socket socket) {
        CompletableFuture<Integer> read = new CompletableFuture<>();
        Thread reader =
                Thread.ofVirtual()
                        .unstarted(() -> {
                            try {
                                read.complete(socket.getInputStream().read());
                            } catch (IOException e) {
                                read.completeExceptionally(e);
                            }
                        });
        reader.start();
        Await.until("it waits", () -> reader.getState() == Thread.State.WAITING);
        return read;
    }

    private static void writes(Socket socket, CompletableFuture<Integer> done) {
        try {
            socket.getOutputStream().write(new byte[LONG_BYTES]);
            done.complete(LONG_BYTES);
        } catch (IOException e) {
            done.completeExceptionally(e);
        }
    }

    /// Two ends of a connection.
    private static final class Pair implements AutoCloseable {
        private final Socket one;
        private final Socket other;

        Pair() throws IOException {
            try (ServerSocket listening =
                    new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                one = new Socket(listening.getInetAddress(), listening.getLocalPort());
                other = listening.accept();
                other.setSoTimeout((int) PATIENCE.toMillis());
            }
        }

        @Override
        public void close() throws IOException {
            one.close();
            other.close();
        }
    }

    /// A server that answers a byte with [#VALUE] after a moment, as a database does.
    private static final class Echo implements AutoCloseable {
        private static final int VALUE = 42;

        private final ServerSocket listening =
                new ServerSocket(0, 64, InetAddress.getLoopbackAddress());

        Echo() throws IOException {
            Thread.ofPlatform().daemon().name("echo").start(this::answerAll);
        }

        /// Returns what the server answers.
        int ask() throws IOException {
            try (Socket socket = new Socket(listening.getInetAddress(), listening.getLocalPort())) {
                socket.getOutputStream().write(1);
                return socket.getInputStream().read();
            }
        }

        private void answerAll() {
            try {
                while (true) {
                    try (Socket socket = listening.accept()) {
                        int _ = socket.getInputStream().read();
                        SlowCode.takes(MOMENT_NANOS);
                        socket.getOutputStream().write(VALUE);
                    }
                }
            } catch (IOException e) { // closed at the end
                System.err.println(e);
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }
}
