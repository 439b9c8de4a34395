package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.handler.Sink;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.loop.Deadline;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks that a client that still sends can read the answer that ends its connection
/// (RFC 9112 §9.6).
final class LingerTest {
    private static final String BAD = "GET / HTTP/1.1\r\nHost : a\r\n\r\n";

    @Test
    void clientReadsItsAnswerWhileItSends() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send(BAD);
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 400 ");
            assertThat(client.sawEnd()).isTrue();
            for (int i = 0; i < 10; i++) {
                client.send("x".repeat(10_000));
                server.run();
                assertThat(client.unread()).isZero();
                assertThat(client.isClosed()).isFalse();
            }
            client.end();
            server.run();
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
        }
    }

    @Test
    void lingerEndsAfterItsTime() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            server.pass(Duration.ofMillis(1900));
            assertThat(client.isClosed()).isFalse();
            client.send("x");
            server.pass(Duration.ofMillis(200));
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
        }
    }

    @Test
    void lingerIsTimedFromTheSentAnswer() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(BAD);
            server.pass(Duration.ofSeconds(4));
            assertThat(client.isClosed()).isFalse();
            client.window(Long.MAX_VALUE);
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 400 ");
            server.pass(Duration.ofMillis(1900));
            assertThat(client.isClosed()).isFalse();
            server.pass(Duration.ofMillis(200));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void lingerReadsALimitedNumberOfBytes() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            byte[] mebibyte = new byte[1 << 20];
            int sent = 0;
            while (!client.isClosed() && sent < 100) {
                client.send(mebibyte);
                server.run();
                sent++;
            }
            assertThat(sent).isBetween(26, 28); // 16 MiB and the largest content allowed
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5000})
    void lingerReadsExactlyItsLimit(int mayTake) {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.content.maxBytes = 10;
                    draft.content.lingerMaxBytes = mayTake;
                });
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), limits)) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            client.send(new byte[10 + mayTake]);
            server.run();
            assertThat(client.isClosed()).isFalse();
            client.send("x");
            server.run();
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void lingersWithoutALimitOfTheContent() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = Long.MAX_VALUE);
        try (MemoryServer server = MemoryServer.of(Answers.greeting(), limits)) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            client.send("x");
            server.run();
            assertThat(client.isClosed()).isFalse();
        }
    }

    @Test
    void closesAtOnceIfContentThatItWouldDropNeverComes() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = MemoryServer.of(Answers.holding(held))) {
            MemoryPeer client = server.connect();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n");
            server.run();
            Sink response = held.getFirst().response();
            response.head(new ResponseHead(Status.OK, Fields.EMPTY, 0)); // the connection stays
            client.end();
            server.run();
            response.end(Fields.EMPTY);
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void earlierContentDoesNotCount() {
        try (MemoryServer server = MemoryServer.of(Answers.counting(new ArrayList<>()))) {
            MemoryPeer client = server.connect();
            for (int i = 0; i < 4; i++) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n");
                client.send(new byte[10_000_000]);
                server.run();
            }
            client.clear();
            server.ask(client, BAD);
            client.send(new byte[100_000]);
            server.run();
            assertThat(client.isClosed()).isFalse();
        }
    }

    @Test
    void closesAtOnceIfTheClientHasEnded() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            client.send("GET / HTTP/1.1\r\nHost");
            client.end();
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 400 ");
            assertThat(client.isClosed()).isTrue();
            assertThat(client.sawReset()).isFalse();
        }
    }

    /// Many clients read the answer only after they have sent all.
    @Test
    void goesOnWhileTheClientSendsAtAGoodPace() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            for (int second = 0; second < 20; second++) {
                client.send(new byte[40_000]);
                server.pass(Duration.ofSeconds(1));
                assertThat(client.isClosed()).isFalse();
            }
            server.pass(Duration.ofSeconds(3));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void endsAfterHalfAMinute() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            int seconds = 0;
            while (!client.isClosed() && seconds < 100) {
                client.send(new byte[40_000]);
                server.pass(Duration.ofSeconds(1));
                seconds++;
            }
            assertThat(seconds).isBetween(30, 33);
        }
    }

    @Test
    void endsInTimeDuringADrain() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            server.drain();
            client.send(new byte[1_000_000]);
            server.pass(Duration.ofMillis(2100));
            assertThat(client.isClosed()).isTrue();
        }
    }

    /// What comes after the last look does not prolong it.
    @Test
    void byteThatComesJustBeforeTheEndIsNoRequest() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            MemoryPeer client = server.connect();
            server.ask(client, BAD);
            server.pass(Duration.ofMillis(1900));
            Deadline late = new Deadline(() -> client.send("x"));
            server.net().loop().timers().set(late, server.now() + 50_000_000);
            server.advance(200_000_000);
            server.run();
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void bytesOfEarlierRequestsDoNotProlongIt() {
        try (MemoryServer server = MemoryServer.of(Answers.counting(new ArrayList<>()))) {
            MemoryPeer client = server.connect();
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
            client.send(new byte[1_000_000]);
            server.run();
            server.ask(client, BAD);
            server.pass(Duration.ofMillis(2100));
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void refusedHeadCountsAsReceived() {
        try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
            server.ask(server.connect(), BAD);
            assertThat(server.lastReceived()).isEqualTo(BAD.length());
        }
    }
}
