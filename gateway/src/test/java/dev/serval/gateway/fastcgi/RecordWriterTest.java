package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class RecordWriterTest {
    @Test
    void beginsRequest() {
        ByteBuffer out = ByteBuffer.allocate(RecordWriter.BEGIN_BYTES);
        RecordWriter.begin(out, true);
        assertThat(out.array()).containsExactly(1, 1, 0, 1, 0, 8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0);
        RecordWriter.begin(out.clear(), false);
        assertThat(out.get(10)).isZero();
    }

    @Test
    void writesParamsAndTheirEnd() {
        ByteBuffer out = ByteBuffer.allocate(RecordWriter.paramsBytes(3));
        RecordWriter.params(out, new byte[] {7, 8, 9, 10}, 3);
        assertThat(out.array())
                .containsExactly(1, 4, 0, 1, 0, 3, 0, 0, 7, 8, 9, 1, 4, 0, 1, 0, 0, 0, 0);
    }

    @Test
    void splitsLongParams() {
        int length = RecordWriter.CONTENT_MAX_BYTES + 1;
        ByteBuffer out = ByteBuffer.allocate(RecordWriter.paramsBytes(length));
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) 5);
        RecordWriter.params(out, bytes, length);
        assertThat(out.hasRemaining()).isFalse();
        int second = RecordWriter.HEAD_BYTES + RecordWriter.CONTENT_MAX_BYTES;
        assertThat(Arrays.copyOfRange(out.array(), second, second + 9))
                .containsExactly(1, 4, 0, 1, 0, 1, 0, 0, 5);
    }

    @Test
    void hasRecordsUpToTheLimit() {
        ByteBuffer out = ByteBuffer.allocate(8);
        RecordWriter.head(out, RecordType.STDIN, RecordWriter.CONTENT_MAX_BYTES);
        assertThat(out.array()).containsExactly(1, 5, 0, 1, 0xff, 0xf8, 0, 0);
        assertThatThrownBy(() ->
                        RecordWriter.head(
                                out.clear(), RecordType.STDIN, RecordWriter.CONTENT_MAX_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
