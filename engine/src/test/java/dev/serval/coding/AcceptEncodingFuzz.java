package dev.serval.coding;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Tag;

/// Tests with arbitrary bytes that weights stay in their range, that no element affects another, and
/// that a coding is acceptable only if the value names it or has `*`.
@Tag("fuzz")
final class AcceptEncodingFuzz {
    @FuzzTest(maxDuration = "10s")
    void givesWeightsInRange(FuzzedDataProvider data) {
        byte[] value = data.consumeRemainingAsBytes();

        long accepted = AcceptEncoding.of(value, 0, value.length);

        String text = new String(value, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        for (ContentCoding coding : ContentCoding.all()) {
            int weight = AcceptEncoding.weight(accepted, coding);
            assertThat(weight).isBetween(0, 1000);
            if (weight > 0) {
                assertThat(text.contains(coding.token()) || text.contains("*")).isTrue();
            }
        }
        assertThat(AcceptEncoding.identityWeight(accepted)).isBetween(0, 1000);
        byte[] more =
                ("br;q=0.125," + new String(value, StandardCharsets.ISO_8859_1) + ",br;q=0.125")
                        .getBytes(StandardCharsets.ISO_8859_1);
        long with = AcceptEncoding.of(more, 0, more.length);
        assertThat(AcceptEncoding.weight(with, ContentCoding.BR)).isEqualTo(125);
        assertThat(AcceptEncoding.weight(with, ContentCoding.GZIP))
                .isEqualTo(AcceptEncoding.weight(accepted, ContentCoding.GZIP));
    }
}
