package dev.serval.soak.whole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SteadyClientTest {
    private static final Ask ASK =
            Ask.get("file", "/a", "", 200, "right".getBytes(StandardCharsets.US_ASCII))
                    .with("X: 1");

    /// Runs a client for one connection against a server with this answer.
    private static Tally.Taken seen(String answer) throws Exception {
        Tally tally = new Tally();
        AtomicInteger left = new AtomicInteger(1);
        try (ScriptedPeer server =
                ScriptedPeer.playing(new Step.ReadUntil("\r\n\r\n"), Step.Send.of(answer))) {
            new SteadyClient(
                            server.address().getPort(),
                            () -> ASK,
                            tally,
                            new SplittableRandom(1),
                            1,
                            () -> left.getAndDecrement() > 0)
                    .run();
        }
        return tally.take();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 5\r\n\r\nright",
                "HTTP/1.1 200 OK\r\nX: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nright\r\n0\r\n\r\n"
            })
    void countsARightAnswer(String answer) throws Exception {
        Tally.Taken seen = seen(answer);
        assertThat(seen.requests()).isOne();
        assertThat(seen.wrong() + seen.refused()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 5\r\n\r\nwrong",
                "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 6\r\n\r\nright!",
                "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 5\r\n\r\nrig",
                "HTTP/1.1 200 OK\r\nX: 2\r\nContent-Length: 5\r\n\r\nright",
                "HTTP/1.1 206 OK\r\nX: 1\r\nContent-Length: 5\r\n\r\nright",
                "HTTP/1.1 200 OK\r\nX: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nright\r\n",
                "HTTP/1.1 200 OK\r\nX: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwrong\r\n0\r\n\r\n",
                "no HTTP\r\n\r\n",
                ""
            })
    void countsAWrongAnswer(String answer) throws Exception {
        Tally.Taken seen = seen(answer);
        assertThat(seen.requests()).isZero();
        assertThat(seen.wrong()).isOne();
    }

    @Test
    void counts503Apart() throws Exception {
        Tally.Taken seen = seen("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n");
        assertThat(seen.refused()).isOne();
        assertThat(seen.requests() + seen.wrong()).isZero();
    }
}
