package dev.serval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.Descriptors;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests a whole server on sockets, with every available transport: it starts, serves, stops, and
/// leaks nothing.
@Timeout(120)
final class ServalTest {
    private static final byte[] REQUEST =
            "GET /small.html HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final ResponseHead OK = new ResponseHead(Status.OK, Fields.EMPTY, 5);
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);

    /// Allocation is measured in rounds; one round must stay within the bound, and earlier ones
    /// warm up. Until the optimising compiler has compiled `Syscalls.call`, the JDK allocates an
    /// object of 40 bytes in each system call. The number of rounds needed depends on the load of
    /// the processors.
    private static final int ROUNDS_MAX = 30;

    @TempDir private Path folder;

    static Stream<String> transports() {
        return EpollNetwork.unavailable() == null ? Stream.of("nio", "epoll") : Stream.of("nio");
    }

    private static void greet(Exchange x) {
        x.response().send(OK, Body.Bytes.of(HELLO));
    }

    @ParameterizedTest
    @MethodSource("transports")
    void servesManyConnectionsWithoutLeaks(String transport) throws IOException {
        Serval server = start(transport, 2, ServalTest::greet);
        List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            clients.add(RawClient.connect(server.addresses().getFirst()));
        }
        for (int round = 0; round < 5; round++) {
            clients.forEach(client -> client.send(REQUEST));
            for (RawClient client : clients) {
                assertThat(client.answer().text()).isEqualTo("hello");
            }
        }
        assertThat(server.connections()).isEqualTo(40);
        assertThat(server.metrics().sum(Counter.REQUESTS)).isEqualTo(200);
        server.close();
        LeakCheck.nothingHeld(server);
        clients.forEach(RawClient::close);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void stopAnswersRequestsInProgress(String transport) throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Serval server =
                start(
                        transport,
                        2,
                        x ->
                                x.run(
                                        ExecutorKind.BLOCKING,
                                        () -> {
                                            reached.countDown();
                                            release.await();
                                            return ServalTest::greet;
                                        }));
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send(REQUEST);
            reached.await();
            Thread stopping = Thread.ofPlatform().start(() -> server.stop(Duration.ofSeconds(60)));
            release.countDown();
            assertThat(client.answer().text()).isEqualTo("hello");
            client.expectClosed();
            client.finish();
            stopping.join();
        }
        LeakCheck.nothingHeld(server);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void stopAnswersConnectionsThatWaitToBeAccepted(String transport) throws IOException {
        for (int round = 0; round < 10; round++) {
            Serval server = start(transport, 2, ServalTest::greet);
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(RawClient.connect(server.addresses().getFirst()).send(REQUEST));
            }
            Thread stopping = Thread.ofPlatform().start(() -> server.stop(Duration.ofSeconds(60)));
            for (RawClient client : clients) {
                assertThat(client.answer().text()).isEqualTo("hello");
                client.close();
            }
            join(stopping);
            LeakCheck.nothingHeld(server);
        }
    }

    @Test
    void startFailsWithThePortInUse() throws IOException {
        try (Serval first = start("nio", 2, ServalTest::greet)) {
            SocketAddress taken = first.addresses().getFirst();
            int threads = Thread.activeCount();
            assertThatThrownBy(() ->
                            Serval.builder().listen(taken).mount("/", ServalTest::greet).start())
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(String.valueOf(((InetSocketAddress) taken).getPort()));
            Await.until("its threads have ended", () -> Thread.activeCount() <= threads);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void listensAtUnixSocketAndRemovesIt(String transport) throws IOException {
        Path path = folder.resolve("s");
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
        for (int i = 0; i < 2; i++) {
            Serval server =
                    Serval.builder()
                            .transport(transport)
                            .loops(1)
                            .listen(address)
                            .mount("/", ServalTest::greet)
                            .start();
            assertThat(RawClient.get(address, "/").text()).isEqualTo("hello");
            server.close();
            LeakCheck.nothingHeld(server);
            assertThat(path).doesNotExist();
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void refusesUnixSocketOfARunningServer(String transport) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        try (Serval _ = unix(transport, address)) {
            assertThatThrownBy(() -> unix(transport, address))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in use");
            try (SocketChannel channel = SocketChannel.open(address)) {
                channel.write(ByteBuffer.wrap(REQUEST));
                assertThat(answer(Channels.newInputStream(channel), 5)).endsWith("hello");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void replacesUnixSocketOfAKilledServer(String transport) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address).close();
        assertThat(folder.resolve("s")).exists();
        try (Serval _ = unix(transport, address);
                SocketChannel channel = SocketChannel.open(address)) {
            channel.write(ByteBuffer.wrap(REQUEST));
            assertThat(answer(Channels.newInputStream(channel), 5)).endsWith("hello");
        }
    }

    private static Serval unix(String transport, UnixDomainSocketAddress address)
            throws IOException {
        return Serval.builder()
                .transport(transport)
                .loops(1)
                .listen(address)
                .mount("/", ServalTest::greet)
                .start();
    }

    @ParameterizedTest
    @CsvSource({
        "20000, 9223372036854775807, 20000",
        "20000, 20500, 20000",
        "20000, 20499, 19999",
        "20000, 1024, 524",
        "20000, 516, 16",
        "20000, 100, 16"
    })
    void reserves500DescriptorsForTheProcess(int asked, long descriptors, int connectionsMax) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.connectionsMax = asked);
        assertThat(Listeners.within(descriptors, limits).counts().connectionsMax())
                .isEqualTo(connectionsMax);
    }

    @Test
    void limitsConnectionsToTheDescriptorsOfTheProcess() throws IOException {
        long descriptors = Descriptors.limit();
        Assumptions.assumeTrue(
                descriptors < Integer.MAX_VALUE, "needs a limit of descriptors (ulimit -n)");
        Limits all = Limits.DEFAULT.with(draft -> draft.counts.connectionsMax = Integer.MAX_VALUE);
        try (Serval server =
                Serval.builder().limits(all).listen(0).mount("/", ServalTest::greet).start()) {
            assertThat((long) server.limits().counts().connectionsMax())
                    .isEqualTo(Math.max(16, descriptors - 500));
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void cachedFileAllocatesAlmostNothing(String transport) throws IOException {
        int requests = 3_000;
        int content = 4096;
        // Usually a request allocates nothing. Its three system calls allocate 40 bytes each if the
        // compiler does not inline the JDK's handling of the error number. That differs between
        // runs. The look-up of the file once a second and the JVM's own work on any thread add to
        // that.
        long allowed = 128L * requests + (64 << 10);
        Files.write(folder.resolve("small.html"), new byte[content]);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Serval server = start(transport, 1, Folder.of(folder));
        AtomicLong loopThread = new AtomicLong();
        server.serverLoops()
                .getFirst()
                .net()
                .loop()
                .execute(() -> loopThread.set(Thread.currentThread().threadId()));
        try (Socket socket = connect(server)) {
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            out.write(REQUEST);
            int length = answer(in, content).length();
            byte[] answer = new byte[length];
            long loop = loopThread.get();
            long bytes = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS_MAX && bytes > allowed; round++) {
                long before = threads.getThreadAllocatedBytes(loop);
                ask(out, in, answer, requests);
                bytes = threads.getThreadAllocatedBytes(loop) - before;
            }
            assertThat(bytes).isLessThanOrEqualTo(allowed);
        }
        server.close();
        LeakCheck.nothingHeld(server);
    }

    private static void ask(OutputStream out, InputStream in, byte[] answer, int times)
            throws IOException {
        for (int i = 0; i < times; i++) {
            out.write(REQUEST);
            if (in.readNBytes(answer, 0, answer.length) < answer.length) {
                throw new AssertionError("The connection ended early");
            }
        }
    }

    private static Serval start(String transport, int loops, Handler handler) throws IOException {
        return Serval.builder()
                .transport(transport)
                .loops(loops)
                .listen(0)
                .mount("/", handler)
                .start();
    }

    private static Socket connect(Serval server) throws IOException {
        int port = ((InetSocketAddress) server.addresses().getFirst()).getPort();
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    /// Reads one answer with that much content.
    private static String answer(InputStream in, int content) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                throw new AssertionError("The connection ended: " + text);
            }
            text.append((char) b);
        }
        byte[] rest = in.readNBytes(content);
        assertThat(rest).hasSize(content);
        return text + new String(rest, StandardCharsets.ISO_8859_1);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
