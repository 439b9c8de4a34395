package dev.serval.coding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GzipTest {
    private static final byte[] TEXT = "to be or not to be; ".repeat(5_000).getBytes(UTF_8);

    @ParameterizedTest
    @ValueSource(ints = {1, 6, 9})
    void makesWhatGunzipReads(int level) throws IOException {
        byte[] compressed = requireNonNull(Gzip.compressed(TEXT, level, TEXT.length));

        assertThat(compressed.length).isLessThan(TEXT.length / 20);
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            assertThat(in.readAllBytes()).isEqualTo(TEXT);
        }
        assertThat(Gzip.compressed(TEXT, level, TEXT.length)).isEqualTo(compressed);
    }

    @Test
    void returnsNothingPastTheLimit() {
        int length = requireNonNull(Gzip.compressed(TEXT, 6, TEXT.length)).length;

        assertThat(Gzip.compressed(TEXT, 6, length)).hasSize(length);
        assertThat(Gzip.compressed(TEXT, 6, length - 1)).isNull();
        assertThat(Gzip.compressed(TEXT, 6, 0)).isNull();
    }

    @Test
    void compressesNothing() throws IOException {
        byte[] compressed = requireNonNull(Gzip.compressed(new byte[0], 6, 100));
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            assertThat(in.readAllBytes()).isEmpty();
        }
    }

    @Test
    void settingsHaveLimits() {
        assertThat(Compression.DEFAULT.with(draft -> draft.level = 9).level()).isEqualTo(9);
        assertThat(Compression.DEFAULT.with(draft -> draft.fileMaxBytes = 64 << 20).fileMaxBytes())
                .isEqualTo(64 << 20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Compression.DEFAULT.with(draft -> draft.level = 10))
                .withMessage("level must be from 1 to 9, but is 10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Compression.DEFAULT.with(draft -> draft.level = 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Compression.DEFAULT.with(draft -> draft.answerLevel = 10));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Compression.DEFAULT.with(draft -> draft.fileMaxBytes = (64 << 20) + 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Compression.DEFAULT.with(draft -> draft.minBytes = -1));
        assertThat(Compression.OFF.covers(Compression.Scope.PRECOMPRESSED)).isFalse();
        assertThat(Compression.DEFAULT.covers(Compression.Scope.FILES)).isTrue();
        assertThat(Compression.DEFAULT.covers(Compression.Scope.ALL)).isFalse();
    }
}
