package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunksTest {
    private static final String CONTENT =
            "5\r\nhello\r\n1A;name=value\r\n" + "x".repeat(26) + "\r\n0\r\nTrailer: x\r\n\r\n";

    private final Chunks chunks = new Chunks(null);

    private boolean take(String text) throws ProtocolException {
        ByteBuffer in = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        boolean complete = chunks.take(in);
        assertThat(in.hasRemaining()).isFalse();
        return complete;
    }

    @Test
    void countsTheContentInPiecesOfAnyLength() throws ProtocolException {
        for (int piece = 1; piece <= CONTENT.length(); piece++) {
            chunks.reset();
            for (int at = 0; at < CONTENT.length(); at += piece) {
                int end = Math.min(CONTENT.length(), at + piece);
                assertThat(take(CONTENT.substring(at, end)))
                        .as("%d of pieces of %d", end, piece)
                        .isEqualTo(end == CONTENT.length());
            }
            assertThat(chunks.length()).isEqualTo(31);
        }
    }

    @Test
    void leavesTheBytesAfterTheContent() throws ProtocolException {
        ByteBuffer in = ByteBuffer.wrap("0\r\n\r\nHTTP".getBytes(StandardCharsets.US_ASCII));
        assertThat(chunks.take(in)).isTrue();
        assertThat(in.remaining()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"x\r\n", "\r\n", "5\r\nhellox", "fffffffff\r\n", "-1\r\n", "3\nabc\r\n"})
    void refusesWhatIsNotChunked(String text) {
        assertThatThrownBy(() -> take(text)).isInstanceOf(ProtocolException.class);
    }
}
