package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AnswerWriterTest {
    /// Keeps each write apart.
    private static final class Writes extends OutputStream {
        final List<byte[]> all = new ArrayList<>();

        @Override
        public void write(int b) {
            all.add(new byte[] {(byte) b});
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            all.add(Arrays.copyOfRange(bytes, from, from + count));
        }

        String text() {
            ByteArrayOutputStream joined = new ByteArrayOutputStream();
            all.forEach(joined::writeBytes);
            return joined.toString(StandardCharsets.ISO_8859_1);
        }
    }

    private final Writes writes = new Writes();
    private final AnswerWriter writer = new AnswerWriter(writes);

    @Test
    void writesDigitsAndContentInOneWrite() throws Exception {
        writer.send(LrwpResponse.text("hello"));
        assertThat(writes.all).hasSize(1);
        assertThat(writes.text())
                .isEqualTo("000000048Content-Type: text/plain; charset=utf-8\r\n\r\nhello");
    }

    @Test
    void writesLargeContentInOneWriteToo() throws Exception {
        for (int size : new int[] {8_000, 70_000, 3_000_000}) {
            writes.all.clear();
            writer.send(LrwpResponse.of(200, "a/b", new byte[size]));
            assertThat(writes.all).hasSize(1);
            assertThat(writes.all.getFirst()).hasSize(9 + 21 + size);
        }
    }

    @Test
    void reusesItsArrayWithoutOldBytes() throws Exception {
        writer.send(LrwpResponse.text("a long answer"));
        writes.all.clear();
        writer.send(LrwpResponse.empty(204).with("A", "b"));
        assertThat(writes.text()).isEqualTo("000000032Status: 204 No Content\r\nA: b\r\n\r\n");
    }

    @Test
    void streamsInChunksOfWhichTheFirstHasTheDigits() throws Exception {
        byte[] content = new byte[200_000];
        Arrays.fill(content, (byte) 'x');
        writer.send(
                LrwpResponse.stream(
                        "a/b",
                        content.length,
                        out -> {
                            out.write('x');
                            out.write(content, 0, content.length - 1);
                        }));
        assertThat(writes.all).hasSize(4);
        assertThat(writes.text())
                .startsWith("000200021Content-Type: a/b\r\n\r\nxxx")
                .hasSize(200_030);
    }

    @Test
    void failsIfStreamIsNotAsLongAsPromised() {
        assertThatThrownBy(() -> writer.send(LrwpResponse.stream("a/b", 3, out -> out.write(1))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2 bytes less than the promised 3");
        assertThatThrownBy(() ->
                        writer.send(LrwpResponse.stream("a/b", 3, out -> out.write(new byte[4]))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than the promised 3");
    }
}
