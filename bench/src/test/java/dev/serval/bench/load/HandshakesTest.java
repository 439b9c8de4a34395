package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import org.junit.jupiter.api.Test;

class HandshakesTest {
    private static final String OUTPUT =
            """
            Collecting connection statistics for 1 seconds
            %s

            844 connections in 0.44s; 1918.18 connections/user sec, bytes read 3656208
            844 connections in 2 real seconds, 4332 bytes read per connection
            """;

    @Test
    void countsHandshakesOfTheWantedKind() {
        assertThat(Handshakes.parse(OUTPUT.formatted("***"), false, 4096)).isEqualTo(844);
        assertThat(Handshakes.parse(OUTPUT.formatted("rrr"), true, 4096)).isEqualTo(844);
    }

    @Test
    void refusesHandshakesOfTheOtherKindAndShortAnswers() {
        assertThatThrownBy(() -> Handshakes.parse(OUTPUT.formatted("rr*"), true, 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("the server resumed no session");
        assertThatThrownBy(() -> Handshakes.parse(OUTPUT.formatted("**r"), false, 1))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("the server resumed a session");
        assertThatThrownBy(() -> Handshakes.parse(OUTPUT.formatted("*"), false, 4333))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("an answer is shorter than 4333 bytes");
        assertThatThrownBy(() -> Handshakes.parse("Connection refused\n", false, 1))
                .hasMessage("openssl s_time failed: Connection refused");
    }
}
