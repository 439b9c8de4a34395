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
    private static final String ONE =
            "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello";
    private static final String OTHER_CASE =
            "HTTP/1.1 200 OK\r\ncontent-length:5\r\nX: 1\r\n\r\n\r\n\r\nx";
    private static final String DIFFERENT =
            "HTTP/1.1 200 OK\r\nContent-Length: 12\r\nDate: now\r\n\r\nhello\r\n\r\nabc"
                    + "HTTP/1.1 404 Not Found\r\ncontent-length:0\r\n\r\n"
                    + "HTTP/1.1 206 Partial\r\nX: y\r\nCONTENT-LENGTH: 3\r\n\r\nabc";

    private final AnswerReader reader = AnswerReader.keeping();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static int count(AnswerReader reader, String text) throws ProtocolException {
        ByteBuffer in = bytes(text);
        int answers = 0;
        while (reader.take(in)) {
            answers++;
        }
        assertThat(in.hasRemaining()).isFalse();
        return answers;
    }

    private static int count(AnswerReader reader, String text, int piece) throws ProtocolException {
        int answers = 0;
        for (int at = 0; at < text.length(); at += piece) {
            answers += count(reader, text.substring(at, Math.min(text.length(), at + piece)));
        }
        return answers;
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
    void keepsChunkedContent() throws ProtocolException {
        String chunked =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        for (int piece = 1; piece <= 2 * chunked.length(); piece++) {
            assertThat(count(reader, chunked + chunked, piece)).isEqualTo(2);
            assertThat(reader.length()).isEqualTo(5);
            assertThat(reader.hasContent(bytes("abcde").array(), 0, 5)).isTrue();
        }
    }

    @Test
    void tellsWhereAnAnswerSendsItsClient() throws ProtocolException {
        String redirect =
                """
                HTTP/1.1 303 See Other
                Set-Cookie: ID=1; HttpOnly
                Location: /buy
                Content-Length: 0

                """
                        .replace("\n", "\r\n");
        assertThat(reader.take(bytes(redirect))).isTrue();
        assertThat(reader.location()).isEqualTo("/buy");
        assertThat(reader.cookie()).isEqualTo("ID=1");
        assertThat(reader.take(bytes(ONE))).isTrue();
        assertThat(reader.location()).isEmpty();
        assertThat(reader.cookie()).isEmpty();
    }

    @Test
    void refusesAnswersWithoutLength() {
        assertThatThrownBy(() -> reader.take(bytes("HTTP/1.1 200 OK\r\n\r\n")))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("200 OK");
        assertThatThrownBy(() ->
                        AnswerReader.keeping()
                                .take(bytes("what is that\r\nContent-Length: 1\r\n\r\n")))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void countsExpectedAnswersCutAtEveryPosition() throws ProtocolException {
        assertThat(count(AnswerReader.expecting(5), ONE + OTHER_CASE + ONE)).isEqualTo(3);
        String both = ONE + OTHER_CASE;
        for (int cut = 0; cut <= both.length(); cut++) {
            AnswerReader expecting = AnswerReader.expecting(5);
            int complete = count(expecting, both.substring(0, cut));
            complete += count(expecting, both.substring(cut));
            assertThat(complete).as("cut at %d", cut).isEqualTo(2);
        }
        assertThat(count(AnswerReader.expecting(5), both, 1)).isEqualTo(2);
    }

    @Test
    void refusesOtherStatusesAndLengths() {
        assertRefused(ONE.replace("200", "404"));
        assertRefused(ONE.replace("Length: 5", "Length: 4"));
        assertRefused(ONE.replace("Length: 5", "Length: x"));
        assertRefused(ONE.replace("Content-Length: 5", "Transfer-Encoding: chunked"));
        assertRefused("HTTP/1.1 200 OK\r\nX: " + "y".repeat(10_000));
    }

    private static void assertRefused(String answer) {
        assertThatThrownBy(() -> count(AnswerReader.expecting(5), answer + ONE))
                .as(answer)
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void readsAnswersAfterAReset() throws ProtocolException {
        AnswerReader expecting = AnswerReader.expecting(5);
        assertThatThrownBy(() -> count(expecting, "HTTP/1.1 500 x\r\n\r\n"))
                .isInstanceOf(ProtocolException.class);
        expecting.reset();
        assertThat(count(expecting, ONE)).isEqualTo(1);
    }

    @Test
    void countsDifferentAnswersInPiecesOfAnyLength() throws ProtocolException {
        for (int piece = 1; piece <= DIFFERENT.length(); piece++) {
            assertThat(count(AnswerReader.dropping(), DIFFERENT, piece))
                    .as("pieces of %d", piece)
                    .isEqualTo(3);
        }
    }

    @Test
    void doesNotCountATruncatedAnswer() throws ProtocolException {
        String truncated = DIFFERENT.substring(0, DIFFERENT.length() - 1);
        assertThat(count(AnswerReader.dropping(), truncated)).isEqualTo(2);
    }

    @Test
    void dropsAChunkedContent() throws ProtocolException {
        String chunked =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
        AnswerReader dropping = AnswerReader.dropping();
        assertThat(count(dropping, chunked + ONE + chunked)).isEqualTo(3);
        for (int piece = 1; piece < chunked.length(); piece++) {
            assertThat(count(dropping, chunked, piece)).as("pieces of %d", piece).isEqualTo(1);
            assertThat(dropping.length()).isEqualTo(5);
        }
    }

    @Test
    void tellsTheCookieAndTheCloseOfAnAnswer() throws ProtocolException {
        AnswerReader keeping = AnswerReader.keeping();
        keeping.take(
                bytes("HTTP/1.1 200 OK\r\nset-cookie:  a=1; Path=/\r\nContent-Length: 0\r\n\r\n"));
        assertThat(keeping.cookie()).isEqualTo("a=1");
        assertThat(keeping.closes()).isFalse();
        keeping.take(
                bytes(
                        """
                        HTTP/1.1 200 OK\r
                        Content-Length: 0\r
                        Set-Cookie: b=2\r
                        Set-Cookie: c=3\r
                        Connection: close\r
                        \r
                        """));
        assertThat(keeping.cookie()).isEqualTo("b=2");
        assertThat(keeping.closes()).isTrue();
        keeping.take(bytes("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        assertThat(keeping.cookie()).isEmpty();
    }
}
