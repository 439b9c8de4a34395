package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class AnswerReaderTest {
    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde"
                    + "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";

    private final AnswerReader reader = new AnswerReader();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void readsAnswersInPiecesOfAnyLength() throws ProtocolException {
        for (int piece = 1; piece <= ANSWER.length(); piece++) {
            StringBuilder seen = new StringBuilder();
            for (int at = 0; at < ANSWER.length(); at += piece) {
                ByteBuffer in = bytes(ANSWER.substring(at, Math.min(ANSWER.length(), at + piece)));
                while (in.hasRemaining()) {
                    if (reader.take(in)) {
                        seen.append(reader.status())
                                .append(' ')
                                .append(reader.length())
                                .append(' ');
                    }
                }
            }
            assertThat(seen.toString()).as("pieces of %d", piece).isEqualTo("200 5 404 0 ");
        }
    }

    @Test
    void comparesTheContent() throws ProtocolException {
        assertThat(reader.take(bytes("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nxyz"))).isTrue();
        byte[] other = {'-', 'x', 'y', 'z', '-'};
        assertThat(reader.hasContent(other, 1, 4)).isTrue();
        assertThat(reader.hasContent(other, 0, 3)).isFalse();
        assertThat(reader.hasContent(other, 1, 5)).isFalse();
    }

    @Test
    void refusesAnswersWithoutLength() {
        assertThatThrownBy(() -> reader.take(bytes("HTTP/1.1 200 OK\r\n\r\n")))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("200 OK");
        assertThatThrownBy(() ->
                        new AnswerReader().take(bytes("what is that\r\nContent-Length: 1\r\n\r\n")))
                .isInstanceOf(ProtocolException.class);
    }
}
