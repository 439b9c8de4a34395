package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ResponseEncoderTest {
    private static final byte[] DATE = new DateLine().at(784111777);
    private static final String DATE_TEXT = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";

    private final ResponseEncoder encoder = new ResponseEncoder();

    @Test
    void writesAHeadWithItsLength() {
        assertThat(head(ok(1234), Framing.LENGTH, Persistence.KEEP))
                .isEqualTo(
                        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nContent-Length: 1234\r\n"
                                + DATE_TEXT
                                + "\r\n");
    }

    @Test
    void writesAHeadOfChunkedContent() {
        assertThat(head(ok(-1), Framing.CHUNKED, Persistence.KEEP))
                .isEqualTo(
                        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\nTransfer-Encoding: chunked\r\n"
                                + DATE_TEXT
                                + "\r\n");
    }

    @Test
    void writesLengthOnlyForItsFraming() {
        ResponseHead head = ok(10);
        String chunked = head(ok(10), Framing.CHUNKED, Persistence.KEEP);
        String length = head(ok(10), Framing.LENGTH, Persistence.KEEP);
        String none = head(ok(10), Framing.NONE, Persistence.KEEP);
        assertThat(chunked).doesNotContain("Content-Length");
        assertThat(none).doesNotContain("Content-Length").doesNotContain("Transfer-Encoding");
        for (int round = 0; round < 2; round++) {
            assertThat(head(head, Framing.CHUNKED, Persistence.KEEP)).isEqualTo(chunked);
            assertThat(head(head, Framing.LENGTH, Persistence.KEEP)).isEqualTo(length);
            assertThat(head(head, Framing.NONE, Persistence.KEEP)).isEqualTo(none);
        }
    }

    @Test
    void writesConnectionClose() {
        assertThat(head(ok(-1), Framing.CLOSE, Persistence.CLOSE))
                .isEqualTo(
                        "HTTP/1.1 200 OK\r\nETag: \"a\"\r\n"
                                + DATE_TEXT
                                + "Connection: close\r\n\r\n");
    }

    @Test
    void writesKeepAliveForHttp10() {
        assertThat(head(ok(0), Framing.LENGTH, Persistence.KEEP_1_0))
                .contains("Content-Length: 0\r\n")
                .endsWith("Connection: keep-alive\r\n\r\n");
    }

    @Test
    void keepsDateOfTheHandler() {
        Fields fields = Fields.of(FieldName.DATE, "Thu, 01 Jan 1970 00:00:00 GMT");
        ResponseHead head = new ResponseHead(Status.OK, fields, 0);
        assertThat(head(head, Framing.LENGTH, Persistence.KEEP))
                .containsOnlyOnce("Date: ")
                .contains("1970");
    }

    @Test
    void writesAStatusWithoutAReason() {
        ResponseHead head = new ResponseHead(Status.of(299), Fields.EMPTY, 0);
        assertThat(head(head, Framing.LENGTH, Persistence.KEEP)).startsWith("HTTP/1.1 299 \r\n");
    }

    @Test
    void refusesLengthFramingOfUnknownLength() {
        ByteBuffer out = ByteBuffer.allocate(1000);
        assertThatThrownBy(() -> encoder.head(out, ok(-1), Framing.LENGTH, Persistence.KEEP, DATE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(out.position()).isZero();
    }

    @Test
    void writesTheLongestLength() {
        assertThat(head(ok(Long.MAX_VALUE), Framing.LENGTH, Persistence.KEEP))
                .contains("Content-Length: 9223372036854775807\r\n");
    }

    @Test
    void writesInterimResponses() {
        Fields fields = Fields.of(FieldName.LINK, "</a>; rel=preload");
        int bound = encoder.interimBound(Status.EARLY_HINTS, fields);
        String text = written(bound, out -> encoder.interim(out, Status.EARLY_HINTS, fields));
        assertThat(text).isEqualTo("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n");
        assertThat(text).hasSize(bound);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 9, 10, 15, 16, 255, 256, 65536, Integer.MAX_VALUE, Long.MAX_VALUE})
    void writesTheSizeOfAChunk(long size) {
        String text =
                written(
                        ResponseEncoder.CHUNK_HEAD_MAX,
                        out ->
                                assertThat(ResponseEncoder.chunkHead(out, size))
                                        .isEqualTo(out.position()));
        assertThat(text).isEqualTo(Long.toHexString(size) + "\r\n");
    }

    @Test
    void refusesEmptyChunk() {
        assertThatThrownBy(() -> ResponseEncoder.chunkHead(ByteBuffer.allocate(20), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void endsChunkedContent() {
        assertThat(written(2, ResponseEncoder::chunkEnd)).isEqualTo("\r\n");
        assertThat(
                        written(
                                ResponseEncoder.lastChunkBound(Fields.EMPTY),
                                out -> ResponseEncoder.lastChunk(out, Fields.EMPTY)))
                .isEqualTo("0\r\n\r\n");
    }

    @Test
    void leavesOutForbiddenTrailers() {
        Fields trailers = new Fields().add("Server-Timing", "a").add(FieldName.HOST, "b");
        assertThat(
                        written(
                                ResponseEncoder.lastChunkBound(trailers),
                                out -> ResponseEncoder.lastChunk(out, trailers)))
                .isEqualTo("0\r\nServer-Timing: a\r\n\r\n");
    }

    private String head(ResponseHead head, Framing framing, Persistence persistence) {
        int bound = encoder.headBound(head);
        String heap = written(bound, out -> encoder.head(out, head, framing, persistence, DATE));
        ByteBuffer direct = ByteBuffer.allocateDirect(encoder.headBound(head));
        encoder.head(direct, head, framing, persistence, DATE);
        byte[] bytes = new byte[direct.flip().remaining()];
        direct.get(bytes);
        assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).isEqualTo(heap);
        return heap;
    }

    /// Returns what `writer` writes into a buffer of exactly its bound.
    private static String written(int bound, Consumer<ByteBuffer> writer) {
        ByteBuffer out = ByteBuffer.allocate(bound);
        writer.accept(out);
        return new String(out.array(), 0, out.position(), StandardCharsets.ISO_8859_1);
    }

    private static ResponseHead ok(long length) {
        return new ResponseHead(Status.OK, Fields.of(FieldName.ETAG, "\"a\""), length);
    }
}
