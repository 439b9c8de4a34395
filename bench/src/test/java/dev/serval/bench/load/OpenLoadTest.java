package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Serval;
import dev.serval.bench.peer.Site;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class OpenLoadTest {
    private static final byte[] PAGE = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final OpenLoad.Terms TERMS =
            new OpenLoad.Terms(4, 30 * SECOND_NANOS, 30 * SECOND_NANOS, 1000);

    private static Client.Target target(int port) {
        return new Client.Target(port, new Site.Page("/", PAGE.length, Site.digest(PAGE)));
    }

    private static Serval serving(Handler handler) throws IOException {
        return Serval.builder().listen(0).loops(1).mount("/", handler).start();
    }

    private static int port(Serval server) {
        return ((InetSocketAddress) server.addresses().getFirst()).getPort();
    }

    private static void answer(Exchange x, Status status) {
        x.response().send(new ResponseHead(status, Fields.EMPTY, PAGE.length), Body.Bytes.of(PAGE));
    }

    private static Fates offered(int port, OpenLoad.Terms terms, Offer offer) throws IOException {
        try (OpenLoad load = OpenLoad.on(target(port), terms)) {
            return load.run(offer);
        }
    }

    @Test
    void everyPlannedRequestIsAnsweredOnAConnectionOfItsOwn() throws IOException {
        Set<String> clients = ConcurrentHashMap.newKeySet();
        Set<String> connections = ConcurrentHashMap.newKeySet();
        AtomicInteger requests = new AtomicInteger();
        try (Serval server =
                serving(x -> {
                    InetSocketAddress peer = (InetSocketAddress) x.connection().peer();
                    clients.add(peer.getAddress().getHostAddress());
                    connections.add(peer.toString());
                    requests.incrementAndGet();
                    answer(x, Status.OK);
                })) {
            Fates fates = offered(port(server), TERMS, Offer.open(200, 0.5));
            assertThat(fates.all()).isBetween(50L, 150L); // a fixed seed: the same in every run
            assertThat(fates.count(Fate.RIGHT)).isEqualTo(fates.all());
            assertThat(fates.goodput()).isEqualTo(fates.all() / 0.5);
            assertThat(requests.get()).isEqualTo((int) fates.all());
            assertThat(connections).hasSize((int) fates.all());
            assertThat(clients)
                    .containsExactlyInAnyOrder("127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5");
        }
    }

    private static final OpenLoad.Terms PATIENT =
            new OpenLoad.Terms(1, 30 * SECOND_NANOS, 30 * SECOND_NANOS, 1000);

    @Test
    void keptConnectionsAreUsedAgain() throws IOException {
        Set<String> connections = ConcurrentHashMap.newKeySet();
        AtomicInteger requests = new AtomicInteger();
        try (Serval server =
                        serving(x -> {
                            connections.add(String.valueOf(x.connection().peer()));
                            requests.incrementAndGet();
                            answer(x, Status.OK);
                        });
                OpenLoad load = OpenLoad.keeping(target(port(server)), PATIENT)) {
            Fates users = load.run(Offer.closed(3, 0.3));
            assertThat(users.count(Fate.RIGHT)).isEqualTo(users.all()).isGreaterThan(3);
            assertThat(connections).hasSize(3);
            Fates open = load.run(Offer.open(200, 0.5));
            assertThat(open.count(Fate.RIGHT)).isEqualTo(open.all()).isPositive();
            assertThat(requests.get()).isEqualTo((int) (users.all() + open.all()));
            assertThat(connections.size()).isLessThan((int) open.all());
        }
    }

    @Test
    void connectionThatTheServerHasClosedIsReplaced() throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\nHello, World!";
        Semaphore closed = new Semaphore(0);
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                OpenLoad load = OpenLoad.keeping(target(server.getLocalPort()), PATIENT)) {
            for (int i = 0; i < 3; i++) {
                Thread.ofVirtual()
                        .start(() -> {
                            try (Socket accepted = server.accept()) {
                                accepted.getInputStream().readNBytes(20);
                                accepted.getInputStream()
                                        .skip(accepted.getInputStream().available());
                                accepted.getOutputStream()
                                        .write(answer.getBytes(StandardCharsets.US_ASCII));
                            } catch (IOException e) {
                                return; // the request fails, and so does the test
                            } finally {
                                closed.release();
                            }
                        });
                Fates fates = new Fates(Offer.open(1, 1), SECOND_NANOS);
                load.send(fates, System.nanoTime(), 0);
                while (fates.all() == 0) {
                    load.engine().turn(100);
                }
                assertThat(fates.count(Fate.RIGHT)).isEqualTo(1);
                closed.acquire();
                load.engine().turn(100); // sees the close
            }
        }
    }

    @Test
    void connectionThatTheServerWillCloseIsNotUsedAgain() throws IOException {
        String answer =
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 13\r\n\r\nHello, World!";
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                OpenLoad load = OpenLoad.keeping(target(server.getLocalPort()), PATIENT)) {
            Fates fates = new Fates(Offer.open(1, 1), SECOND_NANOS);
            for (int i = 1; i <= 2; i++) {
                Thread.ofVirtual().start(() -> answerOnce(server, answer));
                load.send(fates, System.nanoTime(), 0);
                while (fates.all() < i) {
                    load.engine().turn(100);
                }
            }
            assertThat(fates.count(Fate.RIGHT)).isEqualTo(2);
        }
    }

    /// Answers one request, and closes after the client has, or at its next request.
    private static void answerOnce(ServerSocket server, String answer) {
        try (Socket accepted = server.accept();
                Scanner in = new Scanner(accepted.getInputStream(), StandardCharsets.US_ASCII)) {
            in.useDelimiter("\r\n\r\n").next();
            accepted.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            assertThat(in.hasNext()).as("uses the connection again").isFalse();
        } catch (IOException e) {
            return; // the client is gone
        }
    }

    /// A request that is sent five seconds late is five seconds old when its answer comes.
    @Test
    void latencyBeginsAtThePlannedInstant() throws IOException {
        try (Serval server = serving(x -> answer(x, Status.OK));
                OpenLoad load = OpenLoad.on(target(port(server)), TERMS)) {
            Fates fates = new Fates(Offer.open(1, 1), 4 * SECOND_NANOS);
            load.send(fates, System.nanoTime() - 6 * SECOND_NANOS, SECOND_NANOS);
            while (fates.all() == 0) {
                load.engine().turn(100);
            }
            assertThat(fates.count(Fate.RIGHT)).isEqualTo(1);
            assertThat(fates.rightMillis(100)).isGreaterThan(4990);
            assertThat(fates.goodput()).isZero();
            assertThat(fates.isOfTheGenerator()).isTrue();
        }
    }

    @Test
    void usersWaitForTheirAnswers() throws IOException {
        AtomicInteger present = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Serval server =
                serving(x -> {
                    most.accumulateAndGet(present.incrementAndGet(), Math::max);
                    answer(x, Status.OK);
                    present.decrementAndGet();
                })) {
            Fates fates = offered(port(server), TERMS, Offer.closed(3, 0.3));
            assertThat(fates.count(Fate.RIGHT)).isEqualTo(fates.all()).isGreaterThan(3);
            assertThat(most.get()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void countsEachWayInWhichRequestsEnd() throws IOException {
        AtomicInteger number = new AtomicInteger();
        try (Serval server =
                serving(x -> {
                    switch (number.getAndIncrement() % 4) {
                        case 0 -> answer(x, Status.SERVICE_UNAVAILABLE);
                        case 1 -> answer(x, Status.TOO_MANY_REQUESTS);
                        case 2 ->
                                x.response()
                                        .send(
                                                new ResponseHead(Status.OK, Fields.EMPTY, 1),
                                                Body.Bytes.of(new byte[1]));
                        default -> {
                            x.response()
                                    .head(new ResponseHead(Status.OK, Fields.EMPTY, PAGE.length));
                            x.response().abort(Fault.PEER_GONE);
                        }
                    }
                })) {
            Fates fates = offered(port(server), TERMS, Offer.open(200, 0.5));
            long quarter = fates.all() / 4;
            for (Fate fate : Set.of(Fate.UNAVAILABLE, Fate.TOO_MANY, Fate.WRONG, Fate.RESET)) {
                assertThat(fates.count(fate)).as(fate.word()).isBetween(quarter, quarter + 1);
            }
            assertThat(fates.goodput()).isZero();
            assertThat(fates.refusedMillis(99)).isPositive();
            assertThat(fates.rightMillis(99)).isNaN();
        }
    }

    @Test
    void clientGoesAwayAfterItsPatience() throws IOException {
        OpenLoad.Terms terms = new OpenLoad.Terms(1, 1_000_000, 200_000_000, 1000);
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Fates fates = offered(silent.getLocalPort(), terms, Offer.open(50, 0.3));
            assertThat(fates.count(Fate.TIMEOUT)).isEqualTo(fates.all()).isPositive();
            for (long i = 0; i < fates.all(); i++) {
                try (Socket accepted = silent.accept()) {
                    assertThat(accepted.getRemoteSocketAddress()).isNotNull();
                }
            }
        }
    }

    @Test
    void refusedConnectionIsARefusal() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        Fates fates = offered(port, TERMS, Offer.open(100, 0.2));
        assertThat(fates.count(Fate.REFUSED)).isEqualTo(fates.all()).isPositive();
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void usersWhoseRequestsEndAtOnceEndWithTheirOffer() throws IOException {
        OpenLoad.Terms terms = new OpenLoad.Terms(1, 1_000_000, 300_000_000, 2);
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Fates fates = offered(silent.getLocalPort(), terms, Offer.closed(3, 0.1));
            assertThat(fates.count(Fate.NOT_SENT)).isPositive();
            assertThat(fates.count(Fate.TIMEOUT))
                    .isEqualTo(fates.all() - fates.count(Fate.NOT_SENT));
        }
    }

    @Test
    void requestsThatCannotBeSentAreTheGenerators() throws IOException {
        OpenLoad.Terms terms = new OpenLoad.Terms(1, 1_000_000, 300_000_000, 2);
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            Fates fates = offered(silent.getLocalPort(), terms, Offer.open(100, 0.2));
            assertThat(fates.count(Fate.TIMEOUT)).isEqualTo(2);
            assertThat(fates.count(Fate.NOT_SENT)).isEqualTo(fates.all() - 2).isPositive();
            assertThat(fates.isOfTheGenerator()).isTrue();
        }
    }
}
