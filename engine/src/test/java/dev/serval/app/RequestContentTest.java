package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.codec.CodecKey;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/// Reads content that arrives one byte at a time, with a declared length and without one.
final class RequestContentTest {
    private static InputStream singleBytes(byte[] content) {
        return new ByteArrayInputStream(content) {
            @Override
            public synchronized int read(byte[] into, int at, int most) {
                return super.read(into, at, Math.min(1, most));
            }
        };
    }

    private static RequestHead head(long length) {
        RequestHeadWriter writer = new RequestHeadWriter(CodecKey.KEY);
        writer.content(length, false, -1);
        return writer.head();
    }

    @Test
    void readsUpToTheLimitAndRefusesMore() throws IOException {
        for (long length : new long[] {RequestHead.UNKNOWN_LENGTH, 10}) {
            assertThat(RequestContent.read(head(length), singleBytes(new byte[10]), 10))
                    .hasSize(10);
        }
        for (long length : new long[] {RequestHead.UNKNOWN_LENGTH, 11}) {
            assertThatThrownBy(
                            () -> RequestContent.read(head(length), singleBytes(new byte[11]), 10))
                    .isInstanceOf(HttpException.class)
                    .hasMessageContaining("at most 10 bytes");
        }
    }

    @Test
    void refusesContentThatEndsBeforeItsLength() {
        assertThatThrownBy(() -> RequestContent.read(head(10), singleBytes(new byte[9]), 10))
                .isInstanceOf(IOException.class);
    }
}
