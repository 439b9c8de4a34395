package dev.serval.gateway.lrwp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/// Any bytes in place of a length: no exception, and the same result in one piece and in single
/// bytes.
final class LengthFieldFuzz {
    @FuzzTest(maxDuration = "20s")
    void length(byte[] bytes) {
        LengthField whole = new LengthField();
        boolean malformed = whole.take(bytes, 0, bytes.length) == LengthField.MALFORMED;
        LengthField pieces = new LengthField();
        boolean also = false;
        for (int i = 0; i < bytes.length && !also; i++) {
            also = pieces.take(bytes, i, i + 1) == LengthField.MALFORMED;
        }
        assertThat(also).isEqualTo(malformed);
        assertThat(pieces.isComplete()).isEqualTo(whole.isComplete());
        if (whole.isComplete()) {
            assertThat(whole.value()).isBetween(0L, LengthField.MAX).isEqualTo(pieces.value());
        }
    }
}
