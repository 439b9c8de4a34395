package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import org.junit.jupiter.api.Tag;

/// Tests with arbitrary Range fields that the parts lie within the content, do not touch, and are
/// few.
@Tag("fuzz")
final class ByteRangesFuzz {
    @FuzzTest(maxDuration = "10s")
    void partsAreSound(FuzzedDataProvider data) {
        long length = data.consumeLong(0, Long.MAX_VALUE);
        byte[] field = data.consumeRemainingAsBytes();

        if (ByteRanges.parse(field, 0, field.length, length)
                instanceof ByteRanges.Parts(long[] firsts, long[] ends)) {
            assertThat(firsts.length).isBetween(1, ByteRanges.RANGES_MAX);
            for (int i = 0; i < firsts.length; i++) {
                assertThat(firsts[i]).isBetween(0L, length - 1);
                assertThat(ends[i]).isBetween(firsts[i] + 1, length);
                for (int k = 0; k < i; k++) {
                    assertThat(firsts[i] > ends[k] || firsts[k] > ends[i]).isTrue();
                }
            }
        }
    }
}
