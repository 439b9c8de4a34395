package dev.serval.bench.flood;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class AnswerCountTest {
    private static final byte[] ANSWERS =
            ("HTTP/1.1 200 OK\r\nContent-Length: 12\r\nDate: now\r\n\r\nhello\r\n\r\nabc"
                            + "HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n"
                            + "HTTP/1.1 206 Partial\r\nX: y\r\nCONTENT-LENGTH: 3\r\n\r\nabc")
                    .getBytes(StandardCharsets.ISO_8859_1);

    @Test
    void countsAnswersCutIntoPiecesOfAnyLength() {
        for (int piece = 1; piece <= ANSWERS.length; piece++) {
            AnswerCount count = new AnswerCount();
            int answers = 0;
            for (int at = 0; at < ANSWERS.length; at += piece) {
                int length = Math.min(piece, ANSWERS.length - at);
                answers += count.read(ByteBuffer.wrap(ANSWERS, at, length));
            }
            assertThat(answers).as("pieces of " + piece).isEqualTo(3);
        }
    }

    @Test
    void doesNotCountATruncatedAnswer() {
        AnswerCount count = new AnswerCount();
        assertThat(count.read(ByteBuffer.wrap(ANSWERS, 0, ANSWERS.length - 1))).isEqualTo(2);
    }
}
