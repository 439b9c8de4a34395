package dev.serval.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.gateway.neighbour.GatewayServer;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import dev.serval.testkit.mode.EveryMode;
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
