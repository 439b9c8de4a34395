package dev.serval.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

@EveryMode
final class FailureLogTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @Test
    void writesTenLinesInOneSecondAndCountsTheOthers() {
        List<String> lines = new ArrayList<>();
        FailureLog log = new FailureLog(lines::add);
        for (int i = 0; i < FailureLog.LINES_MAX; i++) {
            assertThat(log.add("line", 5)).isFalse();
        }
        assertThat(log.add("past the limit", 5 + SECOND - 1)).isTrue();
        assertThat(log.add("past the limit", 5 + SECOND - 1)).isFalse();
        assertThat(lines).hasSize(FailureLog.LINES_MAX).containsOnly("line");
        log.tellLeftOut();
        log.tellLeftOut();
        assertThat(lines).last().isEqualTo("2 more requests failed, which were only counted");
        assertThat(log.add("next", 5 + SECOND)).isFalse();
        assertThat(lines).hasSize(FailureLog.LINES_MAX + 2).last().isEqualTo("next");
    }

    @Test
    void escapesAndCutsWhatTheClientHasSent() {
        assertThat(FailureLog.escaped("/a\r\n\u001b[m\u00e9\\?q"))
                .isEqualTo("/a\\x0d\\x0a\\x1b[m\\xe9\\x5c?q");
        assertThat(FailureLog.escaped("a".repeat(256))).hasSize(256);
        assertThat(FailureLog.escaped("a".repeat(257))).hasSize(259).endsWith("a...");
    }

    @Test
    void eachKindOfFailureHasLineWithMountUpstreamRequestAndCause() {
        try (Captured log = new Captured();
                DeadPort dead = DeadPort.open();
                ScriptedPeer silent =
                        ScriptedPeer.playing(new Step.Read(16), new Step.ReadToClose());
                ScriptedPeer broken =
                        ScriptedPeer.playing(
                                new Step.ReadUntil("\r\n\r\n"), Step.Send.of("garbage\r\n\r\n"));
                GatewayServer server =
                        GatewayServer.of(
                                "/dead=fastcgi://127.0.0.1:" + dead.number(),
                                "/late=http://" + place(silent) + "?answer-time=50ms",
                                "/bad=http://" + place(broken))) {
            assertThat(server.get("/dead/x?q=1").status()).isEqualTo(502);
            assertThat(server.get("/late").status()).isEqualTo(504);
            assertThat(server.get("/bad").status()).isEqualTo(502);
            log.awaitLine(
                    "/dead: 502 for GET /dead/x?q=1 from 127.0.0.1:"
                            + dead.number()
                            + ": This server could not connect to it. Check that it runs and listens"
                            + " at this address.");
            log.awaitLine(
                    "/late: 504 for GET /late from "
                            + place(silent)
                            + ": The upstream server did not answer in time. The limit is 50 ms (option answer-time).");
            log.awaitLine(
                    "/bad: 502 for GET /bad from "
                            + place(broken)
                            + ": The upstream server sent a malformed answer: ");
        }
    }

    @Test
    void failuresOfApplicationThatDialsInHaveLines() {
        LrwpSettings settings =
                LrwpSettings.DEFAULT.withPool(
                        LrwpSettings.DEFAULT.pool().with(draft -> draft.queueMax = 1));
        LrwpAgent agent = new LrwpAgent(settings);
        try (Captured log = new Captured();
                GatewayInMemory gateway = new GatewayInMemory(1, agent, agent.handler())) {
            MemoryPeer peer = gateway.registered(0, "app");
            assertThat(answered(gateway, peer, "/app/none", "000000000"))
                    .startsWith("HTTP/1.1 502");
            assertThat(answered(gateway, peer, "/app/head", "000000015Status: abc\r\n\r\n"))
                    .startsWith("HTTP/1.1 502");
            assertThat(answered(gateway, peer, "/app/length", "many")).startsWith("HTTP/1.1 502");
            MemoryPeer next = gateway.registered(0, "app");
            assertThat(answered(gateway, next, "/app/late", "0000")).isEmpty();
            assertThat(answered(gateway, next, "/app/waits", "")).isEmpty();
            assertThat(answered(gateway, next, "/app/full", "")).startsWith("HTTP/1.1 503");
            gateway.pass(Duration.ofSeconds(61));
            MemoryPeer last = gateway.registered(0, "app");
            assertThat(answered(gateway, last, "/app/lost", "000000009A: 1\n\nab"))
                    .startsWith("HTTP/1.1 200");
            assertThat(answered(gateway, last, "/app/gone", "")).isEmpty();
            last.end();
            gateway.run();
            log.awaitLine(
                    "app: 502 for GET /app/none from app: The application sent an empty answer. ");
            log.awaitLine(
                    "app: 502 for GET /app/head from app: The application sent a malformed answer: ");
            log.awaitLine(
                    "app: 502 for GET /app/length from app: The application sent an answer that does");
            log.awaitLine(
                    "/app/late from app: The application did not answer in time. The limit is 60 s.");
            log.awaitLine(
                    "/app/waits from app: No connection became free within 30 s. Let it open more connections.");
            log.awaitLine(
                    "/app/full from app: All its connections are in use, and 1 requests wait already. Let it");
            log.awaitLine(
                    "/app/lost from app: The application closed its connection before its answer was complete."
                            + " The client got a part of it.");
            log.awaitLine(
                    "app: 503 for GET /app/gone from app: The application has no connection to this server.");
        }
    }

    /// The client has its answer, and may have sent another request since.
    @Test
    void restOfARefusedAnswerThatIsLateOrBreaksOffHasNoLine() {
        LrwpAgent agent = new LrwpAgent(LrwpSettings.DEFAULT);
        try (Captured log = new Captured();
                GatewayInMemory gateway = new GatewayInMemory(1, agent, agent.handler())) {
            String malformed = "000000019Status: abc\r\n\r\n";
            for (String target : List.of("/app/late", "/app/broken")) {
                MemoryPeer peer = gateway.registered(0, "app");
                assertThat(answered(gateway, peer, target, malformed)).startsWith("HTTP/1.1 502");
                if (target.equals("/app/broken")) {
                    peer.end();
                }
            }
            gateway.pass(Duration.ofSeconds(61));
            assertThat(agent.status().getFirst().failed())
                    .containsEntry(PeerFault.LATE, 1L)
                    .containsEntry(PeerFault.LOST, 1L);
            MemoryPeer peer = gateway.registered(0, "app");
            assertThat(answered(gateway, peer, "/app/last", malformed)).startsWith("HTTP/1.1 502");
            log.awaitLine("/app/last");
            assertThat(log.lines).filteredOn(line -> line.startsWith("app: ")).hasSize(3);
        }
    }

    /// Has a peer answer a request, and returns what its client gets.
    private static String answered(
            GatewayInMemory gateway, MemoryPeer peer, String target, String answer) {
        MemoryPeer client = gateway.client(0);
        client.send("GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
        gateway.run();
        peer.clear();
        peer.send(answer);
        gateway.run();
        return client.takeText();
    }

    private static String place(ScriptedPeer peer) {
        return "127.0.0.1:" + peer.address().getPort();
    }

    /// The lines of the log while it is open.
    private static final class Captured extends Handler implements AutoCloseable {
        private final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private final Logger logger = Logger.getLogger(ErrorLog.class.getName());

        Captured() {
            logger.addHandler(this);
        }

        void awaitLine(String part) {
            Await.until(
                    "the log has " + part,
                    () -> lines.stream().anyMatch(line -> line.contains(part)));
        }

        @Override
        public void publish(LogRecord message) {
            lines.add(message.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
        }
    }
}
