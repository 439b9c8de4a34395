package dev.serval.gateway.lrwp;

import static dev.serval.gateway.lrwp.Clients.FILES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.gateway.lrwp.SocketPeer.Style;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PoolStatus;
import dev.serval.mode.InMode;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// An agent on two loops with peers and clients over sockets.
@EveryMode
final class LrwpSocketTest {
    private static final InetSocketAddress ANY =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final LrwpSettings.Startups LONG_HOLD =
            LrwpSettings.Startups.DEFAULT.with(
                    draft -> draft.holdNanos = TimeUnit.SECONDS.toNanos(2));

    private LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);

    private Serval server(String transport) throws IOException {
        Assumptions.assumeTrue(
                transport.equals("nio") || EpollNetwork.unavailable() == null, "needs epoll");
        return InMode.start(
                Serval.builder()
                        .transport(transport)
                        .loops(2)
                        .withoutFlagWarning()
                        .listen(InMode.listener())
                        .listen(new ListenerSpec(ANY).withProtocol(agent.protocol()))
                        .mount("/", agent.handler(), FILES));
    }

    private static SocketAddress http(Serval server) {
        return server.addresses().get(0);
    }

    private static SocketAddress lrwp(Serval server) {
        return server.addresses().get(1);
    }

    private static String post(String body) {
        return "POST /app HTTP/1.1\r\nHost: h\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body;
    }

    private PoolStatus status() {
        return agent.status().getFirst();
    }

    private void awaitPeers(int number) {
        Await.until(
                number + " peers", () -> !agent.status().isEmpty() && status().peers() == number);
    }

    /// Case 4: pools of several sizes, and peers that write in every way.
    @ParameterizedTest(name = "{0}, {1} peers, {2}")
    @CsvSource({
        "epoll, 1, ONE_WRITE",
        "epoll, 4, TWO_WRITES",
        "epoll, 60, TWO_WRITES",
        "epoll, 4, BYTES",
        "nio, 60, ONE_WRITE",
        "nio, 3, TWO_WRITES",
    })
    void serves20ClientsWithoutLoss(String transport, int peers, Style style) throws Exception {
        int rounds = style == Style.BYTES ? 5 : 50;
        try (Serval server = server(transport)) {
            List<SocketPeer> all = new ArrayList<>();
            for (int i = 0; i < peers; i++) {
                all.add(SocketPeer.echo(lrwp(server), "app", style));
            }
            awaitPeers(peers);
            Clients clients = new Clients(server, 20, rounds);
            clients.join();
            assertThat(clients.wrong).as("wrong answers").isEmpty();
            assertThat(clients.right.get()).isEqualTo(20 * rounds);
            assertThat(status().served()).isEqualTo(20L * rounds);
            assertThat(all).allMatch(peer -> peer.handshake().equals("OK"));
            assertThat(status().busy() + status().queued()).isZero();
            for (SocketPeer peer : all) {
                peer.close();
            }
            Await.until("all peers have left", () -> status().peers() == 0);
        }
    }

    /// An idle peer says nothing. If its machine vanished, the system would never tell, and each such
    /// connection would cost a client the whole time for an answer.
    @ParameterizedTest
    @CsvSource({"epoll", "nio"})
    void probesIdlePeers(String transport) throws Exception {
        Assumptions.assumeTrue(Files.isReadable(Path.of("/proc/net/tcp")), "needs Linux");
        try (Serval server = server(transport);
                Socket peer = new Socket()) {
            peer.connect(lrwp(server));
            peer.getOutputStream().write(Messages.bytes("app\u00ff\u00ff"));
            assertThat(peer.getInputStream().readNBytes(2)).isEqualTo(Messages.bytes("OK"));
            assertThat(probeSeconds(peer)).isBetween(1L, 60L);
        }
    }

    /// Returns the seconds until the system probes the other end of a socket; 0 if it does not
    /// (`proc(5)`).
    private static long probeSeconds(Socket other) {
        String local = ":%04X".formatted(other.getPort());
        String remote = ":%04X".formatted(other.getLocalPort());
        return Stream.of("tcp", "tcp6")
                .map(name -> Path.of("/proc/net", name))
                .filter(Files::isReadable)
                .flatMap(LrwpSocketTest::lines)
                .map(line -> line.strip().split("\\s+"))
                .filter(row -> row[1].endsWith(local) && row[2].endsWith(remote))
                .map(row -> row[5])
                .filter(timer -> timer.startsWith("02:"))
                .mapToLong(timer -> Long.parseLong(timer, 3, timer.length(), 16) / 100)
                .max()
                .orElse(0);
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Case 7: peers are killed and come back under load. Each request in progress at a killed peer
    /// is counted, no other is lost, and none is sent twice.
    @ParameterizedTest
    @EnumSource(names = {"ONE_WRITE", "TWO_WRITES"})
    void losesOnlyRequestsInProgressWhenPeersAreKilled(Style style) throws Exception {
        try (Serval server = server("auto")) {
            List<SocketPeer> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                all.add(SocketPeer.echo(lrwp(server), "app", style));
            }
            awaitPeers(4);
            Clients clients = new Clients(server, 12, 150);
            List<SocketPeer> killed = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                SocketPeer joined = SocketPeer.echo(lrwp(server), "app", style);
                Await.until("it serves", () -> joined.served() > 0 || clients.areDone());
                all.add(joined);
                SocketPeer victim = all.remove(0);
                victim.kill();
                killed.add(victim);
            }
            clients.join();
            PoolStatus end = status();
            long lost = end.failed().getOrDefault(PeerFault.LOST, 0L);
            assertThat(clients.badGateway.get()).as("502, each counted").isEqualTo((int) lost);
            assertThat(clients.wrong).as("other answers").isEmpty();
            assertThat(clients.right.get() + lost).isEqualTo(12 * 150);
            assertThat(end.served()).isEqualTo(clients.right.get());
            int sent = 0;
            all.addAll(killed);
            for (SocketPeer peer : all) {
                peer.close(); // counts until its thread has ended
                sent += peer.served();
            }
            // A peer may have answered a request, but been killed before its answer arrived.
            assertThat(sent).isBetween(clients.right.get(), clients.right.get() + (int) lost);
        }
    }

    /// Case 5, with the first read of real peers. The agent holds each for so long that the read
    /// comes before the first request also if the thread of the peer stalls.
    @Test
    void peersThatJoinWhile50WaitReadBareOk() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        agent = new LrwpAgent(LrwpSettings.DEFAULT.withStartup(LONG_HOLD));
        try (Serval server = server("auto")) {
            SocketPeer blocked =
                    new SocketPeer(
                            lrwp(server),
                            "app",
                            Style.TWO_WRITES,
                            body -> {
                                Await.open("the end of the test", release);
                                return SocketPeer.echoed(body);
                            });
            awaitPeers(1);
            Clients clients = new Clients(server, 51, 1);
            Await.until("50 wait", () -> status().queued() == 50);
            SocketAddress lrwp = lrwp(server);
            try (SocketPeer one = SocketPeer.echoAfterOneRead(lrwp, "app", Style.TWO_WRITES);
                    SocketPeer two = SocketPeer.echoAfterOneRead(lrwp, "app", Style.ONE_WRITE)) {
                Await.until("all that waited are answered", () -> clients.right.get() == 50);
                assertThat(one.handshake()).isEqualTo("OK");
                assertThat(two.handshake()).isEqualTo("OK");
                Await.until("both count 50", () -> one.served() + two.served() == 50);
                release.countDown();
                clients.join();
            }
            assertThat(clients.wrong).isEmpty();
            blocked.close();
        } finally {
            release.countDown();
        }
    }

    /// Case 12: connections that never register neither hold memory nor keep others out of HTTP.
    @Test
    void floodOfSilentConnectionsIsBounded() throws Exception {
        try (Serval server = server("auto")) {
            SocketPeer peer = SocketPeer.echo(lrwp(server), "app", Style.TWO_WRITES);
            awaitPeers(1);
            List<RawClient> silent = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                try {
                    silent.add(RawClient.connect(lrwp(server)).send("a")); // accepted at once
                } catch (UncheckedIOException e) {
                    // Refused, by a reset before the client knew of the connection.
                }
            }
            Await.until("the limit refuses", () -> agent.refused() > 0);
            assertThat(agent.unregistered()).isLessThanOrEqualTo(256);
            try (RawClient client = RawClient.connect(http(server))) {
                assertThat(client.exchange(post("calm")).text()).isEqualTo("calm");
            }
            Await.until("the silent are closed", () -> agent.unregistered() == 0);
            SocketPeer second = SocketPeer.echo(lrwp(server), "app", Style.TWO_WRITES);
            awaitPeers(2);
            for (RawClient one : silent) {
                one.close();
            }
            peer.close();
            second.close();
        }
    }

    /// Case 21: a stop ends every peer, without a reset.
    @Test
    void stopEndsAllPeers() throws Exception {
        Serval server = server("auto");
        RawClient peer = RawClient.connect(lrwp(server)).send(Messages.bytes("app\u00ff\u00ff"));
        assertThat(new String(peer.bytes(2), StandardCharsets.US_ASCII)).isEqualTo("OK");
        server.close();
        peer.expectClosed();
        peer.close();
        assertThat(status().peers()).isZero();
    }

    /// Clients that each send requests one after the other on one connection.
    private static final class Clients {
        final AtomicInteger right = new AtomicInteger();
        final AtomicInteger badGateway = new AtomicInteger();
        final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
        private final List<Thread> threads = new ArrayList<>();

        Clients(Serval server, int number, int rounds) {
            for (int i = 0; i < number; i++) {
                int id = i;
                threads.add(Thread.ofPlatform().daemon().start(() -> ask(server, id, rounds)));
            }
        }

        private void ask(Serval server, int id, int rounds) {
            RawClient client = RawClient.connect(http(server)).patience(Duration.ofSeconds(60));
            try {
                for (int i = 0; i < rounds; i++) {
                    String body = ("client " + id + " round " + i + " ").repeat(60);
                    RawResponse answer = client.exchange(post(body));
                    if (answer.status() == 502) {
                        badGateway.incrementAndGet();
                    } else if (answer.status() == 200 && answer.text().equals(body)) {
                        right.incrementAndGet();
                    } else {
                        wrong.add(answer.status() + " " + answer.text());
                    }
                }
            } catch (RuntimeException | AssertionError e) {
                wrong.add(e.toString());
            } finally {
                client.close();
            }
        }

        boolean areDone() {
            return threads.stream().noneMatch(Thread::isAlive);
        }

        void join() throws InterruptedException {
            for (Thread thread : threads) {
                thread.join(60_000);
                assertThat(thread.isAlive()).as("a client hangs").isFalse();
            }
        }
    }
}
