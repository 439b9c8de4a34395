package dev.serval.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.Await;
import dev.serval.testkit.ChildJvm;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What floods of slow clients and of slow servlets leave to others, on a server with one loop and
/// 256 MB of heap in a separate JVM.
@Tag("long")
@Timeout(240)
final class FloodsTest {
    private static final int ROUNDS = 2;
    private static final int GOOD_REQUESTS = 20;
    static final String NOTHING =
            "inside 0, connections 0, workers 0, accepted and not closed 0, held bytes 0";

    @TempDir private Path folder;

    /// A flood: many clients, each with a request that does not end.
    enum Flood {
        HALF_SENT_POSTS(
                400,
                400,
                0,
                "POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nhalf",
                "read 1000"),
        UNREAD_ANSWERS(220, 3, 4096, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", "large---"),
        SLEEPING_SERVLETS(400, 400, 0, "GET /sleep HTTP/1.1\r\nHost: a\r\n\r\n", "slept"),
        SPINNING_SERVLETS(16, 16, 0, "GET /spin HTTP/1.1\r\nHost: a\r\n\r\n", "spun");

        private final int clients;
        private final int readers; // the clients that read their answers at the end
        private final int receiveBytes;
        private final String request;
        private final String answer;

        Flood(int clients, int readers, int receiveBytes, String request, String answer) {
            this.clients = clients;
            this.readers = readers;
            this.receiveBytes = receiveBytes;
            this.request = request;
            this.answer = answer;
        }

        /// Opens all clients.
        List<RawClient> open(InetSocketAddress server) {
            List<RawClient> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(RawClient.connect(server, receiveBytes).send(request));
            }
            return all;
        }

        /// Lets the request of a client end, and checks its answer. The gate is open.
        void end(RawClient client) {
            if (this == HALF_SENT_POSTS) {
                client.send("x".repeat(996));
            }
            String text = client.answer().text();
            assertThat(text).startsWith(answer);
            assertThat(text.length())
                    .isEqualTo(
                            this == UNREAD_ANSWERS ? FloodedServer.LARGE_BYTES : answer.length());
        }
    }

    /// The second round needs the permits of the first one, because the limit is only a little
    /// above the number of clients.
    @ParameterizedTest
    @EnumSource
    void othersAreAnsweredAndNothingIsLeft(Flood flood) throws IOException {
        try (ChildJvm child = server(flood.clients + 8, 0)) {
            InetSocketAddress address = address(child);
            for (int i = 0; i < ROUNDS; i++) {
                List<RawClient> clients = flood.open(address);
                Await.until(
                        "every client's request is in its servlet",
                        () -> child.ask("inside").equals(String.valueOf(flood.clients)));
                assertOthersAreAnswered(address, RawClient.connect(address));
                assertThat(child.ask("inside")).isEqualTo(String.valueOf(flood.clients));
                child.ask("open");
                clients.subList(0, flood.readers).forEach(flood::end);
                clients.forEach(RawClient::close);
                Await.until("nothing is left", () -> child.ask("left").equals(NOTHING));
            }
        } finally {
            System.out.print(Files.readString(folder.resolve("errors")));
        }
    }

    /// The control: if each request keeps a thread of a pool, as in other containers, the same
    /// floods stop all other servlets.
    @ParameterizedTest
    @EnumSource
    void othersWaitIfEachRequestKeepsAThread(Flood flood) throws IOException {
        int threads = flood.clients / 2;
        try (ChildJvm child = server(2 * flood.clients, threads)) {
            InetSocketAddress address = address(child);
            List<RawClient> clients = flood.open(address);
            Await.until(
                    "every thread has a request",
                    () -> child.ask("inside").equals(String.valueOf(threads)));
            RawClient other = RawClient.connect(address).patience(Duration.ofSeconds(1));
            assertThatThrownBy(() -> assertOthersAreAnswered(address, other))
                    .isInstanceOf(AssertionError.class);
            clients.forEach(RawClient::close);
        }
    }

    /// Asks for a servlet on a connection that stays open, and for a file on new ones.
    static void assertOthersAreAnswered(InetSocketAddress address, RawClient kept) {
        int answered = 0;
        for (int i = 0; i < GOOD_REQUESTS; i++) {
            assertThat(kept.exchange("GET /quick HTTP/1.1\r\nHost: a\r\n\r\n").text())
                    .isEqualTo("quick");
            assertThat(RawClient.get(address, "/file.txt").text()).isEqualTo("file");
            answered += 2;
        }
        kept.close();
        assertThat(answered).isEqualTo(2 * GOOD_REQUESTS);
    }

    private ChildJvm server(int exchangesMax, int threads) throws IOException {
        return ChildJvm.start(
                ChildJvm.command(
                        List.of("-Xmx256m"),
                        FloodedServer.class,
                        folder.toString(),
                        String.valueOf(exchangesMax),
                        String.valueOf(threads)),
                folder.resolve("errors"));
    }

    static InetSocketAddress address(ChildJvm child) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(child.answer()));
    }
}
