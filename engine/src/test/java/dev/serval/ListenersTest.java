package dev.serval;

import static dev.serval.app.AppHandler.onLoop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.conn.Http1;
import dev.serval.conn.Protocol;
import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.ProxyProtocol;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Listeners that open and close while the server runs.
@Timeout(120)
final class ListenersTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    static final SocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    static final ListenerSpec ADMIN = new ListenerSpec(ANY).withHandler(saying("admin"));

    @TempDir private Path folder;

    static Stream<String> transports() {
        return EpollNetwork.unavailable() == null ? Stream.of("epoll", "nio") : Stream.of("nio");
    }

    static Serval start(String transport) throws IOException {
        return Serval.listen(0)
                .transport(transport)
                .loops(3)
                .mount("/", saying("public"))
                .withoutFlagWarning()
                .start();
    }

    static void end(Serval server) {
        server.close();
        LeakCheck.nothingHeld(server);
    }

    @ParameterizedTest
    @MethodSource("transports")
    void opensWhileTheServerRuns(String transport) throws IOException {
        Serval server = start(transport);
        try (RawClient before = RawClient.connect(server.addresses().getFirst())) {
            assertThat(ask(before)).isEqualTo("public");
            SocketAddress opened = server.open(ADMIN);
            assertThat(((InetSocketAddress) opened).getPort()).isPositive();
            assertThat(server.addresses()).hasSize(2).endsWith(opened);
            for (int i = 0; i < 20; i++) { // on each loop
                assertThat(RawClient.get(opened, "/").text()).isEqualTo("admin");
            }
            assertThat(ask(before)).isEqualTo("public");
        } finally {
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void messageHasAddressesOfIpv6InBrackets(String transport) throws IOException {
        Serval server = start(transport);
        SocketAddress foreign = new InetSocketAddress("2001:db8::1", 80);
        try {
            assertThatThrownBy(() -> server.open(new ListenerSpec(foreign)))
                    .hasMessageStartingWith("Cannot listen at [2001:db8::1]:80: ");
        } finally {
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void addressInUseChangesNothing(String transport) throws IOException {
        Serval server = start(transport);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            for (SocketAddress used :
                    List.of(server.addresses().getFirst(), taken.getLocalSocketAddress())) {
                assertThatThrownBy(() -> server.open(new ListenerSpec(used)))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("Cannot listen at ")
                        .hasMessageContaining("Address already in use");
            }
            assertThat(server.addresses()).hasSize(1);
            assertThat(server.services()).hasSize(1);
            assertThat(RawClient.get(server.addresses().getFirst(), "/").text())
                    .isEqualTo("public");
        } finally {
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void closesOneListenerWithItsIdleConnections(String transport) throws IOException {
        Serval server = start(transport);
        SocketAddress admin = server.open(ADMIN);
        try (RawClient other = RawClient.connect(server.addresses().getFirst());
                RawClient idle = RawClient.connect(admin)) {
            assertThat(ask(other)).isEqualTo("public");
            assertThat(ask(idle)).isEqualTo("admin");
            assertThat(server.close(admin)).isTrue();
            assertThat(refuses(admin)).isTrue();
            assertThat(server.addresses()).hasSize(1);
            assertThat(server.close(admin)).isFalse();
            idle.expectClosed();
            Await.until("its service is gone", () -> server.services().size() == 1);
            assertThat(ask(other)).isEqualTo("public");
            assertThat(server.connections()).isEqualTo(1);
        } finally {
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void requestInProgressIsAnsweredAfterItsListenerClosed(String transport) throws IOException {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        Handler waiting =
                x ->
                        x.run(
                                ExecutorKind.WORKER,
                                () -> {
                                    called.countDown();
                                    held.await();
                                    return saying("late");
                                });
        Serval server = start(transport);
        SocketAddress address = server.open(new ListenerSpec(ANY).withHandler(waiting));
        try (RawClient client = RawClient.connect(address)) {
            client.send(GET);
            Await.open("the handler is called", called);
            server.close(address);
            assertThat(server.services()).as("while it has a connection").hasSize(2);
            assertThat(server.connections()).isEqualTo(1);
            held.countDown();
            RawResponse answer = client.answer();
            assertThat(answer.text()).isEqualTo("late");
            assertThat(answer.field("Connection")).isEqualTo("close");
            Await.until("its service is gone", () -> server.services().size() == 1);
        } finally {
            held.countDown();
            end(server);
        }
    }

    @ParameterizedTest
    @MethodSource("transports")
    void sameAddressOpensAgainAtOnce(String transport) throws IOException {
        Serval server = start(transport);
        try {
            SocketAddress internet = server.open(ADMIN);
            SocketAddress file = UnixDomainSocketAddress.of(folder.resolve("s"));
            server.open(new ListenerSpec(file));
            for (int i = 0; i < 30; i++) {
                for (SocketAddress address : List.of(internet, file)) {
                    server.close(address);
                    assertThat(refuses(address)).isTrue();
                    server.open(new ListenerSpec(address));
                    assertThat(RawClient.get(address, "/").text()).isEqualTo("public");
                }
            }
            server.close(file);
            assertThat(folder.resolve("s")).doesNotExist();
        } finally {
            end(server);
        }
    }

    /// Clients of one listener ask without pause while another one opens and closes.
    @ParameterizedTest
    @MethodSource("transports")
    void otherListenersLoseNoRequest(String transport) throws Exception {
        Serval server = start(transport);
        SocketAddress address = server.addresses().getFirst();
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<Throwable> failed = new AtomicReference<>();
        Thread client = asking(address, over, failed);
        try {
            for (int i = 0; i < 50; i++) {
                server.close(server.open(ADMIN));
            }
        } finally {
            over.set(true);
            client.join();
            end(server);
        }
        assertThat(failed.get()).isNull();
    }

    @Test
    void replacesTheLimitsOfOneListener() throws IOException {
        Serval server = start("nio");
        SocketAddress own = server.open(new ListenerSpec(ANY).withLimits(Limits.DEFAULT));
        SocketAddress shared = server.addresses().getFirst();
        try (RawClient client = RawClient.connect(own);
                RawClient other = RawClient.connect(shared)) {
            assertThat(ask(client)).isEqualTo("public");
            Limits small = Limits.DEFAULT.with(draft -> draft.head.lineMaxBytes = 20);
            server.limits(own, small);
            String longLine = "GET /" + "x".repeat(20) + " HTTP/1.1\r\nHost: a\r\n\r\n";
            assertThat(client.exchange(longLine).status()).isEqualTo(414);
            assertThat(other.exchange(longLine).status()).isEqualTo(200);
            assertThatThrownBy(() -> server.limits(shared, small))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith(" has the server's limits");
            assertThatThrownBy(() -> server.limits(ANY, small))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("No listener is at ");
        } finally {
            end(server);
        }
    }

    @Test
    void limitsOfTheServerReachListenersWithoutTheirOwn() throws IOException {
        Serval server = start("nio");
        SocketAddress handled = server.open(ADMIN);
        SocketAddress own = server.open(ADMIN.withLimits(Limits.DEFAULT));
        try (RawClient client = RawClient.connect(handled);
                RawClient other = RawClient.connect(own)) {
            server.limits(server.limits().with(draft -> draft.head.lineMaxBytes = 20));
            String longLine = "GET /" + "x".repeat(20) + " HTTP/1.1\r\nHost: a\r\n\r\n";
            assertThat(client.exchange(longLine).status()).isEqualTo(414);
            assertThat(other.exchange(longLine).status()).isEqualTo(200);
        } finally {
            end(server);
        }
    }

    @Test
    void eventLoopOpensNoListener() throws IOException {
        AtomicReference<Serval> running = new AtomicReference<>();
        Serval server =
                Serval.listen(0)
                        .get(
                                "/open",
                                onLoop(x -> {
                                    try {
                                        running.get().open(ADMIN);
                                    } catch (IllegalStateException e) {
                                        x.text(String.valueOf(e.getMessage()));
                                    }
                                }))
                        .get("/", x -> x.text(running.get().open(ADMIN).toString()))
                        .withoutFlagWarning()
                        .start();
        running.set(server);
        try {
            SocketAddress address = server.addresses().getFirst();
            assertThat(RawClient.get(address, "/open").text())
                    .startsWith("An event loop cannot open or close a listener");
            assertThat(RawClient.get(address, "/").text()).as("a Worker").contains("127.0.0.1:");
        } finally {
            end(server);
        }
    }

    @Test
    void stoppedServerOpensNoListener() throws IOException {
        Serval server = start("nio");
        end(server);
        assertThatThrownBy(() -> server.open(ADMIN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has stopped");
    }

    /// While the loop is held, only the queue of the system takes connections. Linux lets one more
    /// into the queue of a Unix-domain socket than it may hold.
    @ParameterizedTest
    @MethodSource("transports")
    void backlogBoundsTheConnectionsThatWait(String transport) throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        Serval server =
                Serval.listen(0)
                        .transport(transport)
                        .loops(1)
                        .get(
                                "/hold",
                                onLoop(x -> {
                                    called.countDown();
                                    held.await();
                                }))
                        .withoutFlagWarning()
                        .start();
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        server.open(new ListenerSpec(address).withBacklog(2));
        List<SocketChannel> waiting = new ArrayList<>();
        try (RawClient client = RawClient.connect(server.addresses().getFirst())) {
            client.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.open("the loop is held", called);
            while (waiting.size() < 100 && connect(address, waiting)) {}
            assertThat(waiting).as("the last one found no room").hasSize(4);
        } finally {
            held.countDown();
            for (SocketChannel one : waiting) {
                one.close();
            }
            end(server);
        }
    }

    @Test
    void backlogIsPositive() {
        assertThat(new ListenerSpec(ANY).backlog()).isEqualTo(4096);
        assertThatThrownBy(() -> new ListenerSpec(ANY).withBacklog(0))
                .hasMessage("The backlog must be at least 1, not 0");
    }

    @Test
    void proxyHeaderIsReadOnSocketsToo() throws IOException {
        Handler peer =
                x -> saying(x.connection().peer() + " at " + x.connection().local()).handle(x);
        Serval server = start("nio");
        SocketAddress file = UnixDomainSocketAddress.of(folder.resolve("s"));
        ListenerSpec spec =
                new ListenerSpec(file).withHandler(peer).withProxyProtocol(ProxyProtocol.REQUIRED);
        server.open(spec);
        try (RawClient client = RawClient.connect(file)) {
            client.send("PROXY TCP4 203.0.113.7 192.0.2.1 4000 443\r\n");
            assertThat(ask(client)).isEqualTo("/203.0.113.7:4000 at /192.0.2.1:443");
        } finally {
            end(server);
        }
    }

    @Test
    void protocolThatTakesNoProxyHeadersIsRefused() {
        Protocol without = service -> new Http1(Leniency.defaults()).drivers(service);
        ListenerSpec spec = new ListenerSpec(ANY).withProtocol(without);
        assertThatThrownBy(() -> spec.withProxyProtocol(ProxyProtocol.REQUIRED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("takes no PROXY headers");
    }

    /// Connects without waiting.
    ///
    /// @return whether the queue had room
    private static boolean connect(SocketAddress address, List<SocketChannel> open)
            throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.configureBlocking(false);
        open.add(channel);
        try {
            return channel.connect(address);
        } catch (SocketException full) {
            return false;
        }
    }

    static Thread asking(
            SocketAddress address, AtomicBoolean over, AtomicReference<Throwable> failed) {
        return Thread.ofPlatform()
                .start(() -> {
                    try {
                        while (!over.get()) {
                            assertThat(RawClient.get(address, "/").text()).isEqualTo("public");
                        }
                    } catch (Throwable e) {
                        failed.set(e);
                    }
                });
    }

    static boolean refuses(SocketAddress address) {
        try (RawClient client = RawClient.connect(address)) {
            return client.ends();
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    static Handler saying(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return x ->
                x.response()
                        .send(
                                new ResponseHead(Status.OK, Fields.EMPTY, bytes.length),
                                Body.Bytes.of(bytes));
    }

    static String ask(RawClient client) {
        return client.exchange(GET).text();
    }
}
