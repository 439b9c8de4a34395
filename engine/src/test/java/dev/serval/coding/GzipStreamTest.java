package dev.serval.coding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GzipStreamTest {
    private static final int HEADER_BYTES = 10;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /// Writes `content` in pieces, with room for `room` bytes at a time.
    private void write(GzipStream stream, byte[] content, int piece, int room, boolean flush) {
        for (int at = 0; at < content.length; at += piece) {
            int n = Math.min(piece, content.length - at);
            stream.take(ByteBuffer.wrap(content, at, n));
            boolean more = true;
            while (more) {
                ByteBuffer into = ByteBuffer.allocate(room);
                more = stream.put(into, flush);
                bytes.write(into.array(), 0, into.position());
            }
        }
    }

    private byte[] finished(GzipStream stream, int room) throws IOException {
        boolean more = true;
        while (more) {
            ByteBuffer into = ByteBuffer.allocate(room);
            more = stream.finish(into);
            bytes.write(into.array(), 0, into.position());
        }
        byte[] all = bytes.toByteArray();
        bytes.reset();
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(all))) {
            return in.readAllBytes();
        }
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        Arrays.fill(content, length / 3, length / 2, (byte) 'x');
        return content;
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 33, 100, 8192})
    void writesWhatGunzipReadsWhateverTheRoom(int room) throws IOException {
        try (GzipStream stream = new GzipStream(6)) {
            for (int piece : new int[] {1, 7, 1000, 70_000}) {
                byte[] content = content(piece == 1 ? 500 : 70_000);
                write(stream, content, piece, room, false);
                assertThat(finished(stream, room)).isEqualTo(content);
                stream.restart();
                write(stream, content, piece, room, true);
                assertThat(finished(stream, room)).isEqualTo(content);
                stream.restart();
            }
        }
    }

    @Test
    void isTheSameAsCompressionAtOnce() throws IOException {
        byte[] content = "to be or not to be; ".repeat(500).getBytes(UTF_8);
        try (GzipStream stream = new GzipStream(6)) {
            write(stream, content, content.length, 8192, false);
            ByteBuffer into = ByteBuffer.allocate(8192);
            assertThat(stream.finish(into)).isFalse();
            bytes.write(into.array(), 0, into.position());
            assertThat(bytes.toByteArray())
                    .isEqualTo(Objects.requireNonNull(Gzip.compressed(content, 6, content.length)));
        }
    }

    @Test
    void aFlushMakesAllReadable() throws DataFormatException {
        byte[] text = "data: 1\n\n".getBytes(UTF_8);
        try (GzipStream stream = new GzipStream(6)) {
            write(stream, text, text.length, 8192, false);
            assertThat(bytes.size()).isEqualTo(HEADER_BYTES);
            ByteBuffer into = ByteBuffer.allocate(100);
            assertThat(stream.put(into, true)).isFalse();
            bytes.write(into.array(), 0, into.position());
            Inflater inflater = new Inflater(true);
            byte[] all = bytes.toByteArray();
            inflater.setInput(all, HEADER_BYTES, all.length - HEADER_BYTES);
            byte[] content = new byte[100];
            assertThat(Arrays.copyOf(content, inflater.inflate(content))).isEqualTo(text);
            inflater.end();
        }
    }

    @Test
    void thePoolHasALimit() {
        GzipPool pool = new GzipPool();
        GzipStream first = Objects.requireNonNull(pool.take(6, 2));
        GzipStream second = Objects.requireNonNull(pool.take(1, 2));
        assertThat(pool.take(6, 2)).isNull();
        pool.giveBack(first);
        assertThat(pool.take(6, 2)).isSameAs(first);
        pool.giveBack(first);
        assertThat(pool.take(9, 2)).isNotSameAs(first);
        pool.giveBack(second);
        assertThat(pool.lent()).isEqualTo(1);
        pool.close();
    }
}
