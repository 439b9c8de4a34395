package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResponseReaderTest {
    private static final String ONE =
            "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n\r\nhello";
    private static final String OTHER_CASE =
            "HTTP/1.1 200 OK\r\ncontent-length:5\r\nX: 1\r\n\r\n\r\n\r\nx";

    @Test
    void readsSeveralResponsesAtOnce() {
        ResponseReader reader = new ResponseReader(5);
        assertThat(reader.read(bytes(ONE + OTHER_CASE + ONE))).isEqualTo(3);
        assertThat(reader.broken()).isFalse();
    }

    @Test
    void readsResponsesCutAtEveryPosition() {
        String both = ONE + OTHER_CASE;
        for (int cut = 0; cut <= both.length(); cut++) {
            ResponseReader reader = new ResponseReader(5);
            int complete = reader.read(bytes(both.substring(0, cut)));
            complete += reader.read(bytes(both.substring(cut)));
            assertThat(complete).as("cut at %d", cut).isEqualTo(2);
        }
    }

    @Test
    void readsResponsesByteByByte() {
        ResponseReader reader = new ResponseReader(5);
        int complete = 0;
        for (String b : (ONE + OTHER_CASE).split("", -1)) {
            complete += reader.read(bytes(b));
        }
        assertThat(complete).isEqualTo(2);
    }

    @Test
    void refusesOtherStatusesAndLengths() {
        assertBroken(ONE.replace("200", "404"));
        assertBroken(ONE.replace("Length: 5", "Length: 4"));
        assertBroken(ONE.replace("Length: 5", "Length: x"));
        assertBroken(ONE.replace("Content-Length: 5", "Transfer-Encoding: chunked"));
        assertBroken("HTTP/1.1 200 OK\r\nX: " + "y".repeat(10_000));
    }

    @Test
    void readsResponsesAfterAReset() {
        ResponseReader reader = new ResponseReader(5);
        reader.read(bytes("HTTP/1.1 500 x\r\n\r\n"));
        reader.reset();
        assertThat(reader.read(bytes(ONE))).isEqualTo(1);
    }

    private static void assertBroken(String response) {
        ResponseReader reader = new ResponseReader(5);
        assertThat(reader.read(bytes(response + ONE))).isZero();
        assertThat(reader.broken()).as(response).isTrue();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }
}
