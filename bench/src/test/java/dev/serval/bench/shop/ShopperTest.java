package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.load.Fate;
import dev.serval.bench.peer.Protocol;
import dev.serval.bench.scenario.ShopCell;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A server that closes connections instead of an answer, but the home page it has.
@Timeout(60)
final class ShopperTest {
    private static final String HOME =
            "<h1>Books for curious people</h1><a href=\"/book?id=1\">x</a>"
                    + "<span class=\"title\">Garden</span><span class=\"author\">Moss</span>"
                    + "<a href=\"/new?subject=Crime\">Crime</a></html>";

    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final AtomicInteger closed = new AtomicInteger();
    private volatile int answersPerConnection = 1;

    ShopperTest() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    @AfterEach
    void stop() throws IOException {
        listening.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            return; // the test is over
        }
    }

    /// Answers some requests, and closes the connection after it has read the next one.
    private void serve(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(
                                        socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
            for (int left = answersPerConnection; reads(in); left--) {
                if (left == 0) {
                    closed.incrementAndGet();
                    return;
                }
                String answer =
                        "HTTP/1.1 200 OK\r\nContent-Length: " + HOME.length() + "\r\n\r\n" + HOME;
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException e) {
            return; // the client has left
        }
    }

    private static boolean reads(BufferedReader in) throws IOException {
        String line = in.readLine();
        while (line != null && !line.isEmpty()) {
            line = in.readLine();
        }
        return line != null;
    }

    /// Returns the tally of one user whose sessions are so short that all pages are home pages.
    private ShopTally load(double sessionSeconds) throws IOException {
        ShopHabits habits = new ShopHabits(0.005, 0.01, sessionSeconds, 1, 30);
        ShopChain chain = ShopChain.of(ShopCell.Mix.BROWSING);
        int port = listening.getLocalPort();
        try (ShopLoad load = new ShopLoad(Protocol.HTTP, port, chain, habits, 10, "newcomer")) {
            load.settle(1, 0);
            return load.measure(1);
        }
    }

    /// Every second request of a session is sent twice. Its page may be a wrong one, but comes.
    @Test
    void requestOnAKeptConnectionIsSentOnceMore() throws IOException {
        ShopTally tally = load(100);
        assertThat(tally.ended()).isPositive();
        assertThat(closed.get()).isPositive();
        assertThat(tally.count(Fate.RESET)).isZero();
        assertThat(tally.count(Interaction.HOME)).isPositive();
    }

    @Test
    void requestOnANewConnectionIsNot() throws IOException {
        answersPerConnection = 0;
        ShopTally tally = load(100);
        assertThat(tally.ended()).isPositive().isEqualTo(tally.count(Fate.RESET));
        assertThat(tally.firstFault()).isEqualTo("home: reset, /home");
    }

    @Test
    void endedSessionClosesItsConnection() throws IOException {
        ShopTally tally = load(0.0001);
        assertThat(tally.ended()).isPositive().isEqualTo(tally.count(Interaction.HOME));
        assertThat(closed.get()).isZero();
    }
}
