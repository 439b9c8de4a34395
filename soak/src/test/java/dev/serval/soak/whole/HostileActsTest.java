package dev.serval.soak.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.client.HttpConnection;
import dev.serval.soak.whole.HostileKind.WrongAnswer;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a hostile client takes for right and for wrong.
final class HostileActsTest {
    @TempDir private Path root;

    @BeforeEach
    void writeFiles() throws Exception {
        for (int i = 0; i < 4; i++) {
            Files.writeString(root.resolve("good-" + i), "content " + i);
        }
        Files.write(root.resolve("flood-8m"), new byte[100_000]);
    }

    private String act(HostileKind kind, String answer) throws Exception {
        try (ScriptedPeer server =
                ScriptedPeer.playing(new Step.ReadOnce(), Step.Send.of(answer))) {
            return kind.act(
                    new HostileActs(
                            server.address().getPort(), new Asks(root), new SplittableRandom(7)));
        }
    }

    @Test
    void aRefusalIsRight() throws Exception {
        String refused = "HTTP/1.1 400 No\r\nConnection: close\r\nContent-Length: 1\r\n\r\n!";
        assertThat(act(HostileKind.MALFORMED, refused)).isEqualTo("400");
        assertThat(act(HostileKind.GARBAGE, refused)).isEqualTo("400");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n!",
                "HTTP/1.1 400 No\r\nContent-Length: 1\r\n\r\n!HTTP/1.1 200 OK\r\n\r\n"
            })
    void anAnswerOrASecondOneIsWrong(String answer) {
        assertThatThrownBy(() -> act(HostileKind.MALFORMED, answer))
                .isInstanceOf(WrongAnswer.class);
    }

    @Test
    void aBrokenUpstreamIsAFaultOfTheGatewayOrACutAnswer() throws Exception {
        HostileKind kind = HostileKind.BROKEN_UPSTREAM;
        assertThat(act(kind, "HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")).isEqualTo("502");
        assertThat(act(kind, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut")).isEqualTo("cut");
        assertThatThrownBy(() -> act(kind, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nall"))
                .isInstanceOf(WrongAnswer.class)
                .hasMessageContaining("looks complete");
    }

    @Test
    void aHalfClosedConnectionNeedsItsAnswer() {
        assertThatThrownBy(() ->
                        act(
                                HostileKind.HALF_CLOSE,
                                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother"))
                .isInstanceOf(WrongAnswer.class);
    }

    @Test
    void malformedRequestsDiffer() {
        SplittableRandom random = new SplittableRandom(3);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            seen.add(new String(Malformed.next(random), StandardCharsets.ISO_8859_1));
        }
        assertThat(seen).hasSizeGreaterThan(400);
    }

    @ParameterizedTest
    @EnumSource(Misdeed.class)
    void everyMisdeedIsSent(Misdeed misdeed) throws Exception {
        try (ScriptedUpstream upstream = ScriptedUpstream.open();
                HttpConnection connection = HttpConnection.to(upstream.port(), 20_000)) {
            connection.send("GET /broken/" + misdeed + " HTTP/1.1\r\nHost: a\r\n\r\n");
            byte[] sent = misdeed.text().getBytes(StandardCharsets.ISO_8859_1);
            byte[] read = new byte[sent.length];
            for (int at = 0; at < read.length; ) {
                at += connection.read(read, at, read.length - at);
            }
            assertThat(read).isEqualTo(sent);
        }
    }
}
